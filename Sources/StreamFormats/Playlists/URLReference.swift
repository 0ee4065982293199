/// Joins the addresses of a list with the address of the list (RFC 3986 §5.2), and changes not a byte that it need not.
///
/// Station addresses hold what URL libraries like to tidy up: `/;`, `/;stream.nsv`, tokens with `~` and `%2f`.
package struct URLReference: Sendable, Hashable {
    /// Longer addresses are refused.
    package static let longest = 4096

    private var scheme: Substring?
    private var authority: Substring?
    private var path: Substring
    private var query: Substring?

    /// Takes an address apart; a fragment is dropped.
    private init(_ text: String) {
        var rest = text[...]
        if let mark = rest.firstIndex(of: "#") { rest = rest[..<mark] }
        if let mark = rest.firstIndex(of: "?") {
            query = rest[rest.index(after: mark)...]
            rest = rest[..<mark]
        }
        if let colon = Self.schemeEnd(rest) {
            scheme = rest[..<colon]
            rest = rest[rest.index(after: colon)...]
        }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = rest[..<end]
            rest = rest[end...]
        }
        path = rest
    }

    private static func schemeEnd(_ text: Substring) -> String.Index? {
        guard let colon = text.firstIndex(of: ":"), let first = text.utf8.first, ASCII.isLetter(first) else {
            return nil
        }
        let isScheme = text[..<colon].utf8.allSatisfy { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || "+-.".utf8.contains(byte)
        }
        return isScheme ? colon : nil
    }

    /// The absolute address that a reference means, seen from `base`; nil when it is none.
    ///
    /// The result is http or https unless `reference` itself has another scheme; that is for the caller to judge.
    package static func resolve(_ reference: String, against base: String?) -> String? {
        guard reference.utf8.count <= longest else { return nil }
        let target = URLReference(reference)
        if target.scheme != nil { return target.text }
        guard let base, case let base = URLReference(base), base.scheme != nil, base.authority != nil else {
            return nil
        }
        return target.joined(to: base).text
    }

    private func joined(to base: URLReference) -> URLReference {
        var result = self
        result.scheme = base.scheme
        if authority != nil { return result }
        result.authority = base.authority
        if path.isEmpty {
            result.path = base.path
            if query == nil { result.query = base.query }
        } else if !path.hasPrefix("/") {
            let folder = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? "/"
            result.path = Self.withoutDots(folder + path)
        } else {
            result.path = Self.withoutDots(path)
        }
        return result
    }

    /// Resolves `.` and `..`; a path without them comes back as it is.
    private static func withoutDots(_ path: Substring) -> Substring {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.contains(where: { $0 == "." || $0 == ".." }) else { return path }
        var kept: [Substring] = []
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            if part == ".." {
                if kept.count > 1 { kept.removeLast() }
                if isLast { kept.append("") }
            } else if part == "." {
                if isLast { kept.append("") }
            } else {
                kept.append(part)
            }
        }
        return kept.joined(separator: "/")[...]
    }

    private var text: String {
        var text = ""
        if let scheme { text += scheme.lowercased() + ":" }
        if let authority { text += "//" + authority }
        text += path
        if let query { text += "?" + query }
        return text
    }

    /// The scheme in lower case, if the text starts with one.
    package static func scheme(of text: String) -> String? { URLReference(text).scheme?.lowercased() }

    /// The text with each blank written `%20`; by scalars, for a blank with an accent on it is one `Character`.
    static func withoutBlanks(_ text: String) -> String {
        guard text.utf8.contains(0x20) else { return text }
        return text.unicodeScalars.reduce(into: "") { kept, scalar in
            if scalar == " " { kept += "%20" } else { kept.unicodeScalars.append(scalar) }
        }
    }

    /// True when there is a host to go to.
    static func hasHost(_ text: String) -> Bool {
        guard let authority = URLReference(text).authority else { return false }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return !host.isEmpty && !host.hasPrefix(":")
    }
}
