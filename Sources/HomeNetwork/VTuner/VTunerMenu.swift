internal import HTTPWire
internal import StreamFormats

/// The menu that old receivers of several makers read, who ask a directory that is no longer free: folders and stations
/// as a list. Pure.
///
/// Shown is the same tree as DLNA's. Addresses lead to this relay directly, since some receivers refuse a redirect.
struct VTunerMenu {
    let tree: ContentTree
    let address: HomeAddress

    /// Letters that a search needs at least.
    private static let shortestSearch = 3
    private static let header = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\" ?>"

    /// What is answered to a request below `/setupapp/`; nil for what nobody asks for.
    func answer(to path: [String], _ query: QueryParameters) -> String? {
        if query["token"] == "0" {
            return Self.header + "<EncryptedToken>0000000000000000</EncryptedToken>"
        }
        if let words = query["search"] { return search(words, query) }
        let page = path.last?.lowercased() ?? ""
        if page.contains("statxml"), let id = query["id"] { return station(id) }
        if page.contains("navxml") { return folder(query["id"] ?? ContentTree.root, query) }
        if page.contains("favxml") { return folder("favourites", query) }
        if page.contains("loginxml") { return folder(ContentTree.root, query) }
        return nil
    }

    private func folder(_ id: String, _ query: QueryParameters) -> String {
        guard let children = tree.children(id) else { return display("There is nothing here.") }
        let items = children.map { item($0) }
        guard id == ContentTree.root else { return list(items, query) }
        return list(items + [searchBox], query)
    }

    private func search(_ words: String, _ query: QueryParameters) -> String {
        guard words.count >= Self.shortestSearch else {
            return display("Write \(Self.shortestSearch) letters or more.")
        }
        let found = tree.stations.filter { $0.name.lowercased().contains(words.lowercased()) }
        return found.isEmpty ? display("No station has that in its name.") : list(found.map(item), query)
    }

    private func station(_ id: String) -> String {
        guard let station = tree.stations.first(where: { $0.id == id }) else {
            return display("This station is no longer there.")
        }
        return Self.document(count: 1, [item(station)])
    }

    // MARK: Items

    private func item(_ object: ContentTree.Object) -> String {
        switch object {
        case .container(let id, _, let title, _):
            let url = "\(address.base)/setupapp/aircheck/navXML.asp?id=\(PercentCoding.encode(id))"
            return Self.item("Dir", [("Title", title), ("UrlDir", url), ("UrlDirBackUp", url)])
        case .station(_, _, let station): return item(station)
        case .recording(_, _, let recording): return item(recording)
        }
    }

    private func item(_ station: HomeStation) -> String {
        let isMP3 = station.needsMP3 || station.mediaType == "audio/mpeg"
        return Self.item(
            "Station",
            [
                ("StationId", station.id), ("StationName", station.name),
                ("StationUrl", address.playable(station)), ("StationDesc", station.about ?? ""),
                // Secure addresses are beyond these devices.
                ("Logo", station.logo.flatMap { $0.hasPrefix("http://") ? $0 : nil } ?? icon),
                ("StationFormat", station.genre ?? "Radio"), ("StationLocation", station.country ?? ""),
                ("StationBandwidth", "\(station.bitrate ?? 128)"), ("StationMime", isMP3 ? "MP3" : "AAC"),
                ("StationBookmark", ""),
            ])
    }

    private func item(_ recording: HomeRecording) -> String {
        Self.item(
            "Station",
            [
                ("StationId", recording.id), ("StationName", recording.title),
                ("StationUrl", address.recording(recording)), ("StationDesc", recording.stationName),
                ("Logo", icon), ("StationFormat", "Recording"), ("StationLocation", ""),
                ("StationBandwidth", "128"), ("StationMime", recording.fileExtension.uppercased()),
                ("StationBookmark", ""),
            ])
    }

    private var icon: String { address.base + "/dlna/icon-120.jpg" }

    private var searchBox: String {
        let url = "\(address.base)/setupapp/aircheck/search.asp?x=1"
        return Self.item(
            "Search",
            [
                ("SearchURL", url), ("SearchURLBackUp", url), ("SearchCaption", "Search"),
                ("SearchTextbox", ""), ("SearchButtonGo", "Search"), ("SearchButtonCancel", "Cancel"),
            ])
    }

    private func display(_ text: String) -> String {
        Self.document(count: 1, [Self.item("Display", [("Display", text)])])
    }

    // MARK: Pages

    /// The part that is asked for: `startitems` to `enditems`, or `howmany` from `start` on; all one-based.
    private func list(_ items: [String], _ query: QueryParameters) -> String {
        func number(_ names: String...) -> Int? {
            names.lazy.compactMap { query[$0].flatMap { Int($0) } }.first
        }
        // Into bounds before anything is taken off: a device may ask for any number.
        let first = max(number("startitems", "startItems", "start") ?? 1, 1)
        let start = min(first - 1, items.count)
        var end = number("enditems", "endItems") ?? items.count
        if let count = number("howmany"), count >= 0 { end = start + min(count, items.count) }
        end = min(max(end, start), items.count)
        return Self.document(count: items.count, items[start..<end])
    }

    private static func document(count: Int, _ items: some Sequence<String>) -> String {
        header + "<ListOfItems><ItemCount>\(count)</ItemCount>" + items.joined() + "</ListOfItems>"
    }

    private static func item(_ type: String, _ values: [(String, String)]) -> String {
        let body = values.map { "<\($0)>\(XMLText.escaped(TitleCleaner.cleaned($1)))</\($0)>" }.joined()
        return "<Item><ItemType>\(type)</ItemType>\(body)</Item>"
    }
}
