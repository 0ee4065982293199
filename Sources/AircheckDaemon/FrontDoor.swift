internal import ControlAPI
internal import HTTPServer
internal import HTTPWire
internal import HomeNetwork
internal import Reactor
internal import Relay
internal import WebUI

/// Sends a request to the role that it is for, as far as the endpoint it came through has that role.
///
/// `control` must not ride along where `listen` is opened: on an endpoint that others reach, the API is not there at all
/// unless the settings put it there.
final class FrontDoor: HTTPApplication {
    /// Who reaches the API through an endpoint.
    enum Control: Sendable { case everybody, loopback, nobody }

    private let control: Router
    private let relay: RelayService
    private let home: HomePages
    private let callers: CallerCheck
    private let opensControlTo: Control
    /// Listening needs no token.
    private let isOpen: @Sendable () -> Bool
    private let listens: Bool

    init(
        control: Router, relay: RelayService, home: HomePages, callers: CallerCheck, opensControlTo: Control,
        isOpen: @escaping @Sendable () -> Bool,
        listens: Bool = true
    ) {
        self.control = control
        self.relay = relay
        self.home = home
        self.callers = callers
        self.opensControlTo = opensControlTo
        self.isOpen = isOpen
        self.listens = listens
    }

    func plan(for head: RequestHead, from peer: PeerAddress) -> RequestPlan {
        if isForControl(head) {
            if reachesControl(head, peer) { return control.plan(for: head, from: peer) }
            // The page's files are no secret: whoever may listen gets the page, which then is one for guests.
            guard listens, head.segments.first == WebPages.segment else { return .refuse(.notFound) }
            if let refusal = refusal(head, peer) { return .refuse(refusal) }
            return control.plan(for: head, from: peer)
        }
        guard listens || head.segments.isEmpty else { return .refuse(.notFound) }
        if let refusal = refusal(head, peer) { return .refuse(refusal) }
        if isForHome(head) { return home.plan(for: head, from: peer) }
        return head.segments.isEmpty ? .collect(limit: 0) : relay.plan(for: head, from: peer)
    }

    func respond(to request: HTTPRequest, on exchange: HTTPExchange) {
        if isForControl(request.head) { return control.respond(to: request, on: exchange) }
        if request.head.segments.isEmpty { return exchange.send(root(request)) }
        if isForHome(request.head) { return home.respond(to: request, on: exchange) }
        relay.respond(to: request, on: exchange)
    }

    /// A browser is led to the page, everything else is told what there is.
    private func root(_ request: HTTPRequest) -> HTTPResponse {
        let isBrowser = request.head.headers.tokens("accept").contains { $0.hasPrefix("text/html") }
        guard isBrowser, listens || reachesControl(request.head, request.peer) else {
            return .text(Self.welcome)
        }
        return HTTPResponse(status: 302).adding("Location", "/\(WebPages.segment)/")
    }

    private func isForControl(_ head: RequestHead) -> Bool {
        head.segments.first.map(ControlApplication.firstSegments.contains) ?? false
    }

    private func isForHome(_ head: RequestHead) -> Bool {
        head.segments.first.map(HomePages.firstSegments.contains) ?? false
    }

    private func reachesControl(_ head: RequestHead, _ peer: PeerAddress) -> Bool {
        switch opensControlTo {
        case .everybody: true
        case .loopback: CallerCheck.isLocal(head, from: peer) || peer.credentials != nil
        case .nobody: false
        }
    }

    /// Icecast's own pages ask for credentials themselves. Who comes through a proxy is not of this machine.
    private func refusal(_ head: RequestHead, _ peer: PeerAddress) -> HTTPResponse? {
        let needsNone = head.segments.first == "admin" || head.method == "OPTIONS"
        if isOpen() || needsNone || CallerCheck.isLocal(head, from: peer) { return nil }
        guard let refusal = callers.refusal(of: head, from: peer, needing: .listener) else { return nil }
        // Players know Basic alone: any user name, the token as password.
        return refusal.status == 401
            ? refusal.adding("WWW-Authenticate", "Basic realm=\"aircheck\"") : refusal
    }

    private static let welcome = """
        aircheck: live radio, pulled once.

        /player/                  the page, in a browser
        /STATION                  listen
        /STATION.mp3              listen in MP3, whatever the station sends
        /STATION.m3u .pls .xspf   the same as a playlist
        /all.m3u                  every station
        /favourites.m3u           favourites
        /iptv/radio.m3u           all for Kodi, with /iptv/guide.xml
        /status-json.xsl          what is on
        /api/v1/openapi.json      the API

        """
}
