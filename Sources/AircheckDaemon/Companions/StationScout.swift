internal import Catalogue
internal import Configuration
internal import ControlAPI
internal import Feed
internal import Ingest
internal import JSONText
internal import Platform
internal import StreamFormats

/// What a station aired when it was last looked at.
struct SeenAiring: Sendable {
    var title: TitleText
    var at: WallTime
}

/// Looks at favourites that nobody reads: what they air, for what is on now and for watch-lists, and whether they are
/// well. One connection at a time, on a thread of its own.
final class StationScout: Sendable {
    private struct State {
        var seen: [String: SeenAiring] = [:]
        /// Until when titles are wanted because somebody asked what is on.
        var wantedUntil: MonotonicTime?
        var isEnding = false
    }

    private let rooms: Rooms
    private let prober: Prober
    private let state = Lock(State())
    private let stop = Semaphore()
    private let thread = Lock<WorkerThread?>(nil)

    /// Seconds between looks at the plan, of a look at a title, and of a probe.
    private static let glance = 1.0
    private static let titleSeconds = 4.0
    private static let probeSeconds = 8.0
    /// Seconds for which titles stay wanted after somebody has asked.
    private static let interest = 900.0

    init(rooms: Rooms) {
        self.rooms = rooms
        prober = Prober(
            engine: rooms.engine, time: rooms.time, settings: IngestWiring.settings(rooms.configuration))
    }

    func start() {
        let worker = WorkerThread(name: "scout") { [self] in run() }
        thread.withLock { $0 = worker }
    }

    func end() {
        state.withLock { $0.isEnding = true }
        stop.signal()
        thread.withLock { $0.take() }?.join()
    }

    /// What a station airs: from its feed, else as it was last seen. Any thread.
    func airing(of station: String) -> SeenAiring? {
        if let feed = rooms.hub.feed(id: station), feed.status.state == .live, let mark = feed.nowAiring {
            return SeenAiring(title: mark.text, at: mark.wall)
        }
        return state.withLock { $0.seen[station] }
    }

    /// Somebody wants to know what is on: for a while titles are looked for.
    func ask() {
        state.withLock { $0.wantedUntil = rooms.time.now.advanced(bySeconds: Self.interest) }
    }

    // MARK: The thread

    private func run() {
        let settings = rooms.configuration.catalogue
        var plan = ScoutPlan(
            pace: .init(titles: settings.onNowEvery.inSeconds, health: settings.probeEvery.inSeconds))
        remember(&plan)
        while !stop.wait(seconds: Self.glance) {
            let stations = rooms.catalogue.snapshot.favourites.map(\.id).filter(isIdle)
            switch plan.next(stations, wantsTitles: wantsTitles, at: rooms.time.now) {
            case .title(let id): look(at: id, seconds: Self.titleSeconds, isProbe: false)
            case .health(let id): look(at: id, seconds: Self.probeSeconds, isProbe: true)
            case nil: break
            }
        }
    }

    /// Probes of before the start count.
    private func remember(_ plan: inout ScoutPlan) {
        let (now, wall) = (rooms.time.now, rooms.time.wall.secondsSince1970)
        for station in rooms.catalogue.snapshot.favourites {
            guard let last = try? rooms.facts.probes(of: station.id, limit: 1).first else { continue }
            plan.remember(
                station.id, probedAt: now.advanced(bySeconds: last.at.secondsSince1970 - wall))
        }
    }

    private var wantsTitles: Bool {
        if !rooms.watchList.rules.isEmpty { return true }
        return state.withLock { $0.wantedUntil.map { rooms.time.now < $0 } ?? false }
    }

    private func isIdle(_ station: String) -> Bool {
        guard let feed = rooms.hub.feed(id: station) else { return true }
        return feed.readerCount == 0 && feed.status.state != .live
    }

    private func look(at id: String, seconds: Double, isProbe: Bool) {
        guard let station = rooms.catalogue.snapshot[id] else { return }
        _ = probe(station, seconds: seconds, isNoted: isProbe)
    }

    /// Tries a station and keeps what was found. Blocks for as long as it listens.
    /// - Parameter isNoted: it goes into the history of the station, and one that is not well is repaired.
    func probe(_ station: CatalogueStation, seconds: Double, isNoted: Bool) -> StationFactBook.Probe {
        let started = rooms.time.wall
        let report = prober.probe(station.station, seconds: seconds)
        if let last = report.titles.last { saw(last, on: station.station) }
        let probe = Self.probe(report, station: station.id, at: started)
        guard isNoted, !state.withLock({ $0.isEnding }) else { return probe }
        rooms.facts.note(probe)
        rooms.events.publish("probe", ProbeJSON.object(probe))
        if probe.state != "audio" { repair(station) }
        return probe
    }

    /// A station that cannot be heard may have another address in the directory.
    private func repair(_ station: CatalogueStation) {
        guard let uuid = station.entry.directoryID else { return }
        let known = (try? rooms.directory.directory.station(uuid: uuid)).flatMap { $0 }
        if let known, rooms.directory.repair(station, by: known) { return }
        if let fresh = try? rooms.directory.station(uuid: uuid) { rooms.directory.repair(station, by: fresh) }
    }

    private func saw(_ title: ProbeReport.Title, on station: Station) {
        let text = TitleText(
            text: title.text, artist: title.artist, title: title.title,
            kind: TitleClass(rawValue: title.kind) ?? .track)
        let wall = rooms.time.wall
        let isNew = state.withLock { state in
            defer { state.seen[station.id] = SeenAiring(title: text, at: wall) }
            return state.seen[station.id]?.title.text != text.text
        }
        guard isNew, text.kind != .none else { return }
        rooms.airplay.append(Airing(station: station.id, at: wall, title: text))
        rooms.airingNews.tell(AiringNews(station: station, title: text, at: wall))
    }

    private static func probe(_ report: ProbeReport, station: String, at: WallTime) -> StationFactBook.Probe {
        var probe = StationFactBook.Probe(station: station, at: at, state: report.state.rawValue)
        probe.reason = report.reason
        probe.url = report.finalURL
        probe.codec = report.codec
        probe.bitrate = report.measuredKbps
        probe.hasTitles = report.state == .audio ? !report.titles.isEmpty : nil
        probe.firstAudio = report.firstAudioMilliseconds
        return probe
    }
}

/// A probe as the API writes it.
enum ProbeJSON {
    static func object(_ probe: StationFactBook.Probe) -> JSONValue {
        [
            "station": .string(probe.station), "at": .string(LocalTime.iso(probe.at)),
            "state": .string(probe.state), "reason": JSONValue(probe.reason), "url": JSONValue(probe.url),
            "codec": JSONValue(probe.codec), "kbps": JSONValue(probe.bitrate),
            "titles": probe.hasTitles.map { .bool($0) } ?? .null,
            "first_audio_ms": JSONValue(probe.firstAudio),
        ]
    }
}
