/// Parts a plain title into artist and title, by the station's rules.
struct TitleSplitter {
    let rules: TitleRules

    /// Nil when nothing is left of it.
    func split(_ cleaned: String, hints: TitleHints) -> TitleWords? {
        let text = Self.trimmed(withoutClock(stripped(cleaned)))
        guard !text.isEmpty else { return nil }
        var words = TitleWords(text: text)
        guard let (left, right) = rules.keepsWhole ? nil : parts(of: text) else {
            // A dash in front says that the artist is missing, not the title.
            if text != cleaned, Self.startsWithDash(cleaned) { words.title = text }
            return words
        }
        let swaps = rules.swapsArtistAndTitle || Self.isSwapped(left, right, hints)
        words.artist = swaps ? right : left
        words.title = swaps ? left : right
        return words
    }

    private func stripped(_ text: String) -> String {
        var text = text
        for prefix in rules.stripPrefixes where TextPattern.hasPrefix(text, prefix) {
            text = String(text.dropFirst(prefix.count))
        }
        for suffix in rules.stripSuffixes where TextPattern.hasSuffix(text, suffix) {
            text = String(text.dropLast(suffix.count))
        }
        return text
    }

    /// A player's clock that stands at nothing: `A - B - 0:00`. Other times may belong to the title.
    private func withoutClock(_ text: String) -> String {
        for clock in [" - 0:00", " - 00:00", " - 0:00:00", " - 00:00:00"] where text.hasSuffix(clock) {
            return String(text.dropLast(clock.count))
        }
        return text
    }

    /// The two sides of the first separator. A side without a letter or digit is none.
    private func parts(of text: String) -> (String, String)? {
        let found = rules.separators.filter { !$0.isEmpty }.compactMap { text.firstRange(of: $0) }
        guard let first = found.min(by: { $0.lowerBound < $1.lowerBound }) else { return nil }
        let left = Self.trimmed(String(text[..<first.lowerBound]))
        let right = Self.trimmed(String(text[first.upperBound...]))
        return left.isEmpty || right.isEmpty ? nil : (left, right)
    }

    /// The carrier names both in a second place, the other way round.
    private static func isSwapped(_ left: String, _ right: String, _ hints: TitleHints) -> Bool {
        guard let artist = hints.artist, let title = hints.title else { return false }
        let folded = (TextPattern.folded(left), TextPattern.folded(right))
        return folded == (TextPattern.folded(title), TextPattern.folded(artist)) && folded.0 != folded.1
    }

    private static func isDash(_ character: Character) -> Bool { "-–—_~".contains(character) }

    private static func startsWithDash(_ text: String) -> Bool {
        text.first.map { "-–—".contains($0) } ?? false
    }

    /// Without dashes that stand alone at the ends; `J-Zed` and `-ish` keep theirs.
    static func trimmed(_ text: String) -> String {
        var text = TitleCleaner.cleaned(text)
        while let first = text.first, isDash(first),
            text.dropFirst().first.map({ $0 == " " || isDash($0) }) ?? true
        {
            text = TitleCleaner.cleaned(String(text.dropFirst()))
        }
        while let last = text.last, isDash(last),
            text.dropLast().last.map({ $0 == " " || isDash($0) }) ?? true
        {
            text = TitleCleaner.cleaned(String(text.dropLast()))
        }
        return text
    }
}
