internal import Feed
internal import StreamFormats

/// Decides which changes of the title begin a new track.
///
/// A change is believed once the new title has stood for a while. What is shorter belongs to the track before it, and a
/// title that comes back was never gone: idents, empty titles and slogans in mid song break nothing.
struct TrackPlanner: Sendable {
    /// One believed change.
    struct Change: Sendable, Hashable {
        /// Seconds at which the metadata came.
        var at: Double
        var text: TitleText
        /// The container itself says where it begins: there is nothing to search.
        var isExact = false
        /// Place in the feed, by which a title is known.
        var feedPosition: StreamPosition?
    }

    private let rules: TrackRules
    /// What the running track is called.
    private(set) var current: TitleText?
    private(set) var currentPosition: StreamPosition?
    private var started = 0.0
    private var pending: [Change] = []
    private var renaming: Change?

    /// Whether a first piece that is too short is the beginning of what follows.
    private let joinsFirst: Bool

    init(rules: TrackRules, joinsFirst: Bool = true) {
        self.rules = rules
        self.joinsFirst = joinsFirst
    }

    /// The newest title, while it has not stood for long enough.
    var awaited: Change? { pending.last }

    /// Seconds from which audio must still be at hand, for a cut that may come.
    var earliestOpen: Double? { pending.first?.at }

    mutating func title(
        _ text: TitleText, at seconds: Double, isExact: Bool = false, feedPosition: StreamPosition? = nil
    ) {
        guard let current else {
            self.current = text
            currentPosition = feedPosition
            // Audio comes before the first title of a connection, and is most likely of the same song.
            renaming = Change(at: seconds, text: text, isExact: isExact, feedPosition: feedPosition)
            return
        }
        if Self.same(text, current) {
            // Back again: all that was between is part of it. A piece that had lasted would have been believed.
            pending = []
        } else if let last = pending.last, Self.same(text, last.text) {
            return
        } else {
            pending.append(Change(at: seconds, text: text, isExact: isExact, feedPosition: feedPosition))
        }
    }

    /// Time goes on.
    /// - Returns: the changes that are believed now, in order. More than one where a pause had its own length.
    mutating func advance(to seconds: Double) -> [Change] {
        guard let last = pending.last, seconds - last.at >= patience(last.text) else { return [] }
        var believed: [Change] = []
        for (index, change) in pending.enumerated() {
            let end = index + 1 < pending.count ? pending[index + 1].at : seconds
            if end - change.at >= rules.leastPieceSeconds { believed.append(change) }
        }
        pending = []
        current = last.text
        currentPosition = last.feedPosition
        if joinsFirst, let first = believed.first, first.at - started < rules.leastPieceSeconds, started == 0
        {
            renaming = believed.removeFirst()
        }
        started = believed.last?.at ?? started
        return believed
    }

    /// What the first piece has become the beginning of, once: it had no title, or was too short to be a track.
    mutating func takeRenaming() -> Change? {
        defer { renaming = nil }
        return renaming
    }

    /// The station's charset is known now.
    mutating func reread(_ old: TitleText, as new: TitleText) {
        if current == old { current = new }
        for index in pending.indices where pending[index].text == old { pending[index].text = new }
    }

    /// Songs are believed sooner than what may be a short interruption of one.
    private func patience(_ text: TitleText) -> Double {
        text.kind == .track ? rules.leastPieceSeconds : max(rules.returnSeconds, rules.leastPieceSeconds)
    }

    /// Stations spell the same title with other blanks and capitals at times.
    static func same(_ left: TitleText, _ right: TitleText) -> Bool {
        left == right || key(left) == key(right)
    }

    private static func key(_ text: TitleText) -> String {
        String(text.text.lowercased().filter { !$0.isWhitespace })
    }
}
