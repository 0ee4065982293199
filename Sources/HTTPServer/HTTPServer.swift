package import HTTPWire
package import Platform
package import Reactor

/// An HTTP/1.x server on a group of loops: requests, event streams, files, and sockets to give away.
package final class HTTPServer: Sendable {
    private let core: ServerCore
    private let shards: [ServerShard]
    private let turn = Lock(0)
    private let listeners = Lock<[Listener]>([])

    /// Serves nothing until `listen`. For the whole process it ignores SIGPIPE and raises the limit on open descriptors.
    package init(loops: LoopGroup, limits: ServerLimits = ServerLimits(), time: any TimeSource = SystemTime())
    {
        SocketOptions.ignoreBrokenPipes()
        DescriptorLimit.raise()
        let core = ServerCore(limits: limits, time: time)
        self.core = core
        shards = loops.loops.enumerated().map { ServerShard(index: $0, loop: $1, core: core) }
        core.evict { [weak self] in self?.close(id: $0) }
    }

    /// Begins to accept on an endpoint.
    /// - Parameters:
    ///   - hosts: which Host headers are answered; unix sockets ignore it.
    ///   - proxies: whose word on where a request comes from is taken.
    /// - Returns: where it listens, with the port that the kernel chose.
    /// - Throws: `SystemError` when the address cannot be had.
    @discardableResult
    package func listen(
        on endpoint: Endpoint, application: any HTTPApplication, hosts: HostRules = HostRules(),
        proxies: TrustedProxies = TrustedProxies()
    ) throws(SystemError) -> Endpoint {
        let isLocalSocket = if case .unix = endpoint { true } else { false }
        let site = Site(
            application: application, hosts: hosts, isLocalSocket: isLocalSocket, proxies: proxies)
        let listener = try Listener(
            endpoint, on: shards[0].loop, handler: Door(site: site, server: self), options: socketOptions)
        listeners.withLock { $0.append(listener) }
        return listener.endpoint
    }

    /// A client that vanished without a word is found out within a minute, or in 20 s when it owes us an acknowledgement.
    private var socketOptions: SocketOptions {
        SocketOptions(
            sendBuffer: core.limits.sendBuffer, keepAliveSeconds: 30, userTimeoutMilliseconds: 20_000)
    }

    /// What it has done so far. Any thread.
    package var counts: ServerCounts {
        var counts = core.snapshot
        counts.exhaustions = listeners.withLock { $0.reduce(0) { $0 + $1.exhaustionCount } }
        return counts
    }

    /// Looks at all deadlines now, as it does by itself once a second. For tests that turn the clock.
    package func checkDeadlines() { for shard in shards { shard.loop.submit { shard.checkDeadlines() } } }

    /// Accepts no more, ends the event streams, closes idle connections and lets answers finish, for at most so many seconds;
    /// then closes what is left. Returns when nothing is open. Sockets that were handed over are not touched.
    package func stop(within seconds: Double = 5) async {
        await withCheckedContinuation { continuation in stop(within: seconds) { continuation.resume() } }
    }

    /// The same for those who cannot wait: returns at once and calls `done` on a loop's thread when nothing is open.
    package func stop(within seconds: Double, then done: @escaping @Sendable () -> Void) {
        let departures = Departures(count: shards.count, allLeft: done)
        // On the loop that accepts: no loop drains before the last connection has been handed to it.
        shards[0].loop.run { [self] in
            for listener in listeners.withLock({ $0 }) { listener.close() }
            for shard in shards {
                shard.loop.submit { shard.drain(within: seconds) { departures.oneLeft() } }
            }
        }
    }

    // MARK: For the door and the shards

    /// Gives a new connection to the next loop.
    fileprivate func adopt(_ socket: consuming FileDescriptor, from peer: PeerAddress, site: Site) {
        let shard = nextShard()
        if shard.loop.isCurrent {
            shard.adopt(socket, from: peer, site: site)
        } else {
            let number = socket.release()
            shard.loop.submit { shard.adopt(FileDescriptor(owning: number), from: peer, site: site) }
        }
    }

    private func nextShard() -> ServerShard {
        guard shards.count > 1 else { return shards[0] }
        return turn.withLock { turn in
            turn = (turn + 1) % shards.count
            return shards[turn]
        }
    }

    /// Never at once: whoever asks is in the middle of another connection's work.
    private func close(id: UInt64) {
        let shard = shards[ServerShard.index(ofConnection: id)]
        shard.loop.submit { shard.connections[id]?.makeRoom() }
    }
}

/// Brings what a listener accepted to its server.
private final class Door: AcceptHandler {
    private let site: Site
    private let server: HTTPServer

    init(site: Site, server: HTTPServer) {
        self.site = site
        self.server = server
    }

    func accepted(_ socket: consuming FileDescriptor, from peer: PeerAddress) {
        server.adopt(socket, from: peer, site: site)
    }
}

/// Calls once when the last of several has left.
private final class Departures: Sendable {
    private let left: Lock<Int>
    private let allLeft: @Sendable () -> Void

    init(count: Int, allLeft: @escaping @Sendable () -> Void) {
        left = Lock(count)
        self.allLeft = allLeft
    }

    func oneLeft() {
        let isLast = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isLast { allLeft() }
    }
}
