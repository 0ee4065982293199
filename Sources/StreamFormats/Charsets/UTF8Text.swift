/// What is UTF-8, and how text is cut without breaking a character.
package enum UTF8Text {
    /// The byte order mark.
    package static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The text when the bytes are UTF-8 through and through; nil otherwise.
    package static func strict(_ bytes: some Collection<UInt8>) -> String? {
        String(validating: bytes, as: UTF8.self)
    }

    /// The text of bytes that are UTF-8 but for a last character that was cut off; nil otherwise.
    ///
    /// `Caf\xe9` looks just like that, so something has to speak for it: other characters beyond ASCII, or a carrier
    /// that was full.
    static func cut(_ bytes: [UInt8], isFull: Bool) -> String? {
        guard let lead = bytes.lastIndex(where: { $0 & 0xC0 != 0x80 }), bytes[lead] >= 0xC2,
            bytes.count - lead < width(lead: bytes[lead])
        else { return nil }
        let whole = bytes[..<lead]
        guard isFull || whole.contains(where: { $0 >= 0x80 }) else { return nil }
        return strict(whole)
    }

    private static func width(lead: UInt8) -> Int {
        switch lead {
        case 0xC2..<0xE0: 2
        case 0xE0..<0xF0: 3
        case 0xF0..<0xF5: 4
        default: 1
        }
    }

    /// The longest start of a text that fits into so many bytes and ends between characters; between scalars where a
    /// single character is too long by itself.
    package static func prefix(of text: String, bytes limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var kept = ""
        var used = 0
        for character in text {
            used += character.utf8.count
            if used > limit { break }
            kept.append(character)
        }
        return kept.isEmpty ? scalars(of: text, bytes: limit) : kept
    }

    private static func scalars(of text: String, bytes limit: Int) -> String {
        var kept = String.UnicodeScalarView()
        var used = 0
        for scalar in text.unicodeScalars {
            used += UTF8.width(scalar)
            if used > limit { break }
            kept.append(scalar)
        }
        return String(kept)
    }

    /// C0, DEL and C1.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
    }
}
