internal import Catalogue
internal import Configuration
internal import Feed
internal import Ingest
internal import Platform
internal import Recording
internal import StreamFormats

/// The past of stations, kept on the disk: of whatever somebody plays, records or listens to for as long as the settings
/// say; of armed stations, which it keeps connected for this, for as long as they say.
///
/// Whoever wants to read it asks `reader` for frames and titles from a moment on, and `titles` and `heldSince` for what
/// there is. All functions may be called from any thread that may wait for a disk.
final class PastKeeper: Sendable {
    private struct State {
        var snapshot: CatalogueSnapshot?
        /// Whose past is kept: the feed, and the seconds of an armed one.
        var followed: [String: (feed: Feed, armed: Double?)] = [:]
    }

    /// Whoever needs more than `reader` gives reads the store itself.
    let store: WindowStore
    private let folder: String
    /// Whether stations that are not armed are kept too.
    private let keepsAll: Bool
    private let hub: IngestHub
    private let catalogue: StationCatalogue
    private let state = Lock(State())

    /// - Parameter folder: its own; made by `start`.
    init(
        _ configuration: Settings, folder: String, hub: IngestHub, catalogue: StationCatalogue,
        time: any TimeSource
    ) {
        var settings = WindowStore.Settings()
        settings.seconds = configuration.window.disk.inSeconds
        settings.bytes = Int64(configuration.window.diskBytes)
        settings.floorBytes = Int64(configuration.recording.freeForAll)
        store = WindowStore(folder: folder, settings: settings, time: time)
        self.folder = folder
        keepsAll = settings.seconds > 0
        self.hub = hub
        self.catalogue = catalogue
    }

    /// Begins to keep, and connects the armed stations.
    func start() {
        do {
            try Files.makeFolder(folder, mode: 0o700)
        } catch {
            return Log.error(
                "window", "the past is not kept", ["folder": folder, "error": error.description])
        }
        store.start()
        look()
    }

    /// Ends; what is held stays for the next start.
    func stop() { store.stop() }

    /// Takes up feeds that are new and arms stations whose entry has changed. Called every moment; cheap while nothing is
    /// new.
    func look() {
        let snapshot = catalogue.snapshot
        let isNew = state.withLock { state in
            defer { state.snapshot = snapshot }
            return state.snapshot !== snapshot
        }
        if isNew {
            for station in snapshot.stations where station.station.windowSeconds != nil {
                _ = hub.feed(for: station.station)
            }
        }
        let feeds = hub.allFeeds
        for feed in feeds {
            follow(feed, armed: snapshot[feed.station.id]?.station.windowSeconds.map(Double.init))
        }
        forget(all: Set(feeds.map(\.station.id)))
    }

    private func follow(_ feed: Feed, armed: Double?) {
        let id = feed.station.id
        let known = state.withLock { $0.followed[id] }
        if let known, known.feed === feed, known.armed == armed { return }
        guard keepsAll || armed != nil else {
            if known != nil { drop(id) }
            return
        }
        store.follow(feed, armedSeconds: armed)
        state.withLock { $0.followed[id] = (feed, armed) }
    }

    /// Stations without a feed any more.
    private func forget(all present: Set<String>) {
        for id in state.withLock({ $0.followed.keys.filter { !present.contains($0) } }) { drop(id) }
    }

    private func drop(_ id: String) {
        store.unfollow(station: id)
        state.withLock { _ = $0.followed.removeValue(forKey: id) }
    }

    // MARK: What is held

    /// When the oldest audio that is held came in, in memory or on the disk; nil where there is none. There may be holes
    /// after it.
    func heldSince(_ station: String) -> WallTime? {
        [store.oldest(of: station), hub.feed(id: station)?.heldSince].compactMap { $0 }.min()
    }

    /// The titles of the past that is held, oldest first; those of the present run as they read by now.
    /// - Parameter since: only from what was on then.
    func titles(_ station: String, since wall: WallTime = WallTime(nanoseconds: 0)) -> [TitleMark] {
        let present = hub.feed(id: station)?.titles ?? []
        let earlier = store.titles(of: station, since: wall).filter { mark in
            present.first.map { mark.wall < $0.wall } ?? true
        }
        return earlier + present
    }

    /// Frames and titles from a moment on: the disk first, then the feed. It keeps the station connected until closed.
    /// - Parameter name: shown among the feed's readers.
    func reader(of station: Station, from start: WindowStore.Start, name: String) -> PastReader? {
        guard let window = store.open(station: station.id, from: start) else { return nil }
        return PastReader(window: window, feed: hub.feed(for: station), name: name)
    }
}
