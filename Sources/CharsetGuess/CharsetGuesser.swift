import StreamFormats

/// Says which charset a station writes its titles in, from several of them together.
///
/// Our own evidence comes first: it tells Windows-1251 from KOI8-R and both from Latin-1 in a title or two, and is careful
/// with Latin letters. uchardet is asked for what that does not know, the charsets of East Asia and Thai; its word for
/// any other is not taken, because on a short text it takes Latin-1 for whatever it likes.
package enum CharsetGuesser {
    /// What uchardet may answer, in small letters.
    private static let asked: Set<String> = [
        "shift_jis", "euc-jp", "euc-kr", "uhc", "johab", "gb18030", "gb2312", "gbk", "big5", "euc-tw",
        "tis-620",
    ]

    /// - Parameters:
    ///   - samples: raw titles that are neither ASCII nor UTF-8 (`CharsetHistory.samples`).
    ///   - country: of the station, ISO 3166-1 alpha-2, where it is known.
    /// - Returns: a name for `CharsetDecision`; nil when there is not enough to go by. Takes microseconds, allocates, any
    ///   thread.
    package static func guess(_ samples: [[UInt8]], country: String? = nil) -> String? {
        switch CharsetEvidence.judge(samples, country: country) {
        case .charset(let name): return name
        case .nothing: return nil
        case .unknown:
            guard let name = Detector.name(of: Array(samples.joined(separator: [0x0A]))), asked.contains(name)
            else {
                return nil
            }
            return samples.allSatisfy { isText($0, in: name) } ? name : nil
        }
    }

    /// True when the bytes are text in that charset: they decode, and into letters of the east.
    private static func isText(_ sample: [UInt8], in charset: String) -> Bool {
        guard let text = SingleByteCharset(name: charset)?.decode(sample) ?? decode(sample, charset) else {
            return false
        }
        let beyond = text.unicodeScalars.filter { !$0.isASCII }
        let letters = beyond.count { $0.value >= 0x0E00 && $0.value != 0xFFFD }
        return letters * 10 >= beyond.count * 9
    }
}
