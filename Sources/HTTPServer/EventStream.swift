package import HTTPWire
internal import Platform
internal import Reactor

/// An open `text/event-stream`. Any thread.
///
/// A client that does not read costs a bounded queue: when it is full, what waits is dropped for one event named `resync`,
/// after which the client fetches everything anew.
package final class EventStream: Sendable, BodySource {
    private struct State {
        var queue: [[UInt8]] = []
        var isOpen = true
        var isWoken = false
        var closeActions: [@Sendable () -> Void] = []
    }

    /// The id of the last event that the client saw before it came back.
    package let lastEventID: String?
    private let limit: Int
    private let loop: EventLoop
    private let wake: @Sendable () -> Void
    private let overflowed: @Sendable () -> Void
    private let state = Lock(State())

    /// - Parameter wake: called on the loop's thread when there is something to send.
    init(
        lastEventID: String?, limit: Int, loop: EventLoop, wake: @escaping @Sendable () -> Void,
        overflowed: @escaping @Sendable () -> Void
    ) {
        self.lastEventID = lastEventID
        self.limit = limit
        self.loop = loop
        self.wake = wake
        self.overflowed = overflowed
    }

    /// Queues an event. False when the client has left.
    @discardableResult
    package func send(_ event: ServerSentEvent) -> Bool {
        let bytes = event.bytes
        let (isOpen, mustWake, dropped) = state.withLock { state in
            guard state.isOpen else { return (false, false, false) }
            let isFull = state.queue.count >= limit
            if isFull { state.queue = [Self.resync] }
            state.queue.append(bytes)
            defer { state.isWoken = true }
            return (true, !state.isWoken, isFull)
        }
        if dropped { overflowed() }
        if mustWake { loop.submit(wake) }
        return isOpen
    }

    /// The event that stands for those dropped.
    package static let resyncName = "resync"
    private static let resync = ServerSentEvent(name: resyncName, data: "{}").bytes

    /// Ends the stream properly after what is queued.
    package func close() {
        let actions = end()
        loop.submit(wake)
        for action in actions { action() }
    }

    package var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Runs `action` once when the stream ends, whoever ends it, on the thread that ends it; at once if it has ended.
    package func whenClosed(_ action: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            if state.isOpen { state.closeActions.append(action) }
            return state.isOpen
        }
        if !isOpen { action() }
    }

    private func end() -> [@Sendable () -> Void] {
        state.withLock { state in
            state.isOpen = false
            return state.closeActions.take()
        }
    }

    // MARK: On the loop

    func nextPiece() -> BodyPiece {
        state.withLock { state in
            state.isWoken = false
            let bytes = state.queue.take()
            if !bytes.isEmpty { return .bytes(Array(bytes.joined())) }
            return state.isOpen ? .wait(seconds: nil) : .end
        }
    }

    func finished() { for action in end() { action() } }
}

extension Array {
    /// All elements; none are left.
    fileprivate mutating func take() -> [Element] {
        let all = self
        self = []
        return all
    }
}
