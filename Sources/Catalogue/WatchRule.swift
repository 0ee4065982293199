package import Platform
package import StreamFormats

/// Something that somebody waits for: an artist or a title, and what is done when it airs.
package struct WatchRule: Sendable, Hashable {
    /// Where the words are looked for.
    package enum Field: String, Sendable, Hashable, CaseIterable {
        case any, artist, title
    }

    /// What is done, beside telling whoever follows the events.
    package enum Action: String, Sendable, Hashable, CaseIterable {
        case notify, tune, record
    }

    /// 0 before it is kept.
    package var id: Int64 = 0
    package var words: String
    package var field: Field
    package var action: Action
    /// On this station alone.
    package var station: String?
    package var created: WallTime
    /// How often it has aired since, and when last.
    package var hits = 0
    package var lastHit: WallTime?

    package init(
        _ words: String, in field: Field = .any, action: Action = .notify, station: String? = nil,
        created: WallTime
    ) {
        self.words = words
        self.field = field
        self.action = action
        self.station = station
        self.created = created
    }

    /// Longest text of one, in characters.
    package static let longestWords = 200

    /// Whether this is what it waits for. The words must stand there as words, one after another; case and marks aside.
    package func matches(_ title: TitleText, on station: String) -> Bool {
        if let wanted = self.station, wanted != station { return false }
        guard title.kind == .track || title.kind == .talk else { return false }
        let texts: [String?] =
            switch field {
            case .any: [title.text]
            // A title that could not be taken apart is looked at as a whole.
            case .artist: [title.artist ?? title.text]
            case .title: [title.title ?? title.text]
            }
        let wanted = SearchText.words(words)
        return !wanted.isEmpty
            && texts.compactMap(\.self).contains { Self.holds(SearchText.words($0), wanted) }
    }

    private static func holds(_ words: [String], _ wanted: [String]) -> Bool {
        guard words.count >= wanted.count else { return false }
        return (0...words.count - wanted.count).contains { start in
            words[start..<start + wanted.count].elementsEqual(wanted)
        }
    }
}

/// Which rules a title meets. A song that is announced again, as many stations do, is met once. Pure.
package struct WatchMatcher: Sendable {
    private var lately: [String: MonotonicTime] = [:]

    /// Seconds in which the same song on the same station is the same airing.
    package static let sameAiring = 1200.0
    private static let most = 4000

    package init() {}

    /// The rules that are met by a title which begins to air.
    package mutating func met(
        by title: TitleText, on station: String, of rules: [WatchRule], at now: MonotonicTime
    ) -> [WatchRule] {
        let found = rules.filter { $0.matches(title, on: station) }
        guard !found.isEmpty else { return [] }
        if lately.count > Self.most {
            lately = lately.filter { now.seconds(since: $0.value) < Self.sameAiring }
        }
        let song = SearchText.words(title.text).joined(separator: " ")
        return found.filter { rule in
            let key = "\(rule.id) \(station) \(song)"
            let isNew = lately[key].map { now.seconds(since: $0) >= Self.sameAiring } ?? true
            lately[key] = now
            return isNew
        }
    }
}
