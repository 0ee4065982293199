internal import HTTPServer
internal import HTTPWire
internal import Platform
internal import Reactor
internal import StreamFormats

extension RelayService {
    /// What a source's request for a mount came to.
    enum SourceAnswer {
        case begin(SourceSession)
        case inUse
        case full
    }

    /// A source client with `PUT` or `SOURCE`.
    func takeSource(_ path: [String], _ request: HTTPRequest, _ exchange: HTTPExchange) {
        let head = request.head
        let mount = path.joined(separator: "/")
        // Also an empty body: libshout asks so first, and comes back with credentials when it is told to.
        guard isAllowed(.feed(mount: mount), request, exchange) else { return }
        guard !RelayRoute.reserved.contains(path[0]), isFree(mount) else {
            return exchange.send(Self.mountInUse)
        }
        let opening = SourceSession.Opening(
            mount: mount, hello: SourceHello(head.headers), framing: head.framing,
            credentials: head.credentials,
            farewell: head.expectsContinue ? Self.farewell : [])
        switch admit(opening, loop: exchange.loop) {
        case .inUse: exchange.send(Self.mountInUse)
        case .full: exchange.send(Self.tooManySources)
        case .begin(let session): begin(session, head, exchange)
        }
    }

    /// No station that is pulled has this mount.
    private func isFree(_ mount: String) -> Bool {
        source.station(named: mount).map { $0.sourceMount == mount } ?? true
    }

    private func begin(_ session: SourceSession, _ head: RequestHead, _ exchange: HTTPExchange) {
        // As RFC 9110 wants it, who asked whether to go on is told so now and gets its 200 at the end; all others get the
        // 200 before their body, which Icecast's clients wait for.
        exchange.sendContinue()
        let welcome = head.expectsContinue ? [] : Self.welcome
        exchange.takeOver { taken in
            let (socket, leftover) = taken.take()
            SocketOptions(keepAliveSeconds: 60).apply(to: socket)
            if !welcome.isEmpty { RawAnswer.send(welcome, to: socket) }
            session.begin(socket: socket, leftover: leftover)
        }
    }

    /// Gives a source its mount, if it may have it.
    func admit(_ opening: SourceSession.Opening, loop: EventLoop) -> SourceAnswer {
        switch desk.admit(mount: opening.mount, hello: opening.hello, credentials: opening.credentials) {
        case .inUse: return .inUse
        case .full: return .full
        case .begin(let feed):
            let session = SourceSession(opening, feed: feed, desk: desk, loop: loop, time: time)
            desk.hold(mount: opening.mount, by: session)
            return .begin(session)
        }
    }

    private static let welcome = ResponseHead(version: .http10, status: 200).bytes
    private static let farewell: [UInt8] = {
        var head = ResponseHead(status: 200)
        head.add("Content-Length", 0)
        head.add("Connection", "close")
        return head.bytes
    }()
    private static let mountInUse = HTTPResponse.text("Mountpoint in use\n", status: 403)
    private static let tooManySources = HTTPResponse.text("too many sources connected\n", status: 403)

    // MARK: Titles

    /// `/admin/metadata` and Shoutcast's `/admin.cgi`: a title for a mount that a source feeds.
    func updateTitle(_ mount: String, _ query: QueryParameters, _ exchange: HTTPExchange) {
        guard let mode = query["mode"] else {
            return exchange.send(.text("Missing parameter\n", status: 400))
        }
        guard let feed = desk.feed(ofMount: mount) else {
            return existingMount(mount) == nil
                ? exchange.send(.text("Source does not exist\n", status: 400))
                : exchange.send(Self.answer("Mountpoint will not accept URL updates", success: false))
        }
        guard mode == "updinfo", let title = Self.title(query) else {
            return exchange.send(Self.answer("Don't know how to update metadata so", success: false))
        }
        feed.publish(title: title, reading: SourceIntake.read(title, for: feed.station))
        exchange.send(Self.answer("Metadata update successful", success: true))
    }

    private static func title(_ query: QueryParameters) -> RawTitle? {
        let song = query.bytes("song") ?? query.bytes("title")
        guard let song else { return nil }
        let artist = query.bytes("song") == nil ? query.bytes("artist") : nil
        let encoding: RawTitle.Encoding =
            switch query["charset"].map(ASCIIText.lowercased) {
            case "utf-8", "utf8": .utf8
            case "iso-8859-1", "latin1", "iso8859-1": .latin1
            default: .unknown
            }
        return RawTitle(
            source: .source, encoding: encoding, text: song, artist: artist, url: query.bytes("url"))
    }
}
