internal import HTTPServer
internal import HTTPWire
internal import Platform
internal import Reactor
internal import StreamFormats

extension RelayService {
    func page(_ route: RelayRoute, _ request: HTTPRequest, _ exchange: HTTPExchange) {
        switch route {
        case .status(let mount, let alwaysArray):
            let json = statusPage(for: request.head).json(mount: mount, alwaysArray: alwaysArray)
            exchange.send(open(json, type: "application/json; charset=UTF-8"))
        case .list(let list, let kind):
            let stations = list == .all ? source.stations() : source.favourites()
            exchange.send(playlist(kind, stations.map { ([$0.id], $0) }, request.head))
        case .streamList:
            guard isAllowed(.listMounts, request, exchange) else { return }
            exchange.send(HTTPResponse(status: 200, type: "text/plain", body: Array(streamList.utf8)))
        case .admin(let page): admin(page, request, exchange)
        case .shoutcastTitle: shoutcastTitle(request, exchange)
        case .hls, .mount, .preflight, .nothing: exchange.send(.notFound)
        }
    }

    /// One mount a line, as a slave polls it: every station, since each is connected when somebody asks for it.
    private var streamList: String {
        let listed = source.stations()
        let known = Set(listed.map(\.id))
        let fed = desk.stations().filter { !known.contains($0.id) }
        return (listed + fed).map { "/\($0.sourceMount ?? $0.id)\r\n" }.joined()
    }

    /// A page that any script may read.
    private func open(_ text: String, type: String) -> HTTPResponse {
        crossOrigin.opened(HTTPResponse(status: 200, type: type, body: Array(text.utf8)))
            .adding("Cache-Control", "no-cache, no-store")
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
        _ kind: RelayRoute.PlaylistKind, _ stations: [(path: [String], station: Station)],
        _ head: RequestHead,
        query: String = ""
    ) -> HTTPResponse {
        let address = address(for: head)
        let entries = stations.map { path, station in
            Playlist.Entry(
                url: "\(address)/\(path.map(PercentCoding.encode).joined(separator: "/"))\(query)",
                title: station.name)
        }
        let text =
            switch kind {
            case .m3u, .hls: PlaylistWriter.m3u(entries)
            case .pls: PlaylistWriter.pls(entries)
            case .xspf: PlaylistWriter.xspf(entries)
            }
        return open(text, type: kind.mediaType)
    }

    // MARK: Icecast's administrative pages

    private func admin(_ page: RelayRoute.AdminPage, _ request: HTTPRequest, _ exchange: HTTPExchange) {
        guard !page.changesSomething || isOfNoOtherPage(request, exchange) else { return }
        let query = request.head.query
        let mount = query["mount"].map { String($0.drop { $0 == "/" }) } ?? ""
        // A source may say titles for its own mount; all else is the administrator's.
        guard isAllowed(page == .metadata ? .feed(mount: mount) : .administer, request, exchange) else {
            return
        }
        let pages = AdminPages(status: statusPage(for: request.head))
        switch page {
        case .stats, .statsXML: exchange.send(Self.xml(pages.stats()))
        case .listmounts: exchange.send(Self.xml(pages.listMounts()))
        case .metadata: updateTitle(mount, query, exchange)
        case .listclients: listClients(mount, exchange)
        case .killclient: killClient(mount, query, exchange)
        case .killsource: killSource(mount, exchange)
        case .moveclients: moveClients(mount, query, exchange)
        case .buildm3u: buildM3U(mount, request.head, exchange)
        }
    }

    private func shoutcastTitle(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        guard isOfNoOtherPage(request, exchange) else { return }
        let query = request.head.query
        let mount = query["mount"].map { String($0.drop { $0 == "/" }) } ?? identity.shoutcastMount
        let credentials =
            query["pass"].map { Credentials.basic(user: "source", password: $0) } ?? request.head.credentials
        guard isAllowed(.feed(mount: mount), credentials, request.peer, exchange) else { return }
        updateTitle(mount, query, exchange)
    }

