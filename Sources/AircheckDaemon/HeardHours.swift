internal import Feed
internal import Household
internal import JSONText
internal import Platform
internal import Playback
internal import StreamFormats

/// How long somebody of the house listened, to what, and what of that time was saved. Browsers tell what they play; what the
/// service itself plays is counted here. Any thread.
final class HeardHours: Sendable {
    /// A while of listening; seconds by the wall clock.
    struct While: Sendable {
        var live = 0.0
        var recorded = 0.0
        /// Saved by trimmed silence, and by speed: less than 0 for slower.
        var trim = 0.0
        var speed = 0.0
        /// The id of a station; it gets the hours of its recordings too.
        var station: String?
        var artist: String?
    }

    private struct Run {
        var since: MonotonicTime
        var status: PlayerStatus
    }

    private static let artistLimit = 200
    private static let sinceKey = "heard-since"

    private let shelf: Shelf
    private let time: any TimeSource
    /// What the service's player does, and since when that has not been counted.
    private let run = Lock<Run?>(nil)

    init(shelf: Shelf, time: any TimeSource) { (self.shelf, self.time) = (shelf, time) }

    /// When the first of it was heard, as the API writes it; nil while there is nothing.
    var since: String? { shelf[.setting, Self.sinceKey]?.string }

    func add(_ heard: While) {
        if since == nil { shelf.put(.setting, Self.sinceKey, .string(LocalTime.iso(time.wall))) }
        add(
            "total",
            [
                ("live", heard.live), ("recorded", heard.recorded), ("trim", heard.trim),
                ("speed", heard.speed),
            ])
        let listened = [("live", heard.live + heard.recorded)]
        if let station = heard.station { add("station/\(station)", listened) }
        if let artist = heard.artist, !artist.isEmpty {
            add("artist/" + artist.prefix(Self.artistLimit), listened)
        }
    }

    private func add(_ key: String, _ values: [(String, Double)]) {
        shelf.change(.heard, key) { before in
            var sums = Dictionary(
                (before?.members ?? []).map { ($0.key, $0.value.double ?? 0) }, uniquingKeysWith: { $1 })
            for (name, value) in values { sums[name, default: 0] += value }
            return .object(sums.sorted { $0.key < $1.key }.map { .init($0.key, .number($0.value)) })
        }
    }

    // MARK: The service's own player

    /// The player's thread, at each change of what it does.
    func follow(_ status: PlayerStatus) { turn(to: status) }

    /// Counts what has sounded until now.
    func settle() { turn(to: nil) }

    private func turn(to status: PlayerStatus?) {
        let now = time.now
        let over = run.withLock { run -> Run? in
            if let run, let status, Self.isTheSame(run.status, status) { return nil }
            defer { run = (status ?? run?.status).map { Run(since: now, status: $0) } }
            return run
        }
        guard let over, over.status.phase == .live else { return }
        let seconds = now.seconds(since: over.since)
        if seconds > 0 { add(Self.heard(over.status, seconds)) }
    }

    /// A volume that is moved is nothing to write down.
    private static func isTheSame(_ one: PlayerStatus, _ other: PlayerStatus) -> Bool {
        let (a, b) = (heard(one, 1), heard(other, 1))
        return one.phase == other.phase && a.station == b.station && a.artist == b.artist
            && a.recorded == b.recorded && a.speed == b.speed
    }

    private static func heard(_ status: PlayerStatus, _ seconds: Double) -> While {
        var heard = While(artist: status.title?.text.artist)
        if let recording = status.recording {
            heard.recorded = seconds
            heard.speed = (status.speed - 1) * seconds
            heard.station = recording.stationID
        } else {
            heard.live = seconds
            heard.station = (status.heardStation ?? status.station)?.id
        }
        return heard
    }
}
