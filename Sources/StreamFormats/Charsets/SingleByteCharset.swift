/// A charset in which every byte is a character and the lower half is ASCII.
package struct SingleByteCharset: Sendable {
    /// The name that settings, the catalogue and the guess use: `windows-1251`, `koi8-r`.
    package let name: String
    /// What 80–FF stand for.
    private let upper: [Unicode.Scalar]
    /// The same the other way round.
    private let bytes: [Unicode.Scalar: UInt8]

    /// - Parameter upper: the 128 characters of 80–FF.
    init(_ name: String, upper: String) {
        self.name = name
        self.upper = Array(upper.unicodeScalars)
        bytes = Dictionary(
            zip(self.upper, UInt8(0x80)...0xFF).filter { $0.0 != "\u{FFFD}" }, uniquingKeysWith: min)
        precondition(self.upper.count == 128, "the table of \(name) has not 128 characters")
    }

    /// A charset of the ISO 8859 family, in which 80–9F are the C1 controls.
    /// - Parameter iso: the 96 characters of A0–FF.
    init(_ name: String, iso: String) {
        var upper = String.UnicodeScalarView()
        for byte in UInt8(0x80)..<0xA0 { upper.append(Unicode.Scalar(byte)) }
        self.init(name, upper: String(upper) + iso)
    }

    /// Looks one up. Case and punctuation are not compared, so that `CP1251`, `Windows_1251` and `win-1251` are one;
    /// Latin-1, Latin-5 and TIS-620 are read as the Windows charsets that hold them, as browsers do.
    package init?(name: String) {
        let key = Self.folded(name)
        guard let found = Self.byKey[Self.aliases[key] ?? key] else { return nil }
        self = found
    }

    /// The text; it never fails. A byte without a meaning becomes U+FFFD.
    package func decode(_ bytes: some Collection<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(scalar(byte)) }
        return String(text)
    }

    /// The bytes of a text in this charset; nil when one of its characters is not in it.
    package func encode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            guard let byte = byte(for: scalar) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    func byte(for scalar: Unicode.Scalar) -> UInt8? {
        scalar.isASCII ? UInt8(truncatingIfNeeded: scalar.value) : bytes[scalar]
    }

    /// True for the charsets of Western Europe, which share their letters with Latin-1.
    var isWestern: Bool { ["windows-1252", "iso-8859-15", "macintosh", "windows-1254"].contains(name) }

    func scalar(_ byte: UInt8) -> Unicode.Scalar {
        byte < 0x80 ? Unicode.Scalar(byte) : upper[Int(byte & 0x7F)]
    }

    private static let byKey = Dictionary(uniqueKeysWithValues: all.map { (folded($0.name), $0) })

    /// Small letters and digits alone: `ISO_8859-1` is `iso88591`.
    private static func folded(_ name: String) -> String {
        String(
            decoding: ASCII.lowered(name.utf8.filter { ASCII.isLetter($0) || ASCII.isDigit($0) }),
            as: UTF8.self)
    }

    private static let aliases: [String: String] = {
        var aliases = [
            "latin1": "windows1252", "iso88591": "windows1252", "ascii": "windows1252",
            "usascii": "windows1252",
            "latin2": "iso88592", "latin3": "iso88593", "latin4": "iso88594", "cyrillic": "iso88595",
            "arabic": "iso88596", "greek": "iso88597", "hebrew": "iso88598",
            "latin5": "windows1254", "iso88599": "windows1254", "latin6": "iso885910", "latin9": "iso885915",
            "latin10": "iso885916", "iso885911": "windows874", "tis620": "windows874",
            "koi8": "koi8r", "cp866": "ibm866", "866": "ibm866", "maccyrillic": "xmaccyrillic",
            "macroman": "macintosh",
        ]
        for number in ["874"] + (1250...1258).map(String.init) {
            for prefix in ["cp", "win", "ms", "ansi", "xcp", ""] {
                aliases[prefix + number] = "windows" + number
            }
        }
        return aliases
    }()
}
