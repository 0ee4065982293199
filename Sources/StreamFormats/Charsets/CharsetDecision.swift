/// Decodes a multi-byte charset by name; nil when it is not known or the bytes are not in it.
///
/// The pure room holds tables for the single-byte ones alone; the rest comes from outside (`CharsetGuesser.decode`).
package typealias CharsetDecoder = @Sendable (_ bytes: [UInt8], _ charset: String) -> String?

/// Which charset a station's text is read with, in this order: what the bytes themselves prove (UTF-16 with a mark, UTF-8
/// through and through), the station's setting, what was learned, Windows-1252. Double encoding is undone.
package struct CharsetDecision: Sendable {
    private let setting: String?
    private let learned: String?
    private let decoder: CharsetDecoder?

    package init(setting: String? = nil, learned: String? = nil, decoder: CharsetDecoder? = nil) {
        self.setting = setting
        self.learned = learned
        self.decoder = decoder
    }

    /// - Parameters:
    ///   - encoding: what the carrier says. `latin1` is not believed: many write it over anything.
    ///   - isCut: the text may end inside a character, because its carrier was full.
    package func decode(_ bytes: [UInt8], encoding: RawTitle.Encoding = .unknown, isCut: Bool = false)
        -> String
    {
        if encoding == .utf16 { return UTF16Text.decode(bytes) }
        let bytes = bytes.starts(with: UTF8Text.mark) ? Array(bytes.dropFirst(3)) : bytes
        if let text = UTF8Text.strict(bytes) ?? UTF8Text.cut(bytes, isFull: isCut) {
            return Mojibake.undone(text, charset: setting ?? learned)
        }
        for name in [setting, learned] {
            if let name, let text = decode(bytes, as: name) { return text }
        }
        return SingleByteCharset.windows1252.decode(bytes)
    }

    private func decode(_ bytes: [UInt8], as name: String) -> String? {
        if let charset = SingleByteCharset(name: name) { return charset.decode(bytes) }
        return decoder?(bytes, name)
    }
}
