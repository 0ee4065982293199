internal import ControlAPI
internal import HTTPServer
internal import HTTPWire
internal import HomeNetwork
internal import Platform
internal import Reactor
internal import Relay
internal import WebUI

/// Opens the service's ports and its socket, each with the roles that it has.
struct Endpoints {
    let plan: ServicePlan
    let rooms: Rooms
    let server: HTTPServer
    let relay: RelayService
    let home: HomePages
    let companions: Companions
    let loops: LoopGroup

    private var proxies: TrustedProxies { TrustedProxies(plan.configuration.server.trustedProxies) }

    func open() throws {
        try checkExposure()
        let router = router()
        let settings = plan.configuration.server
        let hosts = HostRules(names: settings.names, machineName: Program.hostName)
        let isOne = settings.bind == settings.listenBind && settings.port == settings.listenPort
        // One socket for all addresses takes loopback's connections too, so it carries both roles then.
        let coversControl =
            ["0.0.0.0", "::"].contains(settings.listenBind) && settings.port == settings.listenPort
        let listenDoor = door(
            router, control: isOne ? .everybody : coversControl ? .loopback : .nobody,
            isOpen: { [guests = rooms.guests] in guests.value })
        let listen = try bind(settings.listenBind, settings.listenPort, listenDoor, hosts)
        var control = listen
        if !isOne && !coversControl {
            control = try bind(
                settings.bind, settings.port,
                door(router, control: .everybody, isOpen: { false }, listens: false), hosts)
        }
        rooms.addresses.withLock { $0 = ServiceAddresses(control: control, listen: listen) }
        try openSocket(door(router, control: .everybody, isOpen: { true }), hosts)
        try openShoutcast()
        try openReceiverMenu(
            door(router, control: .nobody, isOpen: { [guests = rooms.guests] in guests.value }))
    }

    /// Old receivers ask a directory that is no longer free, on a port that cannot be chosen, by a name that their owner
    /// leads here.
    private func openReceiverMenu(_ door: FrontDoor) throws(ServiceFailure) {
        let (host, port) = (plan.configuration.server.listenBind, plan.configuration.home.receiverPort)
        guard port > 0 else { return }
        let hosts = HostRules(
            names: plan.configuration.server.names, machineName: Program.hostName, domains: ["vtuner.com"])
        do {
            try server.listen(
                on: .tcp(host: host, port: UInt16(clamping: port)), application: door, hosts: hosts,
                proxies: proxies)
        } catch {
            throw ServiceFailure(
                .unavailable, "cannot listen on \(host) port \(port): \(error.reason)",
                remedy:
                    "home.receiver_port must be free; port 80 needs the right to it (docs/home-network.md has the lines for systemd)."
            )
        }
    }

    /// Sources that are older than HTTP's `PUT`; whoever reaches the mounts reaches this.
    private func openShoutcast() throws(ServiceFailure) {
        let (host, port) = (plan.configuration.server.listenBind, plan.configuration.relay.shoutcastPort)
        guard port > 0 else { return }
        let loop = loops.next()
        do {
            _ = try Listener(
                .tcp(host: host, port: UInt16(clamping: port)), on: loop,
                handler: ShoutcastDoor(relay: relay, loop: loop))
        } catch {
            throw ServiceFailure(
                .unavailable, "cannot listen on \(host) port \(port): \(error.reason)",
                remedy: "Choose another relay.shoutcast_port, or 0 for none.")
        }
    }

