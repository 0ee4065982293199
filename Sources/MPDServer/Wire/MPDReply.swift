/// The data lines of one answer, `key: value` each.
package struct MPDReply: Sendable, Hashable {
    package private(set) var text = ""

    package init() {}

    /// A line. What came from a station cannot begin another one.
    package mutating func pair(_ key: String, _ value: String) {
        text += key
        text += ": "
        text += Self.plain(value)
        text += "\n"
    }

    package mutating func pair(_ key: String, _ value: Int) { pair(key, String(value)) }

    /// A line where there is something to say.
    mutating func pair(_ key: String, ifAny value: String?) {
        if let value, !value.isEmpty { pair(key, value) }
    }

    /// A truth, as 0 or 1.
    mutating func pair(_ key: String, _ value: Bool) { pair(key, value ? "1" : "0") }

    mutating func append(_ other: String) { text += other }

    /// The text with every control character as a blank.
    static func plain(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { plain.append(isControl(scalar) ? " " : scalar) }
        return String(plain)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
}
