internal import CLinux
internal import Glibc
internal import Platform
internal import Reactor

/// Sends the programme to all listeners, in real time. Touched on its loop's thread only.
final class DemoTransmitter: EventHandler, @unchecked Sendable {
    // Sendable because everything that changes is touched on the loop's thread only.
    private final class Connection {
        let socket: FileDescriptor
        var listener: DemoListener
        var unsent: ArraySlice<UInt8>
        var token: WatchToken?

        init(_ socket: consuming FileDescriptor, _ listener: DemoListener, head: [UInt8]) {
            self.socket = socket
            self.listener = listener
            unsent = head[...]
        }
    }

    let loop: EventLoop
    private let time: any TimeSource
    private let start: MonotonicTime
    private var connections: [UInt64: Connection] = [:]
    private var nextNumber: UInt64 = 0
    private var tick: LoopTimer?

    /// Seconds between two writes to a listener.
    private static let tickSeconds = 0.25
    /// Bytes a listener may fall behind.
    private static let lagLimit: Int64 = 512 << 10

    init(loop: EventLoop, time: any TimeSource) {
        self.loop = loop
        self.time = time
        start = time.now
    }

    /// How far the programme has got: whole frames, the first burst ahead of the clock.
    private var live: Int64 {
        let frames = (time.now.nanoseconds - start.nanoseconds) / DemoProgramme.frameNanoseconds
        return DemoListener.burst + frames * DemoProgramme.frameBytes
    }

    /// Takes a listener in: the head and the burst go out at once.
    func add(_ socket: consuming FileDescriptor, wantsTitles: Bool, head: [UInt8]) {
        nextNumber += 1
        let number = nextNumber
        let connection = Connection(
            socket, DemoListener(joiningAt: live, wantsTitles: wantsTitles), head: head)
        do {
            connection.token = try loop.watch(
                connection.socket.number, for: [.writable, .peerClosed, .edge], handler: self, tag: number)
        } catch {
            return Log.warning("demo", "a listener cannot be watched", ["error": "\(error)"])
        }
        connections[number] = connection
        if tick == nil { tick = loop.every(Self.tickSeconds) { [weak self] in self?.sendToAll() } }
        send(number)
    }

    /// Lets everybody go.
    func stop() {
        tick?.cancel()
        tick = nil
        for number in connections.keys { drop(number) }
    }

    // MARK: On the loop

    func ready(_ events: IOEvents, tag: UInt64) {
        if events.isDisjoint(with: [.peerClosed, .hangUp, .failed]) { send(tag) } else { drop(tag) }
    }

    private func sendToAll() {
        for number in connections.keys { send(number) }
        if connections.isEmpty {
            tick?.cancel()
            tick = nil
        }
    }

    private func send(_ number: UInt64) {
        guard let connection = connections[number] else { return }
        if live - connection.listener.position > Self.lagLimit { return drop(number) }
        while true {
            if connection.unsent.isEmpty { connection.unsent = connection.listener.take(upTo: live)[...] }
            guard !connection.unsent.isEmpty else { return }
            let count = connection.unsent.withUnsafeBytes {
                Glibc.send(connection.socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else {
                if errno != EAGAIN { drop(number) }
                return
            }
            connection.unsent = connection.unsent.dropFirst(count)
        }
    }

    private func drop(_ number: UInt64) {
        guard let connection = connections.removeValue(forKey: number) else { return }
        if let token = connection.token { loop.unwatch(token) }
    }
}
