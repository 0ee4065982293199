internal import Glibc
package import HTTPServer
package import HTTPWire
package import Platform
package import Reactor

/// What devices in the house ask for over HTTP: the media server, the lists for Kodi, the menu of old receivers.
///
/// Whether a caller may is decided before; here is nothing but what listeners may see. Answers are made on one thread of
/// its own, because the catalogue and the library may be on disk.
package final class HomePages: HTTPApplication {
    package struct Settings: Sendable, Hashable {
        package var isMediaServer: Bool
        package var isReceiverMenu: Bool
        /// Shown in lists of media servers.
        package var name: String
        package var uuid: String
        package var version: String
        /// Some players show tracks alone.
        package var broadcastsAsTracks: Bool
        /// Where the mounts are, for requests that came to another port: devices are sent there.
        package var mountPort: UInt16

        package init(
            isMediaServer: Bool, isReceiverMenu: Bool, name: String, uuid: String, version: String,
            broadcastsAsTracks: Bool, mountPort: UInt16
        ) {
            self.isMediaServer = isMediaServer
            self.isReceiverMenu = isReceiverMenu
            self.name = name
            self.uuid = uuid
            self.version = version
            self.broadcastsAsTracks = broadcastsAsTracks
            self.mountPort = mountPort
        }
    }

    /// First segments of the paths here.
    package static let firstSegments: Set<String> = ["dlna", "iptv", "setupapp"]

    private let settings: Settings
    private let contents: any HomeContents
    private let loop: EventLoop
    private let time: any TimeSource
    private let subscriptions: Subscriptions

    /// Recordings that are listed; older ones are found on the page of the service.
    private static let recordingLimit = 1000
    /// Bytes of a control point's question.
    private static let questionLimit = 64 << 10
    /// How far the guide goes back and ahead, in days.
    private static let guideDays = (back: 7.0, ahead: 7.0)

    /// - Parameter loop: does the work; it must outlive this.
    package init(
        settings: Settings, contents: any HomeContents, loop: EventLoop, time: any TimeSource = SystemTime()
    ) {
        self.settings = settings
        self.contents = contents
        self.loop = loop
        self.time = time
        subscriptions = Subscriptions(time: time)
    }

    package func plan(for head: RequestHead, from peer: PeerAddress) -> RequestPlan {
        // Control points send XML, and change nothing.
        .collectAny(limit: Self.questionLimit)
    }

    package func respond(to request: HTTPRequest, on exchange: HTTPExchange) {
        loop.submit { [self] in answer(request, exchange) }
    }

    private func answer(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        let segments = request.head.segments
        switch segments.first {
        case "iptv" where segments.count == 3 && segments[1] == "recording":
            sendRecording(segments[2], request, exchange)
        case "iptv": exchange.send(lists(request))
        case "setupapp" where settings.isReceiverMenu: exchange.send(receiverMenu(request))
        case "dlna" where settings.isMediaServer || DeviceIcon.all.contains { $0.name == segments.last }:
            exchange.send(mediaServer(request))
        default: exchange.send(.notFound)
        }
    }

    /// Where this caller reaches the mounts. What it calls us by may be a name that only it believes in, or another port.
    private func address(for request: HTTPRequest, mustBeNumeric: Bool) -> HomeAddress {
        let authority = request.head.authority
        let host = authority.flatMap { HostRules.host(of: $0) }.map(String.init)
        let isFit = host.map { !mustBeNumeric || HostRules.isNumericAddress($0) } ?? false
        if let authority, isFit, !mustBeNumeric { return HomeAddress(base: "http://\(authority)") }
        let facing = NetworkInterface.facing(request.peer.text) ?? "127.0.0.1"
        return HomeAddress(base: "http://\(isFit ? host ?? facing : facing):\(settings.mountPort)")
    }

    private func tree() -> ContentTree {
        ContentTree(
            stations: contents.stations(), favourites: contents.favourites(),
            recordings: contents.recordings(limit: Self.recordingLimit))
    }

    // MARK: Lists for Kodi

    private func lists(_ request: HTTPRequest) -> HTTPResponse {
        guard ["GET", "HEAD"].contains(request.head.method) else { return Self.wrongMethod }
        let base = address(for: request, mustBeNumeric: false).base
        switch request.head.segments.dropFirst().first {
        case "radio.m3u", "radio.m3u8":
            let text = KodiPlaylist.text(contents.stations(), base: base, recordedDays: recordedDays())
            return Self.text(text, type: "audio/x-mpegurl")
        case "guide.xml":
            let (now, day) = (time.wall, 86_400.0)
            let programmes = contents.programmes(
                from: now.advanced(bySeconds: -Self.guideDays.back * day),
                to: now.advanced(bySeconds: Self.guideDays.ahead * day))
            return Self.text(
                XMLTVGuide.text(contents.stations(), programmes, base: base),
                type: "application/xml; charset=utf-8")
        default: return .notFound
        }
    }

    private func recordedDays() -> [String: Int] {
        var days: [String: Int] = [:]
        let now = time.wall.secondsSince1970
        for recording in contents.recordings(limit: Self.recordingLimit) {
            let age = Int(bounded: (now - recording.started.secondsSince1970) / 86_400) + 1
            days[recording.station] = max(days[recording.station] ?? 1, age)
        }
        return days
    }

    // MARK: Old receivers

    private func receiverMenu(_ request: HTTPRequest) -> HTTPResponse {
        let menu = VTunerMenu(tree: tree(), address: address(for: request, mustBeNumeric: true))
        let path = Array(request.head.segments.dropFirst())
        guard let text = menu.answer(to: path, request.head.query) else { return .notFound }
        return HTTPResponse(status: 200, type: "text/xml; charset=utf-8", body: Array(text.utf8))
    }

    // MARK: The media server

    private func mediaServer(_ request: HTTPRequest) -> HTTPResponse {
        let segments = request.head.segments.dropFirst().map { $0 }
        switch (request.head.method, segments.count) {
        case ("GET", 1), ("HEAD", 1): return description(segments[0], request)
        case ("POST", 2) where segments[0] == "control": return control(segments[1], request)
        case ("SUBSCRIBE", 2) where segments[0] == "events": return subscribe(segments[1], request)
        case ("UNSUBSCRIBE", 2) where segments[0] == "events":
            return HTTPResponse(status: subscriptions.remove(request.head.headers["sid"] ?? "") ? 200 : 412)
        default: return .notFound
        }
    }

    private func description(_ name: String, _ request: HTTPRequest) -> HTTPResponse {
        switch name {
        case "device.xml":
            let device = DeviceDescription(
                uuid: settings.uuid, name: settings.name, version: settings.version,
                address: address(for: request, mustBeNumeric: true))
            return Self.xml(device.text)
        case "ContentDirectory.xml": return Self.xml(ServiceDescription.contentDirectory)
        case "ConnectionManager.xml": return Self.xml(ServiceDescription.connectionManager)
        default:
            guard let icon = DeviceIcon.all.first(where: { $0.name == name }) else { return .notFound }
            return HTTPResponse(status: 200, type: icon.mediaType, body: icon.bytes)
                .adding("Cache-Control", "max-age=86400")
        }
    }

    private func control(_ service: String, _ request: HTTPRequest) -> HTTPResponse {
        guard let call = SoapCall(header: request.head.headers["soapaction"], body: request.body) else {
            return Self.fault(.invalidAction)
        }
        do throws(SoapFault) {
            switch service {
            case "ContentDirectory":
                let didl = DIDL(
                    address: address(for: request, mustBeNumeric: true),
                    broadcastsAsTracks: settings.broadcastsAsTracks)
                let directory = ContentDirectory(
                    tree: tree(), didl: didl, updateNumber: contents.updateNumber())
                let values = try directory.carryOut(call)
                return Self.xml(SoapCall.answer(call.action, of: ContentDirectory.type, values))
            case "ConnectionManager":
                let values = try ConnectionManager.carryOut(call)
                return Self.xml(SoapCall.answer(call.action, of: ConnectionManager.type, values))
            default: return .notFound
            }
        } catch {
            return Self.fault(error)
        }
    }

    private func subscribe(_ service: String, _ request: HTTPRequest) -> HTTPResponse {
        let headers = request.head.headers
        let values =
            service == "ContentDirectory"
            ? [("SystemUpdateID", "\(contents.updateNumber())")]
            : [
                ("SourceProtocolInfo", ProtocolInfo.sources), ("SinkProtocolInfo", ""),
                ("CurrentConnectionIDs", "0"),
            ]
        let id: String?
        if let known = headers["sid"] {
            id = subscriptions.renew(known) ? known : nil
        } else {
            id = subscriptions.add(callback: headers["callback"] ?? "", from: request.peer, values)
        }
        guard let id else { return HTTPResponse(status: 412) }
        return HTTPResponse(status: 200).adding("SID", id)
            .adding("TIMEOUT", "Second-\(Int(Subscriptions.seconds))")
    }

    // MARK: Recordings

    private func sendRecording(_ name: String, _ request: HTTPRequest, _ exchange: HTTPExchange) {
        guard ["GET", "HEAD"].contains(request.head.method) else { return exchange.send(Self.wrongMethod) }
        let id = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
        guard let file = contents.open(recording: id) else { return exchange.send(.notFound) }
        var answer = FileAnswer(type: file.mediaType, size: file.bytes)
        let headers = request.head.headers
        if let mode = headers["transfermode.dlna.org"] {
            answer.add("transferMode.dlna.org", mode == "Background" ? "Background" : "Streaming")
        }
        if headers["getcontentfeatures.dlna.org"] == "1" {
            answer.add("contentFeatures.dlna.org", ProtocolInfo.storedFeatures(file.mediaType))
        }
        exchange.sendFile(FileDescriptor(owning: file.descriptor), answer)
    }

    // MARK: Forms of answers

    private static let wrongMethod = HTTPResponse.problem(
        405, code: "method", message: "This method is not for this address."
    ).adding("Allow", "GET, HEAD")

    private static func text(_ text: String, type: String) -> HTTPResponse {
        HTTPResponse(status: 200, type: type, body: Array(text.utf8)).adding("Cache-Control", "no-cache")
    }

    private static func xml(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, type: "text/xml; charset=\"utf-8\"", body: Array(text.utf8))
            .adding("EXT", "")
    }

    private static func fault(_ fault: SoapFault) -> HTTPResponse {
        xml(SoapCall.fault(fault.code, fault.text), status: 500)
    }
}
