internal import Catalogue
internal import ControlAPI
internal import Feed
internal import Ingest
internal import JSONText
internal import Platform

/// Looks at the feeds four times a second, and when one of them falls silent. Tells followers what is new: titles, and how
/// stations are doing. Titles go into the airplay log as well, and the past of new feeds is kept from here on.
///
/// It looks instead of reading, because a reader would keep its station connected.
final class FeedWatch: Sendable {
    private struct Seen {
        var title: StreamPosition?
        var text: String?
        var doing: Doing
    }

    /// How a station is doing, as far as followers are told.
    private struct Doing: Equatable {
        var state: FeedStatus.State
        var reason: String?
        var retryAt: WallTime?
        var isArriving: Bool
        var segmentSeconds: Double?
    }

    /// Seconds between two looks; a title is told at most so late.
    private static let pause = 0.25

    private let hub: IngestHub
    private let events: EventHub
    private let airplay: AirplayLog
    private let past: PastKeeper
    private let news: Announcer<AiringNews>
    private let watchman: Watchman
    private let time: any TimeSource
    private let tidying: AirplayLog.Tidying
    private let stop = Semaphore()
    private let thread: Lock<WorkerThread?>

    init(rooms: Rooms, watchman: Watchman) {
        hub = rooms.hub
        events = rooms.events
        airplay = rooms.airplay
        past = rooms.past
        news = rooms.airingNews
        time = rooms.time
        tidying = AirplayLog.Tidying(
            keep: rooms.configuration.catalogue.airplayKeep.inSeconds, start: rooms.time.now)
        self.watchman = watchman
        thread = Lock(nil)
    }

    func start() {
        let worker = WorkerThread(name: "feed-watch") { [self] in run() }
        thread.withLock { $0 = worker }
    }

    func end() {
        stop.signal()
        thread.withLock { thread in
            defer { thread = nil }
            return thread
        }?.join()
    }

    private func run() {
        var seen: [String: Seen] = [:]
        var tidying = tidying
        var pause = Self.pause
        while !stop.wait(seconds: pause) {
            past.look()
            if let oldest = tidying.due(at: time.now, wall: time.wall) { airplay.prune(before: oldest) }
            let feeds = hub.allFeeds
            for feed in feeds {
                look(at: feed, &seen)
                watchman.look(at: feed)
            }
            pause = self.pause(before: feeds)
        }
    }

    /// Seconds until the next look: sooner where a station falls silent before, as somebody looks at its sweep.
    private func pause(before feeds: [Feed]) -> Double {
        guard events.hasListeners else { return Self.pause }
        let now = time.now
        let waits = feeds.compactMap { $0.arrivesUntil?.seconds(since: now) }.filter { $0 >= 0 }
        return min(Self.pause, (waits.min() ?? Self.pause) + 0.005)
    }

    private func look(at feed: Feed, _ seen: inout [String: Seen]) {
        let airing = feed.nowAiring
        let status = feed.status
        let now = Seen(
            title: airing?.position, text: airing?.text.text,
            doing: Doing(
                state: status.state, reason: status.reason, retryAt: status.retryAt,
                isArriving: feed.isArriving, segmentSeconds: status.segmentSeconds))
        let before = seen.updateValue(now, forKey: feed.station.id)
        if let airing, before?.title != now.title || before?.text != now.text {
            events.publish("title", FeedJSON.airing(airing, of: feed.station))
            log(airing, of: feed, isNew: before?.title != now.title)
        }
        if before?.doing != now.doing { events.publish("station", FeedJSON.brief(feed)) }
    }

    /// A title that only reads differently now is in the log already.
    private func log(_ airing: TitleMark, of feed: Feed, isNew: Bool) {
        guard isNew, airing.text.kind != .none else { return }
        airplay.append(
            Airing(station: feed.station.id, at: airing.wall, title: airing.text, raw: airing.raw.text))
        news.tell(AiringNews(station: feed.station, title: airing.text, at: airing.wall))
    }
}
