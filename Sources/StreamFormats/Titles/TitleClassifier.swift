/// Says what a title is: a track, an advert, the station speaking of itself, talk, or nothing. `docs/titles.md` has the
/// order of the questions and the words.
struct TitleClassifier: Sendable {
    private let rules: TitleRules
    /// Folded names of the station, and the parts of them between dashes and bars.
    private let names: Set<String>
    /// A name in a longer text is believed from so many letters on.
    private static let shortestName = 6
    private static let longestLooked = 400

    init(rules: TitleRules, names: [String]) {
        self.rules = rules
        let parts = names.flatMap { name in
            [name] + name.split { "|:(–—".contains($0) }.map(String.init) + Self.dashed(name)
        }
        self.names = Set(parts.map(TextPattern.folded).filter { $0.count > 1 })
    }

    private static func dashed(_ name: String) -> [String] {
        name.firstRange(of: " - ").map { [String(name[..<$0.lowerBound])] } ?? []
    }

    func kind(of text: TitleText, raw: RawTitle, words: TitleWords?) -> TitleClass {
        if rules.tracks.contains(where: { TextPattern.matches(text.text, $0) }) { return .track }
        if raw.isAdvert { return .advert }
        guard let words, !text.text.isEmpty else { return .none }
        if let kind = ruled(text.text) { return kind }
        if let told = words.told { return told }
        // No word makes something else of a text as long as this, and looking costs.
        guard text.text.utf8.count <= Self.longestLooked else { return .track }
        if let kind = named(text, raw: raw) { return kind }
        if TitleWords.isAddress(text.text)
            || text.text.lowercased().hasPrefix("www.") && !text.text.contains(" ")
        {
            return .ident
        }
        return rules.usesBuiltInWords ? TitleWordTable.kind(of: text) ?? repeated(text) : .track
    }

    private func ruled(_ text: String) -> TitleClass? {
        let lists: [(TitleClass, [String])] = [
            (.none, rules.nothing), (.advert, rules.adverts), (.ident, rules.idents), (.talk, rules.talk),
        ]
        return lists.first { $0.1.contains { TextPattern.matches(text, $0) } }?.0
    }

    /// The station's own name, as the whole, as either side, or inside a text that has no sides.
    private func named(_ text: TitleText, raw: RawTitle) -> TitleClass? {
        let whole = TextPattern.folded(text.text)
        if names.contains(whole) { return raw.source == .extinf ? TitleClass.none : .ident }
        if let artist = text.artist, let title = text.title {
            let sides = [TextPattern.folded(artist), TextPattern.folded(title)]
            return sides.contains(where: names.contains) ? .ident : nil
        }
        let isInside = names.contains { $0.count >= Self.shortestName && whole.contains($0) }
        return isInside ? .ident : nil
    }

    /// `Traffic - Traffic` is a label, though some albums are called like their band.
    private func repeated(_ text: TitleText) -> TitleClass {
        guard let artist = text.artist, let title = text.title else { return .track }
        let side = TextPattern.folded(artist)
        guard side == TextPattern.folded(title) else { return .track }
        return side.utf8.allSatisfy(ASCII.isDigit)
            ? .none : TitleWordTable.talk.contains(side) ? .talk : .ident
    }
}
