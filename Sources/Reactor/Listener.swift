internal import CLinux
internal import Glibc
package import Platform
internal import Synchronization

/// Takes over what a `Listener` accepted.
package protocol AcceptHandler: AnyObject, Sendable {
    /// On the listener's loop thread. The socket is non-blocking and close-on-exec, and watched by nobody.
    func accepted(_ socket: consuming FileDescriptor, from peer: PeerAddress)
}

/// A listening socket on a loop. It accepts until it is closed, and rests when the process comes near its last descriptors.
package final class Listener: EventHandler, @unchecked Sendable {
    // Sendable because `socket`, `unixPath`, `token` and `backoff` are touched on the loop's thread only, once it is open.
    private let loop: EventLoop
    private let handler: any AcceptHandler
    private var socket: FileDescriptor?
    private var token: WatchToken?
    private var backoff = AcceptBackoff()
    private var unixPath: String?
    private let exhaustions = Atomic<UInt64>(0)
    private let reserve: DescriptorReserve

    /// Where it listens, with the port the kernel chose.
    package let endpoint: Endpoint

    /// Connections that may wait to be accepted. A storm of four thousand a second must not lose one.
    package static let backlog: Int32 = 4096
    /// Connections accepted before the loop looks at its other work.
    private static let acceptBatch = 256

    /// Opens the socket and begins to accept on `loop`. Any thread.
    /// - Parameter options: set on the listening socket; every accepted one inherits them from it, which costs nothing.
    /// - Throws: `SystemError`: the address is taken, not ours, or not allowed.
    package init(
        _ endpoint: Endpoint, on loop: EventLoop, handler: any AcceptHandler,
        options: SocketOptions = SocketOptions()
    ) throws(SystemError) {
        self.loop = loop
        self.handler = handler
        let socket = try ListeningSocket.open(endpoint, backlog: Self.backlog)
        options.apply(to: socket.number)
        self.endpoint = ListeningSocket.boundEndpoint(socket.number, asked: endpoint)
        if case .unix(let path, _) = endpoint { unixPath = path } else { unixPath = nil }
        self.socket = consume socket
        reserve = DescriptorReserve()
        loop.submit { self.begin() }
    }

    /// How often accepting had to rest because descriptors or memory were nearly used up. Any thread.
    package var exhaustionCount: UInt64 { exhaustions.load(ordering: .relaxed) }

    /// Accepts no more, closes the socket and removes its file. Any thread; may be called twice.
    package func close() { loop.run { self.end() } }

    /// Accepts no more, for another program goes on with the socket; who connects waits in the kernel's queue, and the file
    /// stays. Any thread.
    func handOver() {
        loop.run {
            self.unixPath = nil
            if let token = self.token { self.loop.unwatch(token) }
            self.token = nil
        }
    }

    private func begin() {
        guard let number = socket?.number else { return }
        ListeningSockets.opened(number, by: self)
        do {
            token = try loop.watch(number, for: .readable, handler: self)
        } catch {
            Log.error("reactor", "cannot accept", ["endpoint": "\(endpoint)", "error": "\(error)"])
        }
    }

    private func end() {
        if let token { loop.unwatch(token) }
        token = nil
        if let number = socket?.number { ListeningSockets.closed(number) }
        if socket != nil, let unixPath { unlink(unixPath) }
        socket = nil
    }

    // MARK: On the loop

    package func ready(_ events: IOEvents, tag: UInt64) {
        for _ in 0..<Self.acceptBatch {
            guard let number = socket?.number else { return }
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let connection = aircheck_accept(number, &storage, &length)
            guard connection >= 0 else { return AcceptBackoff.isExhaustion(errno) ? rest() : () }
            let accepted = FileDescriptor(owning: connection)
            guard reserve.allows(connection) else { return rest() }
            backoff.succeeded()
            handler.accepted(accepted, from: peer(storage, connection))
        }
    }

    private func peer(_ storage: sockaddr_storage, _ connection: Int32) -> PeerAddress {
        let address = PeerAddress(storage)
        guard address.family == .unix else { return address }
        var credentials = PeerCredentials(process: 0, user: 0, group: 0)
        let result = aircheck_peer_credentials(
            connection, &credentials.process, &credentials.user, &credentials.group)
        return PeerAddress(family: .unix, credentials: result == 0 ? credentials : nil)
    }

    private func rest() {
        guard let token else { return }
        let rest = backoff.exhausted()
        exhaustions.wrappingAdd(1, ordering: .relaxed)
        if rest == AcceptBackoff.shortest {
            Log.warning(
                "reactor", "descriptors are running out, accepting rests", ["endpoint": "\(endpoint)"])
        }
        loop.modify(token, to: [])
        loop.after(rest) {
            if let token = self.token { self.loop.modify(token, to: .readable) }
        }
    }
}
