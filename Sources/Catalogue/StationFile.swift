internal import StreamFormats
package import TOMLText

/// A file of stations: `[[station]]` tables with the keys of `StationField`. docs/stations.md describes it.
package struct StationFile: Sendable, Hashable {
    /// A station and the line its table starts at.
    package struct Item: Sendable, Hashable {
        package var entry: StationEntry
        package var line: Int
    }

    /// The sound stations, in the order of the file.
    package var items: [Item] = []
    /// Everything that is wrong in it. A station with a mistake is left out, the others are not.
    package var problems: [TOMLError] = []

    private var lines: [String: Int] = [:]

    package init() {}

    private static let required = ["id", "name", "urls"]
    /// Stations that are read from one file.
    private static let most = 20_000

    /// Reads a file; never fails, but says what is wrong.
    /// - Parameter file: its path, for messages.
    package static func parse(_ text: [UInt8], file: String) -> StationFile {
        var found = StationFile()
        do throws(TOMLError) {
            let document = try TOMLValue.parse(text, file: file)
            for entry in document.entries ?? [] { found.take(entry, file: file) }
        } catch {
            found.problems.append(error)
        }
        return found
    }

    /// The list of another player (M3U, PLS, XSPF, OPML); ids are made from the names.
    init(list text: [UInt8], file: String) {
        do throws(CatalogueError) {
            let list = try StationImport.read(text, name: file)
            var ids = StationIDs()
            for var entry in list.entries {
                entry.station.id = ids.take("", name: entry.station.name)
                lines[entry.id] = 1
                items.append(Item(entry: entry, line: 1))
            }
            problems = list.refused.map { TOMLError(file: file, message: $0) }
        } catch {
            problems = [TOMLError(file: file, message: "\(error)")]
        }
    }

    private mutating func take(_ entry: TOMLEntry, file: String) {
        guard entry.key == "station" else {
            let hint =
                StationField.named(entry.key) != nil
                ? "; put [[station]] on the line above it"
                : Spelling.hint(for: entry.key, among: ["station"]) { "[[\($0)]]" }
            problems.append(
                TOMLError(
                    file: file, position: entry.position, key: entry.key,
                    message: "there is no such key here\(hint)"))
            return
        }
        guard let tables = entry.value.array, tables.allSatisfy({ $0.entries != nil }) else {
            problems.append(
                TOMLError(
                    file: file, position: entry.position, key: "station",
                    message: "this is \(entry.value.kind); write [[station]] with two brackets on each side"))
            return
        }
        for table in tables.prefix(Self.most) { take(station: table, file: file) }
        if tables.count > Self.most {
            problems.append(
                TOMLError(
                    file: file, message: "only the first \(Self.most) stations are read; split the file"))
        }
    }

    private mutating func take(station table: TOMLValue, file: String) {
        let (entry, mistakes) = Self.entry(from: table, file: file)
        var wrong = mistakes
        if wrong.isEmpty, let line = lines[entry.id] {
            let place = table["id"]?.position ?? table.position
            wrong.append(
                TOMLError(
                    file: file, position: place, key: "station.id",
                    message: "\"\(entry.id)\" is already the station of line \(line); choose another id")
            )
        }
        if wrong.isEmpty {
            lines[entry.id] = table.position.line
            items.append(Item(entry: entry, line: table.position.line))
        } else {
            problems += wrong
        }
    }

    /// Reads one table.
    static func entry(from table: TOMLValue, file: String) -> (StationEntry, [TOMLError]) {
        var entry = StationEntry(Station(id: "", name: "", urls: []))
        var problems: [TOMLError] = []
        for item in table.entries ?? [] {
            if let problem = apply(item, to: &entry, file: file) { problems.append(problem) }
        }
        for key in required where table[key] == nil {
            problems.append(
                TOMLError(
                    file: file, position: table.position, key: "station.\(key)", message: "this is missing"))
        }
        return (entry, problems)
    }

    /// Sets one field, or says why not.
    static func apply(_ item: TOMLEntry, to entry: inout StationEntry, file: String) -> TOMLError? {
        let name = "station.\(item.key)"
        guard let field = StationField.named(item.key) else {
            let hint = Spelling.hint(for: item.key, among: StationField.all.map(\.key) + ["url"]) {
                $0 == "url" ? "urls" : $0
            }
            return TOMLError(
                file: file, position: item.position, key: name, message: "there is no such key\(hint)")
        }
        do throws(FieldRefusal) {
            try field.read(item.value, &entry)
            return nil
        } catch {
            return TOMLError(
                file: file, position: error.position ?? item.value.position, key: name, message: error.reason)
        }
    }

    /// Takes over the stations of an earlier reading that this one lacks.
    mutating func keep(missingFrom before: StationFile) {
        for item in before.items where lines[item.entry.id] == nil {
            lines[item.entry.id] = item.line
            items.append(item)
        }
    }

    /// What a station file would not take of it, whatever its id; empty for a sound one.
    static func problems(of entry: StationEntry) -> [TOMLError] {
        var entry = entry
        if StationID.refusal(entry.id) != nil { entry.station.id = "any-station" }
        return parse(Array(text(entry).utf8), file: "station").problems
    }

    /// The entry as a `[[station]]` table.
    package static func text(_ entry: StationEntry) -> String {
        var text = "[[station]]\n"
        for field in StationField.all {
            if let value = field.text(of: entry) { text += "\(field.key) = \(value)\n" }
        }
        return text
    }

    /// A whole file.
    package static func text(_ entries: [StationEntry], comment: String = "") -> String {
        (comment.isEmpty ? "" : comment + "\n\n") + entries.map { text($0) }.joined(separator: "\n")
    }
}
