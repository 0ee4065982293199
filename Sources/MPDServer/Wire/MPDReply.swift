/// The data lines of one answer, `key: value` each.
package struct MPDReply: Sendable, Hashable {
    package private(set) var text = ""
    /// Bytes that follow the lines, for the commands that give pictures.
    private(set) var binary: [UInt8]?

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

    /// A piece of a picture, from a place on.
    mutating func picture(
        _ picture: MPDPicture, from offset: Int, limit: Int, withType: Bool
    ) throws(MPDFailure) {
        guard (0...picture.bytes.count).contains(offset) else {
            throw MPDFailure(.argument, "Bad file offset")
        }
        let piece = Array(picture.bytes[offset...].prefix(limit))
        pair("size", picture.bytes.count)
        if withType { pair("type", picture.type) }
        pair("binary", piece.count)
        binary = piece
    }

    /// All of it, as it is sent.
    var bytes: [UInt8] { Array(text.utf8) + (binary.map { $0 + [0x0A] } ?? []) }

    mutating func append(_ other: String) { text += other }

    /// Seconds with their thousandths, as the protocol writes them.
    static func seconds(_ seconds: Double) -> String {
        let milliseconds = Int((min(max(seconds.isFinite ? seconds : 0, 0), 1e9) * 1000).rounded())
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }

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
