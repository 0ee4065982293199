internal import Store

/// A question for stations, in the directory's language, as a condition on its documents.
struct DirectoryQuestion {
    private var terms: [String] = []
    private var values: [SQLValue] = []
    private(set) var order = "0"
    private(set) var offset = 0
    private(set) var limit = Int.max

    /// The condition, and the values for it from the second on.
    var condition: (String, [SQLValue]) { (terms.isEmpty ? "1" : terms.joined(separator: " AND "), values) }

    /// - Parameters:
    ///   - path: what follows `stations`: `["bytag", "jazz"]`.
    ///   - parameters: as the directory takes them; what it does not know is passed over.
    /// - Returns: nil for a command that does not exist.
    init?(_ path: [String], _ parameters: [String: String]) {
        take(paging: parameters)
        switch path.first {
        case nil: break
        case "search": take(search: parameters)
        case "topvote", "topclick", "lastclick", "lastchange", "changed", "broken": take(top: path)
        case let command?:
            guard command.hasPrefix("by") else { return nil }
            let term = path.dropFirst().joined(separator: "/")
            guard take(by: String(command.dropFirst(2)), term, parameters) else { return nil }
        }
    }

    private mutating func take(paging parameters: [String: String]) {
        offset = min(max(Int(parameters["offset"] ?? "") ?? 0, 0), 10_000_000)
        limit = max(Int(parameters["limit"] ?? "") ?? Int.max, 0)
        let direction = parameters["reverse"] == "true" ? "DESC" : "ASC"
        let wanted = parameters["order"] ?? "name"
        order =
            wanted == "random"
            ? "random()" : "\(Self.field(Self.orders[wanted] ?? "name")) COLLATE NOCASE \(direction)"
        if parameters["hidebroken"] == "true" { terms.append("\(Self.field("lastcheckok")) = 1") }
    }

    private mutating func take(search parameters: [String: String]) {
        for (name, column) in [("name", "name"), ("country", "country"), ("state", "state")] {
            guard let value = parameters[name], !value.isEmpty else { continue }
            if parameters[name + "Exact"] == "true" { equals(column, value) } else { contains(column, value) }
        }
        if let code = parameters["countrycode"], !code.isEmpty { equals("countrycode", code) }
        for (name, column) in [("language", "language"), ("tag", "tags")] {
            guard let value = parameters[name], !value.isEmpty else { continue }
            if parameters[name + "Exact"] == "true" { holds(column, value) } else { includes(column, value) }
        }
        for tag in (parameters["tagList"] ?? "").split(separator: ",").prefix(20) {
            holds("tags", String(tag))
        }
        if let codec = parameters["codec"], !codec.isEmpty { contains("codec", codec) }
        if let least = Int(parameters["bitrateMin"] ?? "") { compare("bitrate", ">=", least) }
        if let most = Int(parameters["bitrateMax"] ?? "") { compare("bitrate", "<=", most) }
        switch parameters["is_https"] {
        case "true": terms.append("\(Self.field("url")) LIKE 'https://%'")
        case "false": terms.append("\(Self.field("url")) NOT LIKE 'https://%'")
        default: break
        }
        switch parameters["has_geo_info"] {
        case "true": terms.append("\(Self.field("geo_lat")) IS NOT NULL")
        case "false": terms.append("\(Self.field("geo_lat")) IS NULL")
        default: break
        }
    }

    private mutating func take(top path: [String]) {
        let column = ["topvote": "votes", "topclick": "clickcount", "lastclick": "clicktimestamp"]
        if path.first == "broken" { terms.append("\(Self.field("lastcheckok")) = 0") }
        order = "\(Self.field(column[path.first ?? ""] ?? "lastchangetime")) DESC"
        if let count = path.dropFirst().first.flatMap({ Int($0) }) { limit = max(count, 0) }
    }

    private mutating func take(by kind: String, _ term: String, _ parameters: [String: String]) -> Bool {
        switch kind {
        case "uuid": anyOf("stationuuid", term.isEmpty ? parameters["uuids"] ?? "" : term)
        case "url":
            values.append(.text(parameters["url"] ?? term))
            terms.append("?\(values.count + 1) IN (\(Self.field("url")), \(Self.field("url_resolved")))")
        case "name", "codec", "country", "state": contains(kind, term)
        case "nameexact", "codecexact", "countryexact", "countrycodeexact", "stateexact":
            equals(String(kind.dropLast(5)), term)
        case "language": includes("language", term)
        case "tag": includes("tags", term)
        case "languageexact": holds("language", term)
        case "tagexact": holds("tags", term)
        default: return false
        }
        return true
    }

    // MARK: Terms

    private static func field(_ name: String) -> String { "json_extract(document, '$.\(name)')" }

    /// In any case.
    private mutating func contains(_ field: String, _ value: String) {
        values.append(.text(value))
        terms.append("instr(lower(\(Self.field(field))), lower(?\(values.count + 1))) > 0")
    }

    private mutating func equals(_ field: String, _ value: String) {
        values.append(.text(value))
        terms.append("lower(\(Self.field(field))) = lower(?\(values.count + 1))")
    }

    /// As it is: the directory keeps tags and languages in lower case.
    private mutating func includes(_ field: String, _ value: String) {
        values.append(.text(value))
        terms.append("instr(\(Self.field(field)), ?\(values.count + 1)) > 0")
    }

    /// As one of the values between commas.
    private mutating func holds(_ field: String, _ value: String) {
        values.append(.text("," + value + ","))
        terms.append("instr(',' || \(Self.field(field)) || ',', ?\(values.count + 1)) > 0")
    }

    private mutating func anyOf(_ field: String, _ list: String) {
        values.append(.text("," + list + ","))
        terms.append("instr(?\(values.count + 1), ',' || \(Self.field(field)) || ',') > 0")
    }

    private mutating func compare(_ field: String, _ sign: String, _ value: Int) {
        values.append(.int(Int64(value)))
        terms.append("\(Self.field(field)) \(sign) ?\(values.count + 1)")
    }

    private static let orders = [
        "name": "name", "url": "url", "homepage": "homepage", "favicon": "favicon", "tags": "tags",
        "country": "country", "state": "state", "language": "language", "votes": "votes", "codec": "codec",
        "bitrate": "bitrate", "lastcheckok": "lastcheckok", "lastchecktime": "lastchecktime",
        "clicktimestamp": "clicktimestamp", "clickcount": "clickcount", "clicktrend": "clicktrend",
        "changetimestamp": "lastchangetime",
    ]
}
