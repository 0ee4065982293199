/// Makes text fit to be sent as a header's value.
package enum HeaderText {
    /// Longest value sent, in bytes, unless told otherwise.
    package static let limit = 2048
    /// Longest value of a header that repeats what a station said of itself.
    package static let stationLimit = 256

    /// The text without C0, DEL and C1, cut on a character's boundary to at most `limit` bytes of UTF-8, trimmed. No value
    /// can end its line, so none can forge another.
    package static func cleaned(_ text: some StringProtocol, limit: Int = limit) -> String {
        let isControl = { (scalar: Unicode.Scalar) in
            scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
        }
        guard
            text.utf8.count > limit || text.unicodeScalars.contains(where: isControl)
                || text.first == " " || text.last == " "
        else { return String(text) }
        var clean = ""
        var length = 0
        for scalar in text.unicodeScalars where !isControl(scalar) {
            length += UTF8.width(scalar)
            if length > limit { break }
            clean.unicodeScalars.append(scalar)
        }
        return String(ASCIIText.trimmed(clean))
    }
}
