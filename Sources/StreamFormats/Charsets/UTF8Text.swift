/// What is UTF-8, and how text is cut without breaking a character.
package enum UTF8Text {
    /// The text when the bytes are UTF-8 through and through; nil otherwise.
    package static func strict(_ bytes: some Collection<UInt8>) -> String? {
        String(validating: bytes, as: UTF8.self)
    }

    /// The longest start of a text that fits into so many bytes and ends between characters.
    package static func prefix(of text: String, bytes limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var kept = ""
        var used = 0
        for character in text {
            used += character.utf8.count
            if used > limit { break }
            kept.append(character)
        }
        return kept
    }

    /// C0, DEL and C1.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
    }
}
