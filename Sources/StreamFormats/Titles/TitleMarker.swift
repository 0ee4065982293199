/// A control mark of the playout that leaked into the title: `START_AD_BREAK_6000`, `AD 2`, `Advertisement_Stop`.
struct TitleMarker {
    var text: String
    var kind: TitleClass
    var duration: Duration?

    private static let advertWords: Set<String> = [
        "AD", "ADS", "ADBREAK", "ADVERT", "ADVERTISEMENT", "ADVERTISING", "COMMERCIAL", "SPOT", "SPOTBLOCK",
    ]
    private static let otherWords: Set<String> = [
        "START", "STOP", "BEGIN", "END", "BREAK", "BLOCK", "LENGTH", "DURATION", "ID", "IN", "OUT",
    ]
    private static let longest = 100
    /// From here on a number is milliseconds rather than a count.
    private static let shortest = 1000

    /// Nil for a title that is no mark.
    init?(_ title: String) {
        guard title.utf8.count <= Self.longest else { return nil }
        let text = TitleCleaner.cleaned(title)
        let words = text.uppercased().split { "_ =".contains($0) }.map(String.init)
        guard (1...12).contains(words.count) else { return nil }
        if Self.isAdvert(words) {
            let ends = words.contains { ["STOP", "END", "OUT"].contains($0) }
            self.text = ends ? "" : text
            kind = ends ? .none : .advert
            duration = ends ? nil : words.lazy.compactMap(Self.duration).first
        } else if Self.isToken(text) {
            self.text = text
            kind = .ident
        } else {
            return nil
        }
    }

    /// Words of advertising with nothing but numbers, times and control words beside them.
    private static func isAdvert(_ words: [String]) -> Bool {
        words.contains { advertWords.contains($0) } && words.count > 1
            && words.allSatisfy { advertWords.contains($0) || otherWords.contains($0) || isNumber($0) }
    }

    private static func isNumber(_ word: String) -> Bool {
        word.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    }

    private static func duration(_ word: String) -> Duration? {
        if let clock = TitleTime.clock(word) { return clock }
        guard let number = ASCII.number(Array(word.utf8)), number >= shortest else { return nil }
        return TitleTime.milliseconds(Array(word.utf8))
    }

    /// One word of at least four capitals, digits and underscores, letters among them: nobody's song is written so.
    private static func isToken(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.count >= 4 && bytes.contains(where: ASCII.isLetter)
            && bytes.allSatisfy { (0x41...0x5A).contains($0) || ASCII.isDigit($0) || $0 == 0x5F }
    }
}
