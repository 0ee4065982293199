/// What `find` and `search` look for. Both spellings: pairs of a tag and a value, and expressions in parentheses.
indirect enum MPDFilter: Sendable, Hashable {
    enum Comparison: Sendable, Hashable { case equal, contains, begins }

    case everything
    case tag(String, Comparison, String, ignoresCase: Bool)
    case base(String)
    case not(MPDFilter)
    case all([MPDFilter])
    /// A clause about what stations do not have: nothing fits.
    case nothing

    /// Words that a directory could be asked for: what names and any tag must hold.
    var words: String? {
        switch self {
        case .tag(let tag, _, let value, _) where ["any", "name", "title"].contains(tag): value
        case .all(let parts): parts.lazy.compactMap(\.words).first
        default: nil
        }
    }

    func matches(_ entry: MPDEntry, _ tags: [(String, String?)]) -> Bool {
        switch self {
        case .everything: true
        case .nothing: false
        case .base(let path): path.isEmpty || entry.uri.hasPrefix(path)
        case .not(let other): !other.matches(entry, tags)
        case .all(let parts): parts.allSatisfy { $0.matches(entry, tags) }
        case .tag("file", let comparison, let value, let ignoresCase):
            Self.compare(entry.uri, comparison, value, ignoresCase)
        case .tag("any", let comparison, let value, let ignoresCase):
            Self.values(entry, tags).contains { Self.compare($0, comparison, value, ignoresCase) }
        case .tag("title", let comparison, let value, let ignoresCase):
            // A station that announces no title is found by its name, which is what clients show in the title's place.
            [tags.first { $0.0 == "Title" }?.1, entry.name].contains {
                Self.compare($0 ?? "", comparison, value, ignoresCase)
            }
        case .tag(let tag, let comparison, let value, let ignoresCase):
            Self.compare(
                tags.first { $0.0.lowercased() == tag }?.1 ?? "", comparison, value, ignoresCase)
        }
    }

    private static func values(_ entry: MPDEntry, _ tags: [(String, String?)]) -> [String] {
        tags.compactMap(\.1) + entry.tags
    }

    private static func compare(
        _ text: String, _ comparison: Comparison, _ value: String, _ ignoresCase: Bool
    ) -> Bool {
        let (text, value) = ignoresCase ? (text.lowercased(), value.lowercased()) : (text, value)
        return switch comparison {
        case .equal: text == value
        case .contains: text.contains(value)
        case .begins: text.hasPrefix(value)
        }
    }
}

/// A `find` or `search` as it was asked: the filter, and which part of what is found is wanted.
struct MPDQuery: Sendable, Hashable {
    var filter: MPDFilter
    var window: String?
    /// Tags that what is found is put in order by, as `list` wants it.
    var groups: [String] = []

    /// - Parameter isExact: `find` compares whole values and case; `search` looks for parts.
    init(_ arguments: [String], isExact: Bool) throws(MPDFailure) {
        var rest = arguments[...]
        var parts: [MPDFilter] = []
        var window: String?
        while let word = rest.popFirst() {
            if word.hasPrefix("(") {
                parts.append(try MPDExpression.parse(word, ignoresCase: !isExact))
                continue
            }
            guard let value = rest.popFirst() else {
                throw MPDFailure(.argument, "Incorrect number of filter arguments")
            }
            switch word.lowercased() {
            case "window": window = value
            case "sort", "position": continue
            case "group":
                guard let tag = MPDTagSet.canonical(value) else {
                    throw MPDFailure(.argument, "Unknown tag type: \(value)")
                }
                groups.append(tag)
            default:
                parts.append(
                    try Self.clause(word, isExact ? .equal : .contains, value, ignoresCase: !isExact))
            }
        }
        filter = parts.count == 1 ? parts[0] : .all(parts)
        self.window = window
    }

    static func clause(
        _ tag: String, _ comparison: MPDFilter.Comparison, _ value: String, ignoresCase: Bool
    ) throws(MPDFailure) -> MPDFilter {
        switch tag.lowercased() {
        case "any", "file", "filename": break
        case "base": return .base(value)
        case "modified-since", "added-since", "audioformat", "prio": return .nothing
        case let other where MPDTagSet.canonical(other) == nil:
            throw MPDFailure(.argument, "Unknown filter type: \(tag)")
        default: break
        }
        let name = tag.lowercased() == "filename" ? "file" : tag.lowercased()
        return .tag(name, comparison, value, ignoresCase: ignoresCase)
    }
}

