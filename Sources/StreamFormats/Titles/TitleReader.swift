/// Reads one station's raw titles: decodes, cleans, takes apart, classifies. Pure: the same title always reads alike.
package struct TitleReader: Sendable {
    /// More bytes than this of one title are not looked at.
    private static let longestRaw = 8 << 10

    private let charset: String?
    private let rules: TitleRules
    private let classifier: TitleClassifier
    private let decoder: CharsetDecoder?

    /// - Parameters:
    ///   - charset: the station's setting, if there is one.
    ///   - rules: the station's rules.
    ///   - names: what the station calls itself (catalogue, `icy-name`), to know its announcements by.
    ///   - decoder: reads the charsets that this room has no table for.
    package init(
        charset: String? = nil, rules: TitleRules = TitleRules(), names: [String] = [],
        decoder: CharsetDecoder? = nil
    ) {
        self.charset = charset
        self.rules = rules
        self.classifier = TitleClassifier(rules: rules, names: names)
        self.decoder = decoder
    }

    /// The title as people read it.
    /// - Parameter learned: what the guess over the station's history says, used where there is no setting.
    package func read(_ raw: RawTitle, learned: String? = nil) -> TitleText {
        let decision = CharsetDecision(setting: charset, learned: learned, decoder: decoder)
        let hints = TitleHints(raw, decision: decision)
        let words = fields(of: raw, decision: decision, hints: hints)
        var text = words.map(spoken) ?? .none
        text.kind = classifier.kind(of: text, raw: raw, words: words)
        if text.kind == .none { text = .none }
        text.details = details(words: words, hints: hints)
        return text
    }

    /// What the title says, taken apart as far as its form allows; nil when it says nothing.
    private func fields(of raw: RawTitle, decision: CharsetDecision, hints: TitleHints) -> TitleWords? {
        let isFull = raw.block.count >= IcyBlockWriter.longest - 15
        let text = decision.decode(
            Array(raw.text.prefix(Self.longestRaw)), encoding: raw.encoding, isCut: isFull)
        if let artist = raw.artist.map({
            decision.decode(Array($0.prefix(Self.longestRaw)), encoding: raw.encoding)
        }) {
            return TitleWords(artist: plain(artist), title: plain(text))
        }
        switch TitleForm(text) {
        case .nothing: return nil
        case .fields(let fields): return TitleWords(fields: fields, clean: plain)
        case .plain(let text):
            if let marker = TitleMarker(text) { return TitleWords(marker: marker) }
            return TitleSplitter(rules: rules).split(plain(text), hints: hints)
        }
    }

    private func plain(_ text: String) -> String { TitleCleaner.cleaned(HTMLEntities.decoded(text)) }

    private func spoken(_ words: TitleWords) -> TitleText {
        TitleText(
            text: TitleCleaner.cleaned(words.text), artist: words.artist, title: words.title, kind: .track)
    }

    private func details(words: TitleWords?, hints: TitleHints) -> TitleDetails {
        TitleDetails(
            duration: words?.duration ?? hints.duration, album: words?.album ?? hints.album,
            artwork: words?.artwork ?? hints.artwork, link: hints.link)
    }
}
