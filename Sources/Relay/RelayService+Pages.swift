internal import HTTPServer
internal import HTTPWire
internal import Platform
internal import StreamFormats

extension RelayService {
    func page(_ route: RelayRoute, _ request: HTTPRequest, _ exchange: HTTPExchange) {
        switch route {
        case .status(let alwaysArray):
            let json = statusPage(for: request.head).json(alwaysArray: alwaysArray)
            exchange.send(Self.open(json, type: "application/json; charset=UTF-8"))
        case .list(let list, let kind):
            let stations = list == .all ? source.stations() : source.favourites()
            exchange.send(playlist(kind, stations.map { ([$0.id], $0) }, request.head))
        case .streamList:
            guard isAllowed(.listMounts, request, exchange) else { return }
            let list = AdminPages(status: statusPage(for: request.head)).streamList()
            exchange.send(HTTPResponse(status: 200, type: "text/plain", body: Array(list.utf8)))
        case .admin(let page): admin(page, request, exchange)
        case .mount, .preflight, .nothing: exchange.send(.notFound)
        }
    }

    /// A page that any script may read.
    private static func open(_ text: String, type: String) -> HTTPResponse {
        HTTPResponse(status: 200, type: type, body: Array(text.utf8))
            .adding("Access-Control-Allow-Origin", "*").adding("Cache-Control", "no-cache, no-store")
    }

    /// Where this client reaches us: what it wrote itself, so that names and forwarded ports come out right.
    private func address(for head: RequestHead) -> String {
        head.authority.map { "http://\($0)" } ?? identity.address
    }

    private func statusPage(for head: RequestHead) -> StatusPage {
        let address = address(for: head)
        let host =
            HostRules.host(of: String(address.dropFirst("http://".count))).map(String.init) ?? "localhost"
        let server = StatusPage.Server(
            admin: identity.admin, host: host, location: identity.location, id: identity.server,
            address: address)
        return StatusPage(server: server, snapshot: snapshot)
    }

    // MARK: Playlists

    func playlist(
        _ kind: RelayRoute.PlaylistKind, _ stations: [(path: [String], station: Station)], _ head: RequestHead
    ) -> HTTPResponse {
        let address = address(for: head)
        let entries = stations.map { path, station in
            Playlist.Entry(
                url: "\(address)/\(path.map(PercentCoding.encode).joined(separator: "/"))",
                title: station.name)
        }
        let text =
            switch kind {
            case .m3u: PlaylistWriter.m3u(entries)
            case .pls: PlaylistWriter.pls(entries)
            case .xspf: PlaylistWriter.xspf(entries)
            }
        return Self.open(text, type: kind.mediaType)
    }

    // MARK: Icecast's administrative pages

    private func admin(_ page: RelayRoute.AdminPage, _ request: HTTPRequest, _ exchange: HTTPExchange) {
        guard isAllowed(.administer, request, exchange) else { return }
        let pages = AdminPages(status: statusPage(for: request.head))
        switch page {
        case .stats, .statsXML: exchange.send(Self.xml(pages.stats()))
        case .listmounts: exchange.send(Self.xml(pages.listMounts()))
        case .listclients, .killclient, .killsource, .metadata: onMount(page, request.head.query, exchange)
        }
    }

    private func onMount(_ page: RelayRoute.AdminPage, _ query: QueryParameters, _ exchange: HTTPExchange) {
        guard let name = query["mount"]?.drop(while: { $0 == "/" }), let mount = existingMount(String(name))
        else {
            return exchange.send(.text("Source does not exist\n", status: 400))
        }
        switch page {
        case .listclients:
            mount.listListeners { exchange.send(Self.xml(AdminPages.listClients(mount: mount.name, $0))) }
        case .killclient:
            guard let id = query["id"].flatMap({ Digits.parse($0) }) else {
                return exchange.send(.text("Missing parameter\n", status: 400))
            }
            mount.kill(listener: id) { killed in
                let message = killed ? "Client \(id) removed" : "Client \(id) not found"
                exchange.send(Self.xml(AdminPages.response(message, success: killed)))
            }
        case .killsource:
            mount.killAll()
            exchange.send(Self.xml(AdminPages.response("Source Removed", success: true)))
        case .metadata, .stats, .statsXML, .listmounts:
            exchange.send(
                Self.xml(AdminPages.response("Mountpoint will not accept URL updates", success: false)))
        }
    }

    private static func xml(_ text: String) -> HTTPResponse {
        HTTPResponse(status: 200, type: "text/xml", body: Array(text.utf8))
    }

    private func isAllowed(_ use: AdminUse, _ request: HTTPRequest, _ exchange: HTTPExchange) -> Bool {
        switch auth.verdict(on: request.head.credentials, from: request.peer, for: use) {
        case .allowed: return true
        case .unknown: exchange.send(Self.authenticationRequired)
        case .tooManyTries: exchange.send(Self.tooManyTries)
        }
        return false
    }

    /// The realm that Icecast's clients know.
    static let authenticationRequired = HTTPResponse.text("Authentication Required\n", status: 401)
        .adding("WWW-Authenticate", "Basic realm=\"Icecast2 Server\"")
    static let tooManyTries = HTTPResponse.text("Authentication Required\n", status: 429).adding(
        "Retry-After", "10")
}
