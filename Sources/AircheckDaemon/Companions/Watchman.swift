internal import Catalogue
internal import ControlAPI
internal import Feed
internal import JSONText
internal import Platform
internal import Playback
internal import Recording
internal import StreamFormats

/// A title that begins to air on a station, whoever heard it.
struct AiringNews: Sendable {
    var station: Station
    var title: TitleText
    var at: WallTime
}

/// Does what the watch-lists say when something airs, and raises the alarm over dead air.
final class Watchman: Sendable {
    private struct Alarms {
        var byStation: [String: DeadAirAlarm] = [:]
        var isSounding: Set<String> = []
    }

    private let rooms: Rooms
    private let matcher = Lock(WatchMatcher())
    private let alarms = Lock(Alarms())

    /// Below this peak what is heard is silence: a thousandth of full scale, -60 dB.
    private static let silence: Float = 0.001

    init(rooms: Rooms) { self.rooms = rooms }

    /// Follows every title from now on.
    func start() {
        rooms.airingNews.follow { [weak self] news in self?.aired(news) }
    }

    private func aired(_ news: AiringNews) {
        let rules = rooms.watchList.rules
        guard !rules.isEmpty else { return }
        let now = rooms.time.now
        let met = matcher.withLock { $0.met(by: news.title, on: news.station.id, of: rules, at: now) }
        for rule in met {
            rooms.watchList.met(rule.id, at: news.at)
            rooms.events.publish("watch", WatchJSON.hit(rule, news))
            Log.info(
                "watch", "it airs",
                ["words": rule.words, "station": news.station.id, "title": news.title.text])
            act(on: rule, news.station)
        }
    }

    private func act(on rule: WatchRule, _ station: Station) {
        switch rule.action {
        case .notify: break
        case .tune:
            guard rooms.player.status.tunedStation != station || !rooms.player.status.isPlaying else {
                return
            }
            let orders = PlayerOrders(player: rooms.player, catalogue: rooms.catalogue)
            rooms.player.tune(station, among: orders.list(around: station))
        case .record: record(rule, station)
        }
    }

    /// The song from its start, where the past of the station is held, to its end.
    private func record(_ rule: WatchRule, _ station: Station) {
        var request = KeepRequest(.song, folder: rooms.folders.recordings)
        request.show = rule.words
        do {
            request.template = try NameTemplate(rooms.configuration.recording.trackTemplate)
            _ = try rooms.recorder.keep(request, of: rooms.hub.feed(for: station), window: rooms.past.store)
        } catch {
            Log.warning("watch", "it could not be recorded", ["station": station.id, "error": "\(error)"])
            rooms.events.publish(
                "watch-failed",
                ["id": .int(rule.id), "station": .string(station.id), "reason": .string("\(error)")])
        }
    }

    // MARK: Dead air

    /// Looks at a station that is read. Several times a second, from one thread.
    func look(at feed: Feed) {
        let cause = deadAir(feed)
        let now = rooms.time.now
        let after = rooms.configuration.catalogue.deadAir.inSeconds
        let change = alarms.withLock { alarms in
            alarms.byStation[feed.station.id, default: DeadAirAlarm(after: after)].look(cause, at: now)
        }
        guard let change else { return }
        tell(change, feed.station)
    }

    /// Stations whose alarm sounds now.
    var alarming: Set<String> { alarms.withLock { $0.isSounding } }

    private func deadAir(_ feed: Feed) -> DeadAirAlarm.Cause? {
        guard feed.readerCount > 0 else { return nil }
        switch feed.status.state {
        case .stalled, .waiting, .failed, .connecting: return .stalled
        case .idle: return nil
        case .live: break
        }
        guard rooms.player.status.phase == .live, rooms.player.status.heardStation?.id == feed.station.id
        else {
            return nil
        }
        let peak = rooms.player.meters.levels.peak
        return max(peak.x, peak.y) < Self.silence ? .silence : nil
    }

    private func tell(_ change: DeadAirAlarm.Change, _ station: Station) {
        switch change {
        case .began(let cause):
            alarms.withLock { _ = $0.isSounding.insert(station.id) }
            Log.warning("watch", "dead air", ["station": station.id, "cause": cause.rawValue])
            rooms.events.publish(
                "dead-air",
                [
                    "station": StationJSON.reference(station), "state": "began",
                    "cause": .string(cause.rawValue),
                ])
        case .ended(let seconds):
            alarms.withLock { _ = $0.isSounding.remove(station.id) }
            Log.info("watch", "there is sound again", ["station": station.id, "seconds": "\(Int(seconds))"])
            rooms.events.publish(
                "dead-air",
                ["station": StationJSON.reference(station), "state": "ended", "seconds": .number(seconds)])
        }
    }
}

/// Watch-lists as the API writes them.
enum WatchJSON {
    static func rule(_ rule: WatchRule) -> JSONValue {
        [
            "id": .int(rule.id), "words": .string(rule.words), "in": .string(rule.field.rawValue),
            "action": .string(rule.action.rawValue), "station": JSONValue(rule.station),
            "created": .string(LocalTime.iso(rule.created)), "hits": .int(Int64(rule.hits)),
            "last_hit": JSONValue(rule.lastHit.map(LocalTime.iso)),
        ]
    }

    static func hit(_ rule: WatchRule, _ news: AiringNews) -> JSONValue {
        [
            "watch": Self.rule(rule), "station": StationJSON.reference(news.station),
            "now": FeedJSON.title(news.title), "at": .string(LocalTime.iso(news.at)),
        ]
    }
}