    private func listClients(_ name: String, _ exchange: HTTPExchange) {
        guard let mount = existingMount(name) else { return exchange.send(Self.noSuchMount) }
        mount.listListeners { exchange.send(Self.xml(AdminPages.listClients(mount: name, $0))) }
    }

    private func killClient(_ name: String, _ query: QueryParameters, _ exchange: HTTPExchange) {
        guard let mount = existingMount(name) else { return exchange.send(Self.noSuchMount) }
        guard let id = query["id"].flatMap({ Digits.parse($0) }) else {
            return exchange.send(.text("Missing parameter\n", status: 400))
        }
        mount.kill(listener: id) { killed in
            exchange.send(
                Self.answer(killed ? "Client \(id) removed" : "Client \(id) not found", success: killed))
        }
    }

    /// Everybody who listens to one mount hears another from the end of a frame on.
    private func moveClients(_ name: String, _ query: QueryParameters, _ exchange: HTTPExchange) {
        let target = query["destination"].map { String($0.drop { $0 == "/" }) } ?? ""
        let path = target.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let mount = existingMount(name), (1...2).contains(path.count), let other = self.mount(at: path),
            other !== mount
        else { return exchange.send(Self.noSuchMount) }
        let type = mount.facts?.mediaType
        guard let type, other.facts.map({ $0.mediaType == type }) ?? true else {
            return exchange.send(Self.answer("The mounts are of different types", success: false))
        }
        mount.takeAll { [self] listeners in
            adopt(listeners.map { $0.moved(to: other.name) })
            exchange.send(Self.answer("Clients moved from /\(mount.name) to /\(other.name)", success: true))
        }
    }

    /// An address with credentials in it, for players that cannot ask for them.
    private func buildM3U(_ name: String, _ head: RequestHead, _ exchange: HTTPExchange) {
        guard let user = head.query["username"], let password = head.query["password"], !name.isEmpty else {
            return exchange.send(.text("Missing parameter\n", status: 400))
        }
        let authority = address(for: head).dropFirst("http://".count)
        let path = name.split(separator: "/").map(PercentCoding.encode).joined(separator: "/")
        let login = "\(PercentCoding.encode(user)):\(PercentCoding.encode(password))"
        exchange.send(
            HTTPResponse(
                status: 200, type: "audio/x-mpegurl",
                body: Array("http://\(login)@\(authority)/\(path)\r\n".utf8)))
    }

    /// Ends a source client, or lets everybody go who listens to a station.
    private func killSource(_ name: String, _ exchange: HTTPExchange) {
        let mount = existingMount(name)
        guard desk.kill(mount: name) || mount != nil else { return exchange.send(Self.noSuchMount) }
        mount?.killAll()
        exchange.send(Self.answer("Source Removed", success: true))
    }

    private static let noSuchMount = HTTPResponse.text("Source does not exist\n", status: 400)

    static func answer(_ message: String, success: Bool) -> HTTPResponse {
        xml(AdminPages.response(message, success: success))
    }

    private static func xml(_ text: String) -> HTTPResponse {
        HTTPResponse(status: 200, type: "text/xml", body: Array(text.utf8))
    }

    /// Browsers send remembered credentials with whatever a page asks of them, and Icecast's clients change things by GET.
    private func isOfNoOtherPage(_ request: HTTPRequest, _ exchange: HTTPExchange) -> Bool {
        guard OriginCheck.mayComeFromAnotherPage(request.head) else { return true }
        exchange.send(Self.ofAnotherPage)
        return false
    }

    private static let ofAnotherPage = HTTPResponse.problem(
        403, code: "foreign_origin", message: "This changes something, and may come from a page elsewhere.",
        remedy: "Use a program such as curl, or the page of aircheck.")

    func isAllowed(_ use: AdminUse, _ request: HTTPRequest, _ exchange: HTTPExchange) -> Bool {
        isAllowed(use, request.head.credentials, request.peer, exchange)
    }

    /// Whether somebody may do something; if not, that has been answered.
    private func isAllowed(
        _ use: AdminUse, _ credentials: Credentials?, _ peer: PeerAddress, _ exchange: HTTPExchange
    ) -> Bool {
        switch auth.verdict(on: credentials, from: peer, for: use) {
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
