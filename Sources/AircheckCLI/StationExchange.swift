internal import Catalogue
internal import JSONText
internal import Platform

/// Stations from other programs, and for them.
enum StationExchange {
    /// What is read of a file at most, in bytes.
    private static let limit = StationImport.longest

    static func export(_ invocation: Invocation) throws {
        let word = invocation.text("format") ?? "toml"
        guard let format = StationFormat(rawValue: word) else {
            throw invocation.usage(
                "--format \(word): write \(StationFormat.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        if let client = try ServiceClient.find(invocation) {
            let path = "/api/v1/stations/export?format=\(word)&" + StationListing.parameters(invocation, "")
            return Terminal.print(try client.text(path))
        }
        let found = try LocalCatalogue.open(invocation).search(try StationListing.query(invocation, ""))
        Terminal.print(StationExport.text(found.map(\.entry), as: format))
    }

    static func importFile(_ invocation: Invocation) throws {
        let path = try invocation.required(0)
        let found = try read(path)
        for refused in found.refused { Terminal.note("left out: \(TerminalText.escaped(refused))") }
        if invocation.has("dry-run") {
            for entry in found.entries {
                Terminal.print(
                    TerminalText.escaped(
                        "\(entry.id)  \(entry.station.name)  \(entry.station.urls.first ?? "")"))
            }
            return
        }
        let client = try ServiceClient.require(invocation)
        let known = Set(
            try client.get("/api/v1/stations?limit=1000")["stations"]?.array?.compactMap { $0["id"]?.string }
                ?? [])
        var added = 0
        for entry in found.entries where !known.contains(entry.id) {
            try client.send("POST", "/api/v1/stations", Self.body(entry))
            added += 1
        }
        if !invocation.quiet {
            Terminal.note("\(added) stations added, \(found.entries.count - added) were there already")
        }
    }

    private static func read(_ path: String) throws -> StationImport {
        do {
            return try StationImport.read(try Files.read(path, limit: limit), name: path)
        } catch let error as SystemError {
            throw CommandFailure(.noInput, error.description)
        } catch let error as CatalogueError {
            throw CommandFailure(.badData, error.description)
        }
    }

    private static func body(_ entry: StationEntry) -> JSONValue {
        let station = entry.station
        var members: [JSONValue.Member] = [
            .init("id", .string(station.id)), .init("name", .string(station.name)),
            .init("urls", .array(station.urls.map(JSONValue.string))),
        ]
        let texts = [
            ("genre", station.genre), ("country", station.country), ("language", station.language),
            ("homepage", station.homepage),
        ]
        for (key, text) in texts { if let text { members.append(.init(key, .string(text))) } }
        return .object(members)
    }
}
