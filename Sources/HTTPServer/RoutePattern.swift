/// A route's pattern, cut into parts once.
struct RoutePattern {
    fileprivate enum Part: Equatable {
        case literal(String)
        case parameter(String)
        /// One part or more, to the end.
        case rest(String)
    }

    fileprivate let parts: [Part]

    init(_ pattern: String) {
        precondition(pattern.hasPrefix("/"), "a route's pattern begins with a slash: \(pattern)")
        let words =
            pattern == "/" ? [] : pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        parts = words.map { word in
            guard word.hasPrefix("{"), word.hasSuffix("}") else { return .literal(String(word)) }
            let name = word.dropFirst().dropLast()
            return name.hasSuffix("...") ? .rest(String(name.dropLast(3))) : .parameter(String(name))
        }
        precondition(
            parts.dropLast().allSatisfy { if case .rest = $0 { false } else { true } },
            "only the last part of a pattern may stand for several: \(pattern)")
    }

    /// The parameters' values if the path fits.
    func match(_ segments: [String]) -> [String: String]? {
        var values: [String: String] = [:]
        for (index, part) in parts.enumerated() {
            guard index < segments.count else { return nil }
            switch part {
            case .literal(let word): if segments[index] != word { return nil }
            case .parameter(let name):
                if segments[index].isEmpty { return nil }
                values[name] = segments[index]
            case .rest(let name):
                values[name] = segments[index...].joined(separator: "/")
                return values
            }
        }
        return segments.count == parts.count ? values : nil
    }

    /// Patterns that say more come first: a literal before a parameter, a parameter before a rest.
    static func isMoreSpecific(_ left: Self, _ right: Self) -> Bool {
        for (left, right) in zip(left.parts, right.parts) where left.rank != right.rank {
            return left.rank < right.rank
        }
        return left.parts.count > right.parts.count
    }
}

extension RoutePattern {
    /// The first part, where every matching path has the same.
    var firstLiteral: String? { if case .literal(let word)? = parts.first { word } else { nil } }
}

extension RoutePattern.Part {
    fileprivate var rank: Int {
        switch self {
        case .literal: 0
        case .parameter: 1
        case .rest: 2
        }
    }
}
