import Platform
import StreamFormats

/// Decides which segments of a live playlist to fetch, and when to look at the playlist again (RFC 8216 §6.3). Pure.
///
/// Three things look alike and are told apart here: a list from a cache that lags (wait), a server that began to count
/// anew (start over), and a window that has moved on past us (go on with what is still there, and say what is missing).
struct HLSPlanner: Sendable {
    enum Item: Sendable, Hashable {
        case fetch(HLSMedia.Segment)
        /// So many seconds are known to be missing here.
        case missed(Double)
    }

    /// A live stream is joined so many target durations before its end (RFC 8216 §6.3.3).
    static let backlog = 3.0
    /// Nothing new for so many target durations is a stall.
    static let patience = 3.0
    /// No playlist is asked for more often.
    static let shortestReload = 1.0
    /// Addresses remembered of segments gone by.
    private static let memory = 64

    private(set) var items: [Item] = []
    private(set) var isEnded = false
    /// Seconds; the longest segment as told, or as seen.
    private(set) var target = 6.0
    /// When there was something new last.
    private(set) var lastNews: MonotonicTime?
    /// The sequence number that comes next; nil before the first list.
    private(set) var nextSequence: Int?
    private var known: [Int: Substring] = [:]
    private var strangeLists = 0
    private var behindSince: MonotonicTime?
    private var wasNews = false

    /// Takes the next thing to do.
    mutating func next() -> Item? { items.isEmpty ? nil : items.removeFirst() }

    /// Seconds from the begin of the last load to the next one.
    var reloadDelay: Double { max(Self.shortestReload, wasNews ? target : target / 2) }

    /// There has been nothing new for too long.
    func isStalled(at now: MonotonicTime) -> Bool {
        guard let lastNews, items.isEmpty, !isEnded else { return false }
        return now.seconds(since: lastNews) >= Self.patience * target
    }

    /// The playlist has been loaded.
    mutating func take(_ media: HLSMedia, now: MonotonicTime) {
        let longest = media.segments.map { $0.duration.inSeconds }.max() ?? 0
        let told = media.targetDuration.inSeconds
        target = min(max(told > 0 ? told : longest, 1), 60)
        wasNews = false
        if lastNews == nil { lastNews = now }
        defer { if media.isEnded { isEnded = true } }
        guard let last = media.segments.last else { return }
        guard let next = nextSequence else { return start(media, now: now) }
        if hasRestartedInPlace(media, next: next) { return start(media, now: now) }
        if last.sequence >= next { return goOn(media, from: next, now: now) }
        if last.sequence < next - 1 { lookBehind(media, now: now) } else { behindSince = nil }
    }

    // MARK: The cases

    private mutating func start(_ media: HLSMedia, now: MonotonicTime) {
        var wanted = media.segments[...]
        if !media.isEnded {
            var seconds = 0.0
            let first = media.segments.lastIndex { segment in
                seconds += segment.duration.inSeconds
                return seconds >= Self.backlog * target
            }
            wanted = media.segments[(first ?? 0)...]
        }
        known = [:]
        add(wanted, of: media, now: now)
    }

    private mutating func goOn(_ media: HLSMedia, from next: Int, now: MonotonicTime) {
        let fresh = media.segments.drop { $0.sequence < next }
        if let first = fresh.first, first.sequence > next {
            let average =
                media.segments.reduce(0) { $0 + $1.duration.inSeconds } / Double(media.segments.count)
            let counted = Double(first.sequence - next) * average
            // A jump of the numbers alone is no proof: no more can be missing than time has gone by.
            let elapsed = lastNews.map { now.seconds(since: $0) } ?? counted
            items.append(.missed(min(counted, max(elapsed, target))))
        }
        add(fresh, of: media, now: now)
    }

    private mutating func add(
        _ segments: ArraySlice<HLSMedia.Segment>, of media: HLSMedia, now: MonotonicTime
    ) {
        for segment in segments {
            items.append(segment.isGap ? .missed(segment.duration.inSeconds) : .fetch(segment))
            nextSequence = segment.sequence + 1
        }
        for segment in media.segments.suffix(Self.memory) { known[segment.sequence] = Self.place(segment) }
        if let nextSequence { known = known.filter { $0.key >= nextSequence - Self.memory } }
        wasNews = !segments.isEmpty
        if wasNews { lastNews = now }
        strangeLists = 0
        behindSince = nil
    }

    /// The list ends before what we have seen: a cache that lags, or a new count.
    private mutating func lookBehind(_ media: HLSMedia, now: MonotonicTime) {
        let common = media.segments.filter { known[$0.sequence] != nil }
        let isStrange = common.isEmpty || common.contains { known[$0.sequence] != Self.place($0) }
        strangeLists = isStrange ? strangeLists + 1 : 0
        let since = behindSince ?? now
        behindSince = since
        if strangeLists >= 2 || now.seconds(since: since) >= Self.patience * target { start(media, now: now) }
    }

    /// Numbers that we know stand before addresses that we do not.
    private func hasRestartedInPlace(_ media: HLSMedia, next: Int) -> Bool {
        let common = media.segments.filter { known[$0.sequence] != nil }
        guard let last = media.segments.last, last.sequence >= next - 1, !common.isEmpty else { return false }
        return common.allSatisfy { known[$0.sequence] != Self.place($0) }
    }

    /// The address without its query, which may hold a token that is new each time, and the range.
    private static func place(_ segment: HLSMedia.Segment) -> Substring {
        let path = segment.url.prefix { $0 != "?" }
        guard let range = segment.range else { return path }
        return "\(path)@\(range.offset)"
    }
}

extension Duration {
    /// The same as a number, for arithmetic with other seconds.
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
