internal import JSONText
internal import Platform
internal import Store

/// What a question in the directory's language is answered with.
package struct DirectoryAnswer: Sendable, Hashable {
    /// As HTTP counts: 200, 404 for an unknown station or command, 406 for an unknown form, 500 for a bad order, as the
    /// directory does.
    package var status: Int
    package var type: String
    package var text: String

    static func json(_ text: String) -> DirectoryAnswer {
        DirectoryAnswer(status: 200, type: "application/json", text: text)
    }

    static func refusal(_ status: Int, _ text: String) -> DirectoryAnswer {
        DirectoryAnswer(status: status, type: "text/plain; charset=utf-8", text: text)
    }
}

/// Answers as a Radio Browser server does, out of the snapshot and the stations of one's own, for programs whose base
/// address can be set. api.radio-browser.info describes the questions.
package struct DirectoryServer: Sendable {
    private let directory: StationDirectory
    private let own: [CatalogueStation]
    /// Where listeners reach the service: `http://127.0.0.1:2472`.
    private let base: String

    /// Stations in one answer.
    private static let most = 10_000

    /// - Parameter own: stations of the catalogue; those that the snapshot knows too are answered from there.
    package init(directory: StationDirectory, own: [CatalogueStation], base: String) {
        self.directory = directory
        self.own = own
        self.base = base
    }

    /// Answers a question.
    /// - Parameters:
    ///   - path: what follows the base address, cut at the slashes: `["json", "stations", "bytag", "jazz"]`.
    ///   - parameters: of the query and of a form.
    /// - Throws: `StoreError` when the snapshot cannot be read. Blocks, for half a second with 50,000 stations.
    package func answer(_ path: [String], _ parameters: [String: String]) throws -> DirectoryAnswer {
        let path = path.filter { !$0.isEmpty }
        guard let form = path.first, path.count > 1 else { return .refusal(404, "Not found") }
        guard ["json", "m3u", "pls", "xspf"].contains(form) else { return .refusal(406, "Not acceptable") }
        let rest = Array(path.dropFirst(2))
        switch path[1] {
        case "stations": return try stations(rest, parameters, form: form)
        case "countries", "countrycodes", "languages", "tags", "codecs", "states":
            return try values(path[1], rest, parameters)
        case "url": return try click(rest.first ?? "")
        case "vote", "add":
            return .json(#"{"ok":false,"message":"this directory is a copy; vote and add at the source"}"#)
        case "servers": return .json(Self.text(["ip": "127.0.0.1", "name": .string(host)], isList: true))
        case "stats": return try stats()
        case "config": return .json(#"{"check_enabled":false,"server_name":"aircheck"}"#)
        case "checks", "clicks", "checksteps", "streamingservers": return .json("[]")
        default: return .refusal(404, "Not found")
        }
    }

    private var host: String { String(base[(base.firstRange(of: "://")?.upperBound ?? base.startIndex)...]) }

    private static func text(_ value: JSONValue, isList: Bool = false) -> String {
        isList ? JSONValue.array([value]).text() : value.text()
    }

    // MARK: Stations

    private func stations(_ path: [String], _ parameters: [String: String], form: String) throws
        -> DirectoryAnswer
    {
        guard let question = DirectoryQuestion(path, parameters) else { return .refusal(404, "Not found") }
        let documents = try read { connection in
            let (condition, values) = question.condition
            return try connection.rows(
                """
                SELECT document FROM \(Self.source) WHERE \(condition) ORDER BY \(question.order)
                LIMIT \(min(question.limit, Self.most)) OFFSET \(question.offset)
                """, [.text(ownDocuments())] + values
            ) { $0.text(0) }
        }
        guard form != "json" else { return .json("[" + documents.joined(separator: ",") + "]") }
        let entries = documents.compactMap { (try? JSONValue.parse($0)).flatMap(DirectoryStation.init) }
            .map { $0.entry(id: $0.id) }
        let format: StationFormat = form == "pls" ? .pls : form == "xspf" ? .xspf : .m3u
        return DirectoryAnswer(
            status: 200, type: format.mediaType, text: StationExport.text(entries, as: format))
    }

    /// The snapshot's documents and, bound as the first value, those of one's own.
    private static let source = """
        (SELECT document FROM directory_document UNION ALL SELECT value AS document FROM json_each(?1))
        """

    private func read<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        if let value = try directory.read(body) { return value }
        return try MemoryDatabase(
            "CREATE TABLE directory_document (number INTEGER PRIMARY KEY, document TEXT)"
        )
        .use(body)
    }

    private func ownDocuments() -> String {
        let missing = own.filter { station in
            guard let uuid = station.entry.directoryID else { return true }
            return (try? directory.station(uuid: uuid)).flatMap { $0 } == nil
        }
        return JSONValue.array(missing.map { DirectoryDocument.json($0, base: base) }).text()
    }

    // MARK: Lists of values

    private func values(_ kind: String, _ path: [String], _ parameters: [String: String]) throws
        -> DirectoryAnswer
    {
        let order = parameters["order"] ?? "name"
        guard ["name", "stationcount"].contains(order) else { return .refusal(500, "unknown order") }
        let filter = (kind == "states" ? path.dropFirst().first : path.first)?.lowercased() ?? ""
        var counts: [DirectoryCount] = try counts(kind, country: kind == "states" ? path.first : nil)
        counts = counts.filter { filter.isEmpty || $0.name.lowercased().contains(filter) }
        counts.sort { order == "name" ? $0.name < $1.name : ($0.count, $0.name) < ($1.count, $1.name) }
        if parameters["reverse"] == "true" { counts.reverse() }
        let offset = max(Int(parameters["offset"] ?? "") ?? 0, 0)
        let limit = min(max(Int(parameters["limit"] ?? "") ?? Self.most, 0), Self.most)
        return .json(
            JSONValue.array(counts.dropFirst(offset).prefix(limit).map { $0.json(kind) }).text())
    }

    private func counts(_ kind: String, country: String?) throws -> [DirectoryCount] {
        let column =
            kind == "countrycodes" ? "countrycode" : kind == "countries" ? "country" : String(kind.dropLast())
        let name = kind == "tags" ? "tags" : column
        let other = kind == "countries" ? "countrycode" : kind == "states" ? "country" : "name"
        let rows = try read { connection in
            try connection.rows(
                """
                SELECT json_extract(document, '$.\(name)'), \(other == "name" ? "''" : "json_extract(document, '$.\(other)')"),
                count(*) FROM \(Self.source) GROUP BY 1, 2
                """, [.text(ownDocuments())]
            ) { ($0.text(0), $0.text(1), Int($0.int(2))) }
        }
        var found: [DirectoryCount: Int] = [:]
        for (value, detail, count) in rows {
            let isList = kind == "tags" || kind == "languages"
            let parts = isList ? value.split(separator: ",").map { $0.filter { $0 != "\n" } } : [value]
            for part in parts where !part.isEmpty {
                if kind == "states", let country, detail.lowercased() != country.lowercased() { continue }
                found[DirectoryCount(name: part, detail: detail), default: 0] += count
            }
        }
        return found.map { DirectoryCount(name: $0.key.name, detail: $0.key.detail, count: $0.value) }
    }

    // MARK: The rest

    private func click(_ uuid: String) throws -> DirectoryAnswer {
        let question = DirectoryQuestion(["byuuid", uuid], [:])
        let document = try read { connection in
            let (condition, values) = question?.condition ?? ("0", [])
            return try connection.row(
                "SELECT document FROM \(Self.source) WHERE \(condition)", [.text(ownDocuments())] + values
            ) { $0.text(0) }
        }
        guard let station = document.flatMap({ try? JSONValue.parse($0) }) else {
            return .json(#"{"ok":false,"message":"did not find station"}"#)
        }
        let resolved = station["url_resolved"]?.string ?? ""
        return .json(
            Self.text([
                "ok": true, "message": "retrieved station url", "stationuuid": .string(uuid),
                "name": station["name"] ?? "",
                "url": .string(resolved.isEmpty ? station["url"]?.string ?? "" : resolved),
            ]))
    }

    private func stats() throws -> DirectoryAnswer {
        let count = try read { connection in
            try connection.row(
                "SELECT count(*), sum(json_extract(document, '$.lastcheckok') = 0) FROM \(Self.source)",
                [.text(ownDocuments())]
            ) { ($0.int(0), $0.int(1)) }
        }
        return .json(
            Self.text([
                "supported_version": 1, "software_version": .string(Product.version), "status": "OK",
                "stations": .int(count?.0 ?? 0), "stations_broken": .int(count?.1 ?? 0), "tags": 0,
                "clicks_last_hour": 0, "clicks_last_day": 0, "languages": 0, "countries": 0,
            ]))
    }
}

/// A country, a tag or another value, and how many stations have it.
struct DirectoryCount: Hashable {
    var name: String
    /// The code of a country, the country of a state.
    var detail = ""
    var count = 0

    func json(_ kind: String) -> JSONValue {
        var members: [JSONValue.Member] = [.init("name", .string(name))]
        switch kind {
        case "countries": members.append(.init("iso_3166_1", .string(detail)))
        case "states": members.append(.init("country", .string(detail)))
        case "languages": members.append(.init("iso_639", .null))
        default: break
        }
        return .object(members + [.init("stationcount", .int(Int64(count)))])
    }
}
