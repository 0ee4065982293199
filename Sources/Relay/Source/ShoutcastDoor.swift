internal import CLinux
internal import Glibc
internal import HTTPWire
package import Platform
package import Reactor

/// Takes Shoutcast v1 sources, by custom on the port after the listeners' one. All of them feed one mount.
package final class ShoutcastDoor: AcceptHandler {
    private let relay: RelayService
    private let loop: EventLoop

    /// Begins to accept with `Listener(_:on:handler:)` on the same loop.
    package init(relay: RelayService, loop: EventLoop) {
        self.relay = relay
        self.loop = loop
    }

    package func accepted(_ socket: consuming FileDescriptor, from peer: PeerAddress) {
        ShoutcastGuest(
            socket: socket.release(), peer: peer, relay: relay, loop: loop,
            mount: relay.identity.shoutcastMount
        ).begin()
    }
}

/// A connection to the Shoutcast port until its stream begins. Loop thread.
private final class ShoutcastGuest: EventHandler, @unchecked Sendable {
    // Sendable because it is touched on its loop's thread only.
    private var socket: FileDescriptor?
    private let peer: PeerAddress
    private let relay: RelayService
    private let loop: EventLoop
    private let mount: String
    private var hello = ShoutcastHello()
    private var credentials: Credentials?
    private var token: WatchToken?
    private var deadline: LoopTimer?

    /// From the connection to the end of the headers, in all.
    private static let headSeconds = 10.0
    /// What libshout asks first, to see who answers.
    private static let poke = "!POKE"

    init(socket: Int32, peer: PeerAddress, relay: RelayService, loop: EventLoop, mount: String) {
        self.socket = FileDescriptor(owning: socket)
        self.peer = peer
        self.relay = relay
        self.loop = loop
        self.mount = mount
    }

    func begin() {
        guard let number = socket?.number else { return }
        do {
            token = try loop.watch(number, for: .readable, handler: self)
            // The loop holds the handler through the watch; the timer only looks.
            deadline = loop.after(Self.headSeconds) { [weak self] in self?.leave() }
        } catch {
            leave()
        }
    }

    func ready(_ events: IOEvents, tag: UInt64) {
        guard let number = socket?.number else { return }
        var piece = [UInt8](repeating: 0, count: 4096)
        let count = recv(number, &piece, piece.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else { return leave() }
        for event in hello.take(Array(piece.prefix(count))) { handle(event) }
    }

    private func handle(_ event: ShoutcastHello.Event) {
        switch event {
        case .password(Self.poke), .malformed: leave()
        case .password(let password): check(password)
        case .begins(let hello, let leftover): start(hello, leftover)
        }
    }

    private func check(_ password: String) {
        let offered = Credentials.basic(user: "source", password: password)
        switch relay.auth.verdict(on: offered, from: peer, for: .feed(mount: mount)) {
        case .allowed:
            credentials = offered
            say("OK2\r\nicy-caps:11\r\n\r\n")
        case .unknown, .tooManyTries:
            say("invalid password\r\n")
            leave()
        }
    }

    private func start(_ hello: SourceHello, _ leftover: [UInt8]) {
        guard socket != nil, let credentials else { return leave() }
        let opening = SourceSession.Opening(
            mount: mount, hello: hello, framing: .untilClose, credentials: credentials)
        guard case .begin(let session) = relay.admit(opening, loop: loop) else { return leave() }
        stopWatching()
        if let number = socket.take()?.release() { session.begin(socket: number, leftover: leftover) }
    }

    private func say(_ text: String) {
        if let number = socket?.number { RawAnswer.send(Array(text.utf8), to: number) }
    }

    private func leave() {
        stopWatching()
        socket = nil
    }

    private func stopWatching() {
        deadline?.cancel()
        if let token { loop.unwatch(token) }
        token = nil
    }
}