/// A filter in parentheses: `((artist == "A") AND (!(title contains 'b')))`.
private struct MPDExpression {
    private let text: [Character]
    private var place = 0
    private let ignoresCase: Bool

    private static let deepest = 16

    static func parse(_ text: String, ignoresCase: Bool) throws(MPDFailure) -> MPDFilter {
        var expression = MPDExpression(text: Array(text), ignoresCase: ignoresCase)
        let filter = try expression.group(depth: 0)
        expression.skipBlanks()
        guard expression.place == expression.text.count else {
            throw MPDFailure(.argument, "Unparsed garbage after expression")
        }
        return filter
    }

    private init(text: [Character], ignoresCase: Bool) {
        self.text = text
        self.ignoresCase = ignoresCase
    }

    private mutating func group(depth: Int) throws(MPDFailure) -> MPDFilter {
        guard depth < Self.deepest else { throw MPDFailure(.argument, "Expression is nested too deeply") }
        try expect("(")
        skipBlanks()
        switch peek {
        case "!":
            place += 1
            skipBlanks()
            let inner = try group(depth: depth + 1)
            skipBlanks()
            try expect(")")
            return .not(inner)
        case "(": return try conjunction(depth: depth)
        default: return try comparison()
        }
    }

    private mutating func conjunction(depth: Int) throws(MPDFailure) -> MPDFilter {
        var parts = [try group(depth: depth + 1)]
        while true {
            skipBlanks()
            if peek == ")" { break }
            guard word().uppercased() == "AND" else { throw MPDFailure(.argument, "'AND' expected") }
            skipBlanks()
            parts.append(try group(depth: depth + 1))
        }
        place += 1
        return .all(parts)
    }

    private mutating func comparison() throws(MPDFailure) -> MPDFilter {
        let tag = word()
        skipBlanks()
        if ["base", "modified-since", "added-since"].contains(tag.lowercased()) {
            return try closed(try MPDQuery.clause(tag, .equal, try string(), ignoresCase: false))
        }
        let name = symbol()
        skipBlanks()
        let value = try string()
        let (kind, isNegated) = try Self.comparison(name)
        let clause = try MPDQuery.clause(tag, kind, value, ignoresCase: ignoresCase)
        return try closed(isNegated ? .not(clause) : clause)
    }

    /// Regular expressions of strangers are not run; what they mean most often is a part.
    private static func comparison(_ name: String) throws(MPDFailure) -> (
        MPDFilter.Comparison, isNegated: Bool
    ) {
        switch name.lowercased() {
        case "==", "eq": (.equal, false)
        case "!=": (.equal, true)
        case "contains", "=~": (.contains, false)
        case "!~": (.contains, true)
        case "starts_with": (.begins, false)
        default: throw MPDFailure(.argument, "Unknown filter operator: \(name)")
        }
    }

    private mutating func closed(_ filter: MPDFilter) throws(MPDFailure) -> MPDFilter {
        skipBlanks()
        try expect(")")
        return filter
    }

    private var peek: Character? { place < text.count ? text[place] : nil }

    private mutating func skipBlanks() { while peek == " " || peek == "\t" { place += 1 } }

    private mutating func expect(_ wanted: Character) throws(MPDFailure) {
        guard peek == wanted else { throw MPDFailure(.argument, "'\(wanted)' expected") }
        place += 1
    }

    private mutating func word() -> String {
        let start = place
        while let next = peek, next.isLetter || next == "_" || next == "-" { place += 1 }
        return String(text[start..<place])
    }

    private mutating func symbol() -> String {
        let start = place
        while let next = peek, next != " ", next != "\"", next != "'", next != ")" { place += 1 }
        return String(text[start..<place])
    }

    private mutating func string() throws(MPDFailure) -> String {
        guard let quote = peek, quote == "\"" || quote == "'" else {
            throw MPDFailure(.argument, "Quoted string expected")
        }
        place += 1
        var value = ""
        while let next = peek, next != quote {
            if next == "\\" { place += 1 }
            guard let literal = peek else { break }
            value.append(literal)
            place += 1
        }
        guard peek == quote else { throw MPDFailure(.argument, "Closing quote not found") }
        place += 1
        return value
    }
}
