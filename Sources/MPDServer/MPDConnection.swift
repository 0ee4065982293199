internal import CLinux
internal import Glibc
internal import Platform
internal import Reactor

/// One client's socket. Loop thread only; the loop holds it through the watch.
final class MPDConnection: EventHandler {
    private var socket: FileDescriptor?
    private let loop: EventLoop
    private let client: MPDClient
    private var conversation: MPDConversation
    private var lines = MPDLines()
    private var output: [UInt8] = []
    private var token: WatchToken?
    private var isWriting = false
    private(set) var lastHeard: MonotonicTime
    private let closed: (MPDConnection) -> Void

    /// Most bytes that wait for a client to read them.
    private static let outputLimit = 8 << 20

    var number: Int { client.number }
    /// It may be silent for as long as it waits for changes.
    var isIdle: Bool { conversation.isIdle }

    init(
        socket: consuming FileDescriptor, loop: EventLoop, desk: MPDDesk, client: MPDClient,
        now: MonotonicTime, closed: @escaping (MPDConnection) -> Void
    ) {
        self.socket = consume socket
        self.loop = loop
        self.client = client
        conversation = MPDConversation(desk: desk, client: client)
        lastHeard = now
        self.closed = closed
    }

    func begin() {
        guard let number = socket?.number else { return }
        do {
            token = try loop.watch(number, for: .readable, handler: self)
            say(Array(MPDConversation.greeting.utf8))
        } catch {
            leave()
        }
    }

    func ready(_ events: IOEvents, tag: UInt64) {
        if events.contains(.writable) { flush() }
        if !events.isDisjoint(with: [.readable, .hangUp, .failed]) { receive() }
    }

    /// Something has changed that it may be waiting for.
    func tellNews() { act(conversation.news()) }

    func leave() {
        guard socket != nil else { return }
        if let token { loop.unwatch(token) }
        token = nil
        socket = nil
        closed(self)
    }

    private func receive() {
        guard let number = socket?.number else { return }
        var piece = [UInt8](repeating: 0, count: 8192)
        let count = recv(number, &piece, piece.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else { return leave() }
        lastHeard = SystemTime().now
        do {
            for line in try lines.take(piece.prefix(count)) where socket != nil {
                act(conversation.take(line))
            }
        } catch {
            leave()
        }
    }

    private func act(_ step: MPDConversation.Step) {
        switch step {
        case .say(let text): say(Array(text.utf8))
        case .send(let bytes): say(bytes)
        case .nothing: break
        case .close: leave()
        }
    }

    private func say(_ bytes: [UInt8]) {
        output += bytes
        guard output.count <= Self.outputLimit else { return leave() }
        flush()
    }

    private func flush() {
        guard let number = socket?.number, !output.isEmpty else { return }
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        let sent = output.withUnsafeBytes { send(number, $0.baseAddress, $0.count, flags) }
        if sent < 0, errno != EAGAIN, errno != EINTR { return leave() }
        output.removeFirst(max(0, sent))
        watch(writing: !output.isEmpty)
    }

    private func watch(writing: Bool) {
        guard writing != isWriting, let token else { return }
        isWriting = writing
        loop.modify(token, to: writing ? [.readable, .writable] : .readable)
    }
}