    private func router() -> Router {
        let control = ControlApplication(callers: rooms.callers, events: rooms.events) { [rooms] in
            StatusJSON.object(rooms)
        }
        let routes =
            ServiceRoutes(rooms: rooms).all + StationRoutes(rooms: rooms).all
            + StationSettingsRoutes(rooms: rooms).all + PlayerRoutes(rooms: rooms).all
            + RecordingRoutes(rooms: rooms).all + RecordingWorkRoutes(rooms: rooms).all
            + KeepRoutes(rooms: rooms).all + ScheduleRoutes(rooms: rooms).all
            + AirplayRoutes(rooms: rooms, dial: companions.dial).all
            + WatchRoutes(rooms: rooms, scout: companions.scout, watchman: companions.watchman).all
            + DialRoutes(rooms: rooms, dial: companions.dial).all + DirectoryRoutes(rooms: rooms).all
            + TokenRoutes(tokens: rooms.tokens).all + SessionRoutes(rooms: rooms).all
            + SharingRoutes(rooms: rooms).all + ListeningRoutes(rooms: rooms).all
            + HouseholdRoutes(rooms: rooms).all
            + FeedRoutes(rooms: rooms).all
            + ArtworkRoutes(rooms: rooms).all
        let settings = plan.configuration.server
        let isOne = settings.port == settings.listenPort
        let pages = WebPages(files: rooms.web, listenPort: isOne ? nil : settings.listenPort)
        return control.router(
            routes.map(durable) + [ServiceRoutes.description(of: routes)]
                + DirectoryRoutes(rooms: rooms).foreign,
            pages: pages.routes)
    }

    /// Whoever is told that something has been done finds it done after a power cut too. What keeps nothing, as seeking,
    /// does not wait for the disk.
    private func durable(_ route: APIRoute) -> APIRoute {
        guard route.method != "GET" else { return route }
        var durable = route
        durable.answer = { [database = rooms.database] call in
            try database.settled { try route.answer(call) }
        }
        return durable
    }

    private func door(
        _ router: Router, control: FrontDoor.Control, isOpen: @escaping @Sendable () -> Bool,
        listens: Bool = true
    ) -> FrontDoor {
        FrontDoor(
            control: router, relay: relay, home: home, callers: rooms.callers, opensControlTo: control,
            isOpen: isOpen,
            listens: listens)
    }

    /// Refuses to be reached by others without anything that keeps them out.
    private func checkExposure() throws(ServiceFailure) {
        let settings = plan.configuration.server
        let hasToken = !rooms.tokens.entries.isEmpty
        if !PeerAddress.isLoopback(text: settings.bind), !hasToken {
            throw ServiceFailure(
                .configuration,
                "server.bind = \"\(settings.bind)\" opens the API to others, and there is no token",
                remedy:
                    "Make one first: aircheck token create me --role admin. Or leave server.bind on 127.0.0.1."
            )
        }
        let home = plan.configuration.home
        if !PeerAddress.isLoopback(text: settings.listenBind), !settings.listenOpen,
            home.mediaServer || home.receiverPort > 0
        {
            throw ServiceFailure(
                .configuration,
                "home.media_server and home.receiver_port are for devices that cannot send a token",
                remedy: "Set server.listen_open = true, which lets everybody on your network listen.")
        }
        if !PeerAddress.isLoopback(text: settings.listenBind), !settings.listenOpen, !hasToken {
            throw ServiceFailure(
                .configuration,
                "server.listen_bind = \"\(settings.listenBind)\" opens the mounts to others, and there is no token",
                remedy: "Set server.listen_open = true (or --open) to let everybody listen, or make a token.")
        }
    }

    private func bind(
        _ host: String, _ port: Int, _ application: FrontDoor, _ hosts: HostRules
    ) throws(ServiceFailure) -> String {
        do {
            let endpoint = try server.listen(
                on: .tcp(host: host, port: UInt16(clamping: port)), application: application, hosts: hosts,
                proxies: proxies)
            let shown = ["0.0.0.0", "::"].contains(host) ? "127.0.0.1" : host
            return "http://\(shown.contains(":") ? "[\(shown)]" : shown):\(endpoint.port ?? 0)"
        } catch {
            throw ServiceFailure(
                .unavailable, "cannot listen on \(host) port \(port): \(error.reason)",
                remedy:
                    "`aircheck status` shows whether a service runs already; else choose another port with --listen."
            )
        }
    }

    private func openSocket(_ application: FrontDoor, _ hosts: HostRules) throws(ServiceFailure) {
        let path = plan.folders.controlSocket
        do {
            try server.listen(on: .unix(path: path), application: application, hosts: hosts)
        } catch {
            throw ServiceFailure(
                .unavailable, "cannot make the control socket \(path): \(error.reason)",
                remedy: "Set server.socket to a path in a folder of this user.")
        }
    }
}
