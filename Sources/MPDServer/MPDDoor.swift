package import Platform
package import Reactor

/// Lets every MPD client drive the player: on a port, on a socket in the file system, or both.
///
/// It has a thread of its own, so that a client can hold up nobody but other clients of this door.
package final class MPDDoor: AcceptHandler, @unchecked Sendable {
    // Sendable because everything that changes is touched on `loop`'s thread only, `listeners` before it is shared.
    private let loop: EventLoop
    private let desk: MPDDesk
    private let loopback: MPDPermissions
    private var listeners: [Listener] = []
    private var connections: [Int: MPDConnection] = [:]
    private var nextNumber = 1
    private let count = Lock(0)

    /// Clients at a time.
    private static let mostClients = 100
    /// Seconds that a client may be silent, unless it waits for changes; seconds between looks for such.
    private static let patience = 60.0
    private static let sweep = 10.0
    /// Seconds that an end waits for clients that are being served, and after which a client that is silent is none.
    private static let farewell = 0.5
    /// Seconds between looks at the player, for what nobody tells: titles, and an end of joining.
    private static let glance = 0.25

    /// Starts the thread; nobody is let in before `open`.
    /// - Parameter loopback: what clients of this machine may do without a password. Others need one.
    package init(backend: any MPDBackend, loopback: MPDPermissions) throws(SystemError) {
        loop = try EventLoop(name: "mpd")
        desk = MPDDesk(backend: backend)
        self.loopback = loopback
        loop.submit { [self] in start() }
    }

    /// Begins to accept at `endpoint`. Before clients come, from one thread.
    /// - Throws: `SystemError`: the address is taken, not ours, or not allowed.
    package func open(_ endpoint: Endpoint) throws(SystemError) -> Endpoint {
        let listener = try Listener(endpoint, on: loop, handler: self)
        listeners.append(listener)
        return listener.endpoint
    }

    /// Clients that are there. Any thread.
    package var clientCount: Int { count.withLock { $0 } }

    /// The catalogue is another now. Any thread.
    package func catalogueChanged() {
        loop.submit { [self] in desk.catalogueChanged() }
    }

    /// Something of the player has changed. Any thread; returns at once.
    package func playerChanged() { loop.submit { [self] in desk.look() } }

    /// Hangs up on everybody and ends the thread; who has just come in is answered first, as another program may take over
    /// without anybody noticing.
    package func close() {
        for listener in listeners { listener.close() }
        let pause = Semaphore()
        let end = SystemTime().now.advanced(bySeconds: Self.farewell)
        while serves(), SystemTime().now < end { _ = pause.wait(seconds: 0.02) }
        loop.submit { [self] in
            for connection in connections.values { connection.leave() }
        }
        loop.stop()
    }

    /// Whether somebody is in the middle of something.
    private func serves() -> Bool {
        let (answer, isThere) = (Lock(false), Semaphore())
        loop.submit { [self] in
            let now = SystemTime().now
            let serves = connections.values.contains {
                !$0.isIdle && now.seconds(since: $0.lastHeard) < Self.farewell
            }
            answer.withLock { $0 = serves }
            isThere.signal()
        }
        return isThere.wait(seconds: Self.farewell) && answer.withLock { $0 }
    }

    // MARK: Loop thread

    package func accepted(_ socket: consuming FileDescriptor, from peer: PeerAddress) {
        guard connections.count < Self.mostClients else { return }
        let client = MPDClient(
            number: nextNumber, peer: peer.limitKey.text,
            permissions: peer.isLoopback ? loopback : [])
        nextNumber += 1
        let connection = MPDConnection(
            socket: socket, loop: loop, desk: desk, client: client, now: SystemTime().now
        ) { [self] gone in
            connections[gone.number] = nil
            desk.remove(client)
            count.withLock { $0 = connections.count }
        }
        connections[client.number] = connection
        count.withLock { $0 = connections.count }
        desk.add(client)
        connection.begin()
    }

    private func start() {
        desk.wake = { [weak self] client in self?.tellSoon(client.number) }
        loop.every(Self.sweep) { [weak self] in self?.hangUpOnTheSilent() }
        loop.every(Self.glance) { [weak self] in
            if let self, !connections.isEmpty { desk.look() }
        }
    }

    /// Not at once: whoever changes something is answered first.
    private func tellSoon(_ number: Int) {
        loop.submit { [self] in connections[number]?.tellNews() }
    }

    private func hangUpOnTheSilent() {
        let now = SystemTime().now
        for connection in connections.values
        where !connection.isIdle && now.seconds(since: connection.lastHeard) > Self.patience {
            connection.leave()
        }
    }
}
