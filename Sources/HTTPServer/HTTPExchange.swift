internal import HTTPWire
package import Platform
package import Reactor
internal import Synchronization

/// The answer to one request: exactly one of `send`, `sendFile`, `openEvents` and `takeOver`, once. Any thread.
///
/// Let go of without an answer, it answers 500. When the client has left, answers go nowhere.
package final class HTTPExchange: Sendable {
    private let connection: HTTPConnection
    private let isAnswered = Atomic(false)
    /// The loop that the connection lives on.
    package let loop: EventLoop
    private let request: RequestHead

    init(connection: HTTPConnection, request: RequestHead) {
        self.connection = connection
        self.loop = connection.loop
        self.request = request
    }

    deinit {
        if claim() {
            let connection = connection
            Log.error("http", "a request was dropped without an answer")
            loop.run { connection.answer(Self.noAnswer) }
        }
    }

    private static let noAnswer = HTTPResponse.problem(
        500, code: "internal", message: "The service did not answer this request. This is a bug.",
        remedy: "Please report it with the service's log.")

    /// True for the first caller only.
    private func claim() -> Bool {
        isAnswered.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    }

    private func claimed(_ attempt: StaticString) -> Bool {
        let first = claim()
        if !first { Log.error("http", "a request was answered twice", ["attempt": "\(attempt)"]) }
        return first
    }

    /// Sends an answer from memory.
    package func send(_ response: HTTPResponse) {
        guard claimed("send") else { return }
        let connection = connection
        loop.run { connection.answer(response) }
    }

    /// Sends a file or the part of it that was asked for.
    package func sendFile(_ descriptor: consuming FileDescriptor, _ answer: FileAnswer) {
        guard claimed("sendFile") else { return }
        let (connection, file) = (connection, OpenFile(descriptor))
        loop.run { connection.answer(file: file, answer) }
    }

    /// Opens an event stream; nil when there are too many already, which the client has then been told.
    package func openEvents() -> EventStream? {
        guard claimed("openEvents") else { return nil }
        let connection = connection
        guard
            let stream = connection.server.makeEventStream(
                for: connection, lastEventID: request.headers["last-event-id"])
        else {
            loop.run { connection.answer(Self.tooManyStreams) }
            return nil
        }
        loop.run { connection.answer(events: stream) }
        return stream
    }

    private static let tooManyStreams = HTTPResponse.problem(
        503, code: "too_many_event_streams", message: "Too many event streams are open.",
        remedy: "Close another page, or raise server.event_streams."
    ).adding("Retry-After", "10")

    /// Gives the socket away: the server forgets it, and `handler` owns it, on `loop`'s thread. Nothing has been sent on it,
    /// except what `sendContinue` sent. Not called when the client has left before.
    package func takeOver(_ handler: @escaping @Sendable (consuming TakenSocket) -> Void) {
        guard claimed("takeOver") else { return }
        let connection = connection
        loop.run { connection.handOver(to: handler) }
    }

    /// Tells a client that waits for it to send its body; nothing when it does not wait. For plans of `.stream`; collected
    /// bodies are asked for by the server.
    package func sendContinue() {
        guard request.expectsContinue else { return }
        let connection = connection
        loop.run { connection.sendContinue() }
    }
}

/// A connection that left the server: the raw, non-blocking socket, and what had already been read from it.
package struct TakenSocket: ~Copyable, Sendable {
    package let descriptor: FileDescriptor
    /// Bytes that came after the head: the beginning of the body.
    package let leftover: [UInt8]
    package let peer: PeerAddress
    /// The loop whose thread this runs on; the socket is watched by nobody yet.
    package let loop: EventLoop

    /// The parts, to be owned one by one.
    package consuming func take() -> (descriptor: Int32, leftover: [UInt8]) {
        let leftover = leftover
        return (descriptor.release(), leftover)
    }
}

/// A descriptor that closures can share.
final class OpenFile: Sendable {
    let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}
