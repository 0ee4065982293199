/// Text that was encoded twice: UTF-8 taken for a single-byte charset and encoded again, or the bytes of another charset
/// taken for Latin-1 and encoded.
enum Mojibake {
    /// What was meant, or the text itself where nothing speaks against it.
    /// - Parameter charset: the station's charset, set or learned, if there is one.
    static func undone(_ text: String, charset: String?) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        var meant = text
        // Twice is seen; more often is somebody's joke.
        for _ in 0..<2 {
            guard let inner = utf8Inside(meant) else { break }
            meant = inner
        }
        guard meant == text, let charset, let table = SingleByteCharset(name: charset) else { return meant }
        return latin1Inside(text, as: table) ?? text
    }

    /// The text whose UTF-8 bytes were read as Windows-1252 (`CafÃ©`) or Windows-1251 (`РђСЂС‚`).
    private static func utf8Inside(_ text: String) -> String? {
        if let bytes = windows1252Bytes(text), let inner = UTF8Text.strict(bytes), inner != text {
            return inner
        }
        // In Windows-1251 the lead bytes are letters, so one character alone proves nothing.
        guard let bytes = SingleByteCharset.windows1251.encode(text), bytes.count(where: { $0 >= 0xC2 }) > 2
        else { return nil }
        guard let inner = UTF8Text.strict(bytes), inner != text else { return nil }
        return inner
    }

    /// The bytes of a text as Windows-1252, in which a C1 control stands for the byte that has no meaning there.
    static func windows1252Bytes(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            let lone = scalar.value < 0x100 ? UInt8(scalar.value) : nil
            guard let byte = SingleByteCharset.windows1252.byte(for: scalar) ?? lone else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// The text whose bytes in the station's own charset were read as Latin-1: `Àðòèñò` on a Windows-1251 station.
    private static func latin1Inside(_ text: String, as charset: SingleByteCharset) -> String? {
        guard !charset.isWestern, let bytes = windows1252Bytes(text) else { return nil }
        let meant = charset.decode(bytes)
        return WordShape.mixesScripts(meant) ? nil : meant
    }
}
