/// Reads one station's raw titles: decodes, cleans, takes apart, classifies. Pure: the same title always reads alike.
package struct TitleReader: Sendable {
    private let charset: String?
    private let rules: TitleRules
    private let station: String?
    private let decoder: CharsetDecoder?

    /// - Parameters:
    ///   - charset: the station's setting, if there is one.
    ///   - rules: the station's rules.
    ///   - station: the station's name, to know its announcements by.
    ///   - decoder: reads the charsets that this room has no table for.
    package init(
        charset: String? = nil, rules: TitleRules = TitleRules(), station: String? = nil,
        decoder: CharsetDecoder? = nil
    ) {
        self.charset = charset
        self.rules = rules
        self.station = station
        self.decoder = decoder
    }

    /// The title as people read it.
    /// - Parameter learned: what the guess over the station's history says, used where there is no setting.
    package func read(_ raw: RawTitle, learned: String? = nil) -> TitleText {
        let decision = CharsetDecision(setting: charset, learned: learned, decoder: decoder)
        let text = TitleCleaner.cleaned(decision.decode(raw.text))
        guard !text.isEmpty else { return TitleText(text: "", kind: raw.isAdvert ? .advert : .none) }
        return TitleText(text: text, kind: raw.isAdvert ? .advert : .track)
    }
}
