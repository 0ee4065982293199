internal import HTTPWire

/// What a request to the relay is for. A pure reading of the path; whether there is such a mount is not asked here.
enum RelayRoute: Hashable {
    case preflight
    case status(mount: String?, alwaysArray: Bool)
    case streamList
    case admin(AdminPage)
    /// Shoutcast's way to say a title.
    case shoutcastTitle
    case list(ListName, PlaylistKind)
    case hls(mount: [String], HLSFile)
    /// One segment, or a group's name and a station's.
    case mount([String])
    case nothing

    enum AdminPage: String, CaseIterable {
        case stats, listmounts, listclients, metadata, killclient, killsource, moveclients, buildm3u
        case statsXML = "stats.xml"

        /// Asked for by GET all the same: so Icecast's clients do.
        var changesSomething: Bool {
            switch self {
            case .metadata, .killclient, .killsource, .moveclients: true
            case .stats, .statsXML, .listmounts, .listclients, .buildm3u: false
            }
        }
    }

    enum ListName: String, CaseIterable {
        case all, favourites
    }

    enum PlaylistKind: String, CaseIterable {
        case m3u, pls, xspf
        case hls = "m3u8"

        var mediaType: String {
            switch self {
            case .m3u: "audio/x-mpegurl"
            case .pls: "audio/x-scpls"
            case .xspf: "application/xspf+xml; charset=UTF-8"
            case .hls: "application/vnd.apple.mpegurl"
            }
        }
    }

    /// First segments that are pages of the relay and so never the name of a mount.
    static let reserved: Set<String> = [
        "admin", "status-json.xsl", "all.m3u", "favourites.m3u", "hls",
    ]

    init(_ head: RequestHead) {
        let segments = head.segments
        if head.method == "OPTIONS" {
            self = .preflight
        } else if segments == ["status-json.xsl"] {
            self = .status(mount: head.query["mount"], alwaysArray: head.query["array"] == "1")
        } else if segments == ["admin", "streamlist.txt"] {
            self = .streamList
        } else if segments == ["admin.cgi"] {
            self = .shoutcastTitle
        } else if segments.first == "hls" {
            let file = (3...4).contains(segments.count) ? HLSFile(segments[segments.count - 1]) : nil
            self = file.map { .hls(mount: Array(segments[1..<(segments.count - 1)]), $0) } ?? .nothing
        } else if segments.first == "admin" {
            let page = segments.count == 2 ? AdminPage(rawValue: segments[1]) : nil
            self = page.map(RelayRoute.admin) ?? .nothing
        } else if segments.count == 1, let (name, kind) = Self.playlist(segments[0]),
            let list = ListName(rawValue: name), kind != .hls
        {
            self = .list(list, kind)
        } else {
            self = (1...2).contains(segments.count) && !segments.contains("") ? .mount(segments) : .nothing
        }
    }

    /// `demo.m3u` as a playlist of `demo`; nil for a name without such an ending.
    static func playlist(_ name: String) -> (name: String, kind: PlaylistKind)? {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            let kind = PlaylistKind(rawValue: String(name[name.index(after: dot)...]))
        else { return nil }
        return (String(name[..<dot]), kind)
    }
}
