internal import StreamFormats

/// Which stations send the same programme in different qualities, so that a listener on a thin line can change to less.
///
/// The station files may say it (`programme`); otherwise stations of one country are the same programme when their names
/// are, apart from words that tell a quality: `Groove Salad 128k MP3` and `Groove Salad (32 kbit/s AAC+)`.
package enum ProgrammeQualities {
    /// Stations of a programme that are listed; a directory may have hundreds of copies of a famous one.
    private static let most = 50

    /// Words of a name that tell a quality and no programme.
    private static let words: Set<String> = [
        "kbps", "kbit", "kbits", "kb", "s", "mp3", "aac", "aacp", "he", "ogg", "opus", "flac", "vorbis",
        "hls",
        "hq", "lq", "hd", "hi", "lo", "high", "low", "quality", "mobile", "lossless", "stream", "bitrate",
    ]
    /// Bit rates that stations put into their names; other numbers, as in `Radio 2`, are the programme.
    private static let rates: Set<Int> = [
        16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
    ]

    /// What stations of one programme have in common; nil for a name that says nothing but a quality.
    static func key(_ station: Station) -> String? {
        if let programme = station.programme { return "programme \(programme.lowercased())" }
        let kept = SearchText.words(station.name).filter { !isQuality($0) }
        guard !kept.isEmpty else { return nil }
        return (kept + [station.country ?? ""]).joined(separator: " ")
    }

    private static func isQuality(_ word: String) -> Bool {
        if words.contains(word) { return true }
        let digits = word.prefix { $0.isASCII && $0.isNumber }
        guard let rate = Int(digits), rates.contains(rate) else { return false }
        let unit = word.dropFirst(digits.count)
        return unit.isEmpty || ["k", "kb", "kbps", "kbit"].contains(String(unit))
    }

    /// The stations among `candidates` that send what `station` sends, itself first where it is the best: by bit rate,
    /// falling; those that do not tell theirs last.
    static func of(_ station: CatalogueStation, among candidates: [CatalogueStation]) -> [CatalogueStation] {
        guard let key = key(station.station) else { return [station] }
        let others = candidates.filter { $0.id != station.id && Self.key($0.station) == key }
        return ([station] + others.prefix(most - 1)).sorted { rate($0) > rate($1) }
    }

    private static func rate(_ station: CatalogueStation) -> Int { station.station.bitrate ?? 0 }
}

extension StationCatalogue {
    /// A station and the others that send the same programme, by bit rate, falling. Blocks.
    package func qualities(of station: CatalogueStation) throws -> [CatalogueStation] {
        if station.station.programme != nil {
            return ProgrammeQualities.of(station, among: snapshot.visible)
        }
        // The words that all of them have find them; the key decides.
        var query = StationQuery(ProgrammeQualities.key(station.station) ?? "")
        query.limit = StationQuery.largestLimit
        return ProgrammeQualities.of(station, among: try search(query))
    }
}
