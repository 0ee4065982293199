internal import JSONText
internal import StreamFormats
internal import TOMLText

/// Stations read from a file of another program. Nothing is added yet: `CatalogueChange.addAll` does that.
package struct StationImport: Sendable, Hashable {
    package var entries: [StationEntry] = []
    /// What could not be read, a line each, for people.
    package var refused: [String] = []

    /// Bytes that are read of one file.
    package static let longest = 4 << 20
    /// Stations that are taken from one file.
    private static let most = 20_000
    private static let tooLong = "the file goes on behind what is read of one; split it"
    /// Complaints that are kept.
    private static let mostRefused = 100

    private var addresses: Set<String> = []
    private let source: String

    private init(source: String) { self.source = source }

    /// Reads a file by what is in it; its name only decides between texts that could be either.
    /// - Parameters:
    ///   - name: of the file; also the `source` of stations that tell none.
    ///   - format: where the caller knows better.
    /// - Throws: `CatalogueError.format` where it holds no stations in any form that we know.
    package static func read(
        _ bytes: [UInt8], name: String, format: StationFormat? = nil
    ) throws(CatalogueError) -> StationImport {
        guard bytes.count <= longest else { throw .format("\(name): longer than \(longest) bytes; split it") }
        var found = StationImport(source: name)
        switch format ?? recognised(bytes, name) {
        case .toml: found.readTOML(bytes)
        case .json: try found.readJSON(bytes)
        case .opml: found.readOPML(bytes)
        case .csv: found.readCSV(bytes)
        case .m3u, .pls, .xspf, nil: try found.readPlaylist(bytes)
        }
        guard !found.entries.isEmpty || !found.refused.isEmpty else {
            throw .format("\(name): there are no stations in it")
        }
        return found
    }

    private static func recognised(_ bytes: [UInt8], _ name: String) -> StationFormat? {
        let head = String(decoding: bytes.prefix(2000), as: UTF8.self).lowercased()
        let first = head.first { !$0.isWhitespace && $0 != "\u{FEFF}" }
        if head.contains("<opml") { return .opml }
        if first == "<" { return .xspf }
        if head.contains("[[station]]") { return .toml }
        if head.contains("[playlist]") { return .pls }
        if head.contains("#extm3u") { return .m3u }
        let named = StationFormat(fileName: name)
        if named == nil, first == "[" || first == "{" { return .json }
        return named
    }

    // MARK: Adding

    private mutating func refuse(_ reason: String) {
        if refused.count < Self.mostRefused { refused.append(TextLimits.clean(reason, longest: 300)) }
    }

    /// Said whatever else was: all that came behind is missing.
    private mutating func noteCut() {
        if !refused.contains(Self.tooLong) { refused.append(Self.tooLong) }
    }

    private mutating func add(_ entry: StationEntry) {
        guard let url = entry.station.urls.first, addresses.insert(url).inserted else { return }
        guard entries.count < Self.most else {
            return noteCut()
        }
        if let entry = fitted(entry) { entries.append(entry) }
    }

    /// As a station file may hold it. What it could not hold is left out and said; without a name and an address it is
    /// no station.
    private mutating func fitted(_ entry: StationEntry) -> StationEntry? {
        var entry = entry
        entry.station.name = TextLimits.clean(entry.station.name, longest: 200)
        for problem in StationFile.problems(of: entry) {
            let key = problem.key?.split(separator: ".").last.map(String.init) ?? ""
            guard !["id", "name", "urls"].contains(key), let field = StationField.named(key) else {
                refuse("\(entry.station.name.prefix(60)): \(problem.message)")
                return nil
            }
            field.clear(&entry)
            refuse("\(entry.station.name.prefix(60)): taken without its \(key): \(problem.message)")
        }
        return entry
    }

    /// For those that read a file and not a list: every station with an id of its own.
    package var identified: [StationEntry] {
        var ids = StationIDs()
        return entries.map { entry in
            var entry = entry
            entry.station.id = ids.take(entry.id, name: entry.station.name)
            return entry
        }
    }

    private mutating func add(name: String, url: String, charset: String? = nil, group: String? = nil) {
        let url = TextLimits.clean(url, longest: 4000)
        guard FieldText.isAddress(url) else {
            refuse("\(name.prefix(60)): \"\(url.prefix(80))\" is not an address")
            return
        }
        let name = TextLimits.clean(name, longest: 200)
        var station = Station(id: "", name: name.isEmpty ? Self.host(of: url) : name, urls: [url])
        station.charset = charset
        station.groups = group.map { [TextLimits.clean($0, longest: 100)] } ?? []
        station.source = TextLimits.clean(source, longest: 200)
        add(StationEntry(station))
    }

    private static func host(of url: String) -> String {
        let rest = url.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: true).last ?? ""
        return TextLimits.clean(
            String(rest.drop { $0 == "/" }.prefix { $0 != "/" && $0 != ":" && $0 != "?" }), longest: 200)
    }

    // MARK: Forms

    private mutating func readTOML(_ bytes: [UInt8]) {
        let file = StationFile.parse(bytes, file: source)
        for item in file.items { add(item.entry) }
        for problem in file.problems { refuse(problem.description) }
    }

    /// Our own export, or an answer of the Radio Browser directory.
    private mutating func readJSON(_ bytes: [UInt8]) throws(CatalogueError) {
        let value: JSONValue
        do { value = try JSONValue.parse(bytes, limit: Self.longest) } catch {
            throw .format("\(source): \(error)")
        }
        for (number, element) in (value.array ?? [value]).enumerated() {
            if let station = DirectoryStation(element) {
                add(station.entry(id: ""))
                continue
            }
            do {
                add(try StationEntry(json: element))
            } catch {
                refuse("element \(number + 1): \(error)")
            }
        }
    }

    private mutating func readPlaylist(_ bytes: [UInt8]) throws(CatalogueError) {
        guard case .list(let playlist) = Playlist.parse(bytes, limits: .collection) else {
            throw .format(
                "\(source): this is no list of stations that we can read (TOML, M3U, PLS, XSPF, OPML, JSON, CSV)"
            )
        }
        for entry in playlist.entries { add(name: entry.title ?? "", url: entry.url) }
        for entry in playlist.refused { refuse("\"\(entry.text.prefix(80))\": \(entry.reason.rawValue)") }
        if playlist.isCut { noteCut() }
    }

    /// Outlines with an address are stations, those without are groups.
    private mutating func readOPML(_ bytes: [UInt8]) {
        let tokens = XMLTokens(bytes, most: 10 * Self.most)
        if tokens.isCut { noteCut() }
        if tokens.refusal != nil { refuse("a document type is not read") }
        var groups: [String?] = []
        for token in tokens.all {
            switch token {
            case .open("outline", let attributes):
                let name = attributes["text"] ?? attributes["title"] ?? ""
                let address = attributes["url"] ?? attributes["xmlurl"]
                if let address { add(name: name, url: address, group: groups.compactMap { $0 }.last) }
                groups.append(address == nil ? name : nil)
            case .close("outline"): _ = groups.popLast()
            default: break
            }
        }
    }

    /// PyRadio: `name,url[,encoding[,…]]`; `#` starts a comment, a dash for an address starts a group.
    private mutating func readCSV(_ bytes: [UInt8]) {
        var group: String?
        for (number, fields) in CSVText.rows(bytes).enumerated() {
            guard fields.count >= 2 else {
                if fields.count == 1 { refuse("line \(number + 1): there is no address") }
                continue
            }
            if fields[1] == "-" {
                group = fields[0]
            } else {
                let charset =
                    fields.count > 2 && !fields[2].isEmpty ? TextLimits.clean(fields[2], longest: 40) : nil
                add(name: fields[0], url: fields[1], charset: charset, group: group)
            }
        }
    }
}

/// Rows of comma-separated text, quotes doubled inside quotes (RFC 4180), `#` lines left out.
enum CSVText {
    static func rows(_ bytes: [UInt8]) -> [[String]] {
        var rows: [[String]] = []
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        where line.first != UInt8(ascii: "#") {
            rows.append(fields(line).map { TextLimits.clean($0, longest: 4000) })
        }
        return rows
    }

    private static func fields(_ line: ArraySlice<UInt8>) -> [String] {
        var fields: [[UInt8]] = [[]]
        var inQuotes = false
        var lastWasQuote = false
        for byte in line {
            let isQuote = byte == UInt8(ascii: "\"")
            if isQuote {
                // Two quotes in a row, inside quotes, are one.
                if !inQuotes && lastWasQuote { fields[fields.count - 1].append(byte) }
                inQuotes.toggle()
            } else if byte == UInt8(ascii: ",") && !inQuotes {
                fields.append([])
            } else {
                fields[fields.count - 1].append(byte)
            }
            lastWasQuote = isQuote && !inQuotes
        }
        return fields.map { String(decoding: $0, as: UTF8.self) }
    }
}
