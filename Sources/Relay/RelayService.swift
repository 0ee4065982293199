internal import Feed
package import HTTPServer
package import HTTPWire
package import Platform
package import Reactor
internal import StreamFormats
internal import Synchronization

/// The relay as an application of the HTTP server: mounts, playlists and Icecast's pages.
///
/// Whoever listens leaves the server: the socket moves to an outlet of the mount, on a loop of the relay's choice. All
/// functions may be called from any thread.
package final class RelayService: HTTPApplication {
    let source: any MountSource
    let auth: any AdminAuth
    let desk: SourceDesk
    let identity: RelayIdentity
    let context: RelayContext
    let time: any TimeSource
    private let loops: [RelayLoop]
    private let mounts = Lock<[String: Mount]>([:])
    private let hlsOutputs = Lock<[String: HLSOutput]>([:])
    private let nextListener = Atomic<Int64>(1)
    private let nextHome = Atomic<Int>(0)
    let startedAt: WallTime

    /// Serves nothing until an endpoint of the server names it as its application.
    /// - Parameters:
    ///   - loops: the server's.
    ///   - desk: the mounts that source clients feed.
    package init(
        loops: LoopGroup, source: any MountSource, auth: any AdminAuth, desk: SourceDesk = SourceDesk(),
        identity: RelayIdentity = RelayIdentity(),
        settings: RelaySettings = RelaySettings(), time: any TimeSource = SystemTime()
    ) {
        self.source = source
        self.auth = auth
        self.desk = desk
        self.identity = identity
        self.time = time
        context = RelayContext(settings: settings, server: identity.server)
        self.loops = loops.loops.map { RelayLoop(loop: $0, batch: settings.batch, time: time) }
        startedAt = time.wall
    }

    var crossOrigin: CrossOrigin { context.identity.crossOrigin }

    // MARK: Requests

    package func plan(for head: RequestHead, from peer: PeerAddress) -> RequestPlan {
        head.method == "PUT" || head.method == "SOURCE" ? .stream : .collect(limit: 0)
    }

    package func respond(to request: HTTPRequest, on exchange: HTTPExchange) {
        let route = RelayRoute(request.head)
        switch (request.head.method, route) {
        case (_, .preflight): exchange.send(crossOrigin.preflight(methods: Self.methods))
        case ("GET", .mount(let path)), ("HEAD", .mount(let path)): listen(path, request, exchange)
        case ("GET", .hls(let path, let file)), ("HEAD", .hls(let path, let file)): hls(path, file, exchange)
        case ("PUT", .mount(let path)), ("SOURCE", .mount(let path)): takeSource(path, request, exchange)
        case ("GET", let route), ("HEAD", let route): page(route, request, exchange)
        default: exchange.send(Self.wrongMethod)
        }
    }

    private static let methods = "GET, HEAD, OPTIONS, PUT, SOURCE"

    private static let wrongMethod = HTTPResponse.problem(
        405, code: "method", message: "This method is not for this address."
    ).adding("Allow", methods)

    private func listen(_ path: [String], _ request: HTTPRequest, _ exchange: HTTPExchange) {
        guard let wish = pastWish(request, exchange) else { return }
        if let (_, station) = station(at: path), wish != nil || source.isLate(station) {
            return listen(late: station, wish, request, exchange)
        }
        if let mount = mount(at: path) { return join(mount, request, exchange) }
        guard let last = path.last, let (name, kind) = RelayRoute.playlist(last),
            let station = station(at: path.dropLast() + [name])
        else { return exchange.send(crossOrigin.opened(.notFound)) }
        let place = Array(path.dropLast()) + [name]
        if kind == .hls {
            return wish == nil
                ? exchange.send(hlsRedirect(place, query: request.head.rawQuery))
                : redirect(late: station.station, wish, exchange)
        }
        // A list of a mount that is late leads to that.
        let query = wish == nil ? "" : "?" + request.head.rawQuery
        exchange.send(playlist(kind, [(place, station.station)], request.head, query: query))
    }

    func join(_ mount: Mount, _ request: HTTPRequest, _ exchange: HTTPExchange) {
        let wanted = listenerRequest(request.head)
        let facts = ListenerFacts(
            id: newListenerID(), peer: request.peer,
            userAgent: HTTPWire.HeaderText.cleaned(
                request.head.headers["user-agent"] ?? "", limit: Self.agentLimit),
            bitRate: min(max(mount.facts?.bitrate ?? mount.station.bitrate ?? 128, 0), 1_000_000) * 1000)
        // Counted where the socket is: a client that has left before is never counted in.
        exchange.takeOver { [self] taken in
            let socket = taken.take().descriptor
            if let limit = admit(facts, to: mount) {
                let status = limit == .rate || limit == .address ? 429 : 503
                let text = "No place: \(limit.reason)."
                let answer = RawAnswer.refusal(status, text, to: wanted.kind, by: context.identity)
                return RawAnswer.finish(socket, with: answer)
            }
            let settings = context.settings
            SocketOptions(
                sendBuffer: settings.sendBuffer, keepAliveSeconds: 60,
                userTimeoutMilliseconds: settings.userTimeoutMilliseconds
            ).apply(to: socket)
            mount.join(socket: socket, request: wanted, facts: facts)
        }
    }

    private func admit(_ facts: ListenerFacts, to mount: Mount) -> RelayLimit? {
        let now = time.now
        return context.ledger.withLock {
            $0.admit(mount: mount.name, address: facts.peer.limitKey, bitRate: facts.bitRate, now: now)
        }
    }

    private static let agentLimit = 128

    private func listenerRequest(_ head: RequestHead) -> ListenerRequest {
        let wantsTitles = head.headers["icy-metadata"] == "1"
        let range = RangeAnswer(
            range: head.headers["range"], wantsTitles: wantsTitles, rule: context.settings.rangeRule)
        return ListenerRequest(
            kind: head.method == "HEAD" ? .head : .stream, wantsTitles: wantsTitles, range: range,
            dlna: DLNAWish(head.headers))
    }

    // MARK: Mounts

    /// A mount's station and its name, if there is such a mount.
    func station(at path: [String]) -> (name: String, station: Station)? {
        guard let last = path.last, !RelayRoute.reserved.contains(path[0]) else { return nil }
        let whole = path.joined(separator: "/")
        if let station = desk.station(named: whole), let name = desk.mount(ofStation: station.id) {
            return (name, station)
        }
        if let station = source.station(named: whole) { return (Self.mountName(of: station), station) }
        guard path.count == 2, let station = source.station(named: last), station.groups.contains(path[0])
        else { return nil }
        return (Self.mountName(of: station), station)
    }

    /// A station has one mount, whatever name it was asked for by.
    private static func mountName(of station: Station) -> String { station.sourceMount ?? station.id }

    private func feed(of station: Station) -> Feed? { desk.feed(of: station) ?? source.feed(of: station) }

    /// What a station's listeners hear while it is away, as the station says at this moment.
    private func fallback(of feed: Feed) -> Feed? {
        feed.station.fallback.flatMap { source.station(named: $0) }.flatMap { self.feed(of: $0) }
            .flatMap { $0 === feed ? nil : $0 }
    }

    /// The mount at a path, made when it is asked for first.
    func mount(at path: [String]) -> Mount? {
        guard let (name, station) = station(at: path), let feed = feed(of: station) else { return nil }
        return mount(named: name, feed) { [weak self] in self?.fallback(of: feed) }
    }

    /// The mount of this name that reads this feed.
    func mount(named name: String, _ feed: Feed, fallback: @escaping @Sendable () -> Feed?) -> Mount {
        let now = time.now
        let (mount, outdated) = mounts.withLock { mounts -> (Mount, Mount?) in
            let known = mounts[name]
            known?.isAsked(at: now)
            if let known, known.feed === feed { return (known, nil) }
            // Every moment of the past that was asked for is a mount; they go when nobody hears them any more.
            for (name, mount) in mounts where name.contains("?") && mount.isIdle(at: now) {
                mounts[name] = nil
            }
            let home = nextHome.wrappingAdd(1, ordering: .relaxed).oldValue % loops.count
            let made = Mount(
                name: name, feed: feed, fallback: fallback, home: home, loops: loops, context: context)
            made.isAsked(at: now)
            mounts[name] = made
            return (made, known)
        }
        // The station was changed: those who hear its old feed would hear nothing more.
        outdated?.killAll()
        return mount
    }

    /// A mount that somebody has asked for before, by any of its names.
    func existingMount(_ name: String) -> Mount? {
        if let mount = mounts.withLock({ $0[name] }) { return mount }
        let path = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(path.count), let (known, _) = station(at: path) else { return nil }
        return mounts.withLock { $0[known] }
    }

    /// Opens the mounts of the stations that are always on, and lets go of those that no longer are. To be called at the
    /// start and whenever stations have changed.
    package func openPermanentMounts() {
        let wanted = source.stations().filter(\.isAlwaysOn)
        var names: Set<String> = []
        for station in wanted {
            guard let mount = mount(at: [station.id]) else { continue }
            names.insert(mount.name)
            mount.pin(true)
        }
        let others = mounts.withLock { $0.values.filter { !names.contains($0.name) } }
        for mount in others { mount.pin(false) }
    }

    /// A mount's HLS, made when it is asked for first.
    func hlsOutput(_ name: String, of feed: Feed) -> HLSOutput {
        let (output, outdated) = hlsOutputs.withLock { outputs -> (HLSOutput, HLSOutput?) in
            let known = outputs[name]
            if let known, known.feed === feed { return (known, nil) }
            let home = nextHome.wrappingAdd(1, ordering: .relaxed).oldValue % loops.count
            let made = HLSOutput(
                name: name, feed: feed, loop: loops[home].loop, patience: context.settings.patience,
                time: time)
            outputs[name] = made
            return (made, known)
        }
        outdated?.close()
        return output
    }

    /// New settings, for everybody who listens already too. The ring's length and the distance between titles stay what
    /// they are for mounts that have been opened. Any thread.
    package func change(to settings: RelaySettings) {
        context.change(to: settings)
        for loop in loops { loop.loop.submit { loop.setBatch(settings.batch) } }
    }

    // MARK: For the process that takes our place

    var allMounts: [Mount] { mounts.withLock { Array($0.values) } }

    func newListenerID() -> Int64 { nextListener.wrappingAdd(1, ordering: .relaxed).oldValue }

    // MARK: For others

    /// How all mounts stand.
    package var snapshot: RelaySnapshot {
        let all = mounts.withLock { $0.values.sorted { $0.name < $1.name } }
        let (total, refused) = context.ledger.withLock { ($0.total, $0.refused) }
        return RelaySnapshot(
            mounts: all.map(snapshot), connected: total, refused: refused, startedAt: startedAt,
            now: time.wall)
    }

    private func snapshot(of mount: Mount) -> RelaySnapshot.Mount {
        let status = mount.feed.status
        return RelaySnapshot.Mount(
            name: mount.name, station: mount.station, facts: mount.facts, openedAt: mount.openedAt,
            counts: mount.counts, title: mount.feed.nowAiring?.text, upstream: status.url,
            receivedBytes: status.bytesReceived, fallback: mount.station.fallback)
    }

    /// Ends every listener and leaves every feed. The service serves no more after that.
    package func close() {
        mounts.withLock { $0 = [:] }
        desk.close()
        let outputs = hlsOutputs.withLock { Array($0.values) }
        for output in outputs { output.close() }
        for loop in loops { loop.loop.submit { loop.close() } }
    }
}

/// What the relay calls itself.
package struct RelayIdentity: Sendable, Hashable {
    /// The `Server` header: `aircheck/1.0`.
    package var server: String
    package var admin: String
    package var location: String
    /// Where listeners reach it when their request does not say: `http://radio.local:2472`.
    package var address: String
    /// The mount that Shoutcast v1 sources feed.
    package var shoutcastMount: String

    package init(
        server: String = "aircheck", admin: String = "", location: String = "",
        address: String = "http://localhost:2472", shoutcastMount: String = "stream"
    ) {
        self.server = server
        self.admin = admin
        self.location = location
        self.address = address
        self.shoutcastMount = shoutcastMount
    }
}
