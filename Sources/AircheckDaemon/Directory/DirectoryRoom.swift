internal import Catalogue
internal import Configuration
internal import ControlAPI
internal import Glibc
internal import JSONText
internal import Platform
internal import Playback
internal import Transfers

/// The Radio Browser directory as the service uses it: asked over the network, kept as a snapshot that is searched
/// offline, and told what is listened to.
final class DirectoryRoom: Sendable {
    /// What the snapshot is doing.
    enum Phase: String, Sendable { case none, ready, fetching, failed }

    private struct State {
        var phase = Phase.none
        var reason: String?
        var last: DirectoryDifference?
        var answers: [String: (fetched: WallTime, stations: [DirectoryStation])] = [:]
    }

    let client: DirectoryClient
    let directory: StationDirectory
    private let settings: Settings.Catalogue
    private let catalogue: StationCatalogue
    private let events: EventHub
    private let time: any TimeSource
    private let path: String
    private let state: Lock<State>
    private let stop = Semaphore()
    private let thread = Lock<WorkerThread?>(nil)

    /// Seconds between looks at the snapshot's age.
    private static let look = 600.0
    /// Answers that are kept.
    private static let mostAnswers = 200

    /// The snapshot's file in the data folder.
    static func path(_ folders: Folders) -> String { folders.data + "/directory.db" }

    init(
        settings: Settings, folders: Folders, directory: StationDirectory, catalogue: StationCatalogue,
        engine: TransferEngine, events: EventHub, time: any TimeSource
    ) {
        self.settings = settings.catalogue
        self.directory = directory
        self.catalogue = catalogue
        self.events = events
        self.time = time
        path = Self.path(folders)
        let mirrors = settings.catalogue.directoryMirrors
        client = DirectoryClient(
            mirrors: mirrors, fetching: DirectoryNetwork(engine: engine, isLocal: !mirrors.isEmpty),
            time: time)
        state = Lock(State(phase: directory.count > 0 ? .ready : .none))
    }

    /// A snapshot that is there is fetched anew when it is old. One that nobody asked for is never fetched.
    func start(_ player: Announcer<PlayerStatus>) {
        guard settings.directory else { return }
        player.follow { [weak self] status in
            if status.phase == .live, let station = status.tunedStation { self?.listened(to: station.id) }
        }
        let worker = WorkerThread(name: "directory") { [self] in
            while !stop.wait(seconds: Self.look) { if isOld { refresh() } }
        }
        thread.withLock { $0 = worker }
    }

    func end() {
        stop.signal()
        thread.withLock { $0.take() }?.join()
    }

    private var isOld: Bool {
        guard let fetched = directory.fetched else { return false }
        let age = time.wall.secondsSince1970 - fetched.secondsSince1970
        return age > settings.directoryRefresh.inSeconds
    }

    // MARK: The snapshot

    /// Fetches every station and writes the snapshot anew, in the background; false while that is being done already, or
    /// where the settings want no directory.
    @discardableResult
    func refresh() -> Bool {
        let mayBegin = state.withLock { state in
            guard settings.directory, state.phase != .fetching else { return false }
            state.phase = .fetching
            state.reason = nil
            return true
        }
        guard mayBegin else { return false }
        tell()
        let answer = path + ".answer"
        client.download(to: answer) { [self] result in
            // Not on the engine's thread: writing takes seconds.
            _ = WorkerThread(name: "directory-write") { [self] in take(result, answer) }
        }
        return true
    }

    private func take(_ result: Result<Void, DirectoryFailure>, _ answer: String) {
        defer { unlink(answer) }
        do {
            try result.get()
            let difference = try DirectorySnapshot.write(
                path, from: answer, followed: catalogue.snapshot.directoryIDs, fetched: time.wall)
            directory.reopen()
            state.withLock { ($0.phase, $0.last) = (.ready, difference) }
            repair(difference.followedChanged)
            Log.info(
                "directory", "the snapshot is new",
                [
                    "stations": "\(difference.stations)", "added": "\(difference.added)",
                    "removed": "\(difference.removed)",
                ])
        } catch {
            state.withLock { ($0.phase, $0.reason) = (.failed, "\(error)") }
            Log.warning("directory", "the snapshot was not fetched", ["reason": "\(error)"])
        }
        tell()
    }

    private func tell() { events.publish("directory", status) }

    /// Addresses that the directory knows better are put in front of one's own. Nothing is ever taken away.
    func repair(_ uuids: [String]) {
        for uuid in uuids {
            guard let known = try? directory.station(uuid: uuid),
                let own = catalogue.snapshot.stations.first(where: { $0.entry.directoryID == uuid })
            else { continue }
            repair(own, by: known)
        }
    }

    /// Whether an address was added.
    @discardableResult
    func repair(_ station: CatalogueStation, by known: DirectoryStation) -> Bool {
        guard let change = DirectoryRepair.change(station, by: known),
            (try? catalogue.apply(change)) != nil
        else { return false }
        Log.info("directory", "a station has a new address", ["station": station.id])
        events.publish("repair", ["id": .string(station.id), "name": .string(station.name)])
        return true
    }

    // MARK: Asking

    /// Stations over the network; an answer is kept for a day. Blocks.
    func search(_ query: StationQuery) throws -> [DirectoryStation] {
        guard settings.directory else {
            throw APIFailure(
                .conflict, "the directory is switched off", remedy: "Set catalogue.directory = true.")
        }
        let key = "\(query)"
        let age = settings.directoryRefresh.inSeconds
        if let kept = state.withLock({ $0.answers[key] }),
            time.wall.secondsSince1970 - kept.fetched.secondsSince1970 < age
        {
            return kept.stations
        }
        let stations = try wait { self.client.search(query, then: $0) }
        directory.remember(stations)
        state.withLock { state in
            if state.answers.count >= Self.mostAnswers { state.answers = [:] }
            state.answers[key] = (time.wall, stations)
        }
        return stations
    }

    /// What the directory says of a station now. Blocks.
    func station(uuid: String) throws -> DirectoryStation? {
        guard settings.directory else { return nil }
        return try wait { self.client.stations([uuid], then: $0) }.first
    }

    private func wait<Value: Sendable>(
        _ ask: (@escaping @Sendable (Result<Value, DirectoryFailure>) -> Void) -> Void
    ) throws -> Value {
        let answer = Monitor<Result<Value, DirectoryFailure>?>(nil)
        ask { result in answer.change { $0 = result } }
        do {
            return try answer.wait { $0 }.get()
        } catch {
            throw APIFailure(
                .unavailable, error.description, remedy: "The snapshot is searched without a network.")
        }
    }

    /// Somebody listens to a station: the directory wishes to know, once a day.
    func listened(to station: String) {
        guard settings.directory, settings.countClicks else { return }
        if let uuid = catalogue.station(station)?.entry.directoryID { client.click(uuid) }
    }

    /// `{"state", "reason", "stations", "fetched", "last"}`
    var status: JSONValue {
        let (phase, reason, last) = state.withLock { ($0.phase, $0.reason, $0.last) }
        return [
            "state": .string(phase.rawValue), "reason": JSONValue(reason),
            "stations": .int(Int64(directory.count)),
            "fetched": JSONValue(directory.fetched.map(LocalTime.iso)),
            "last": last.map(Self.json) ?? .null,
        ]
    }

    private static func json(_ difference: DirectoryDifference) -> JSONValue {
        [
            "added": .int(Int64(difference.added)), "changed": .int(Int64(difference.changed)),
            "removed": .int(Int64(difference.removed)), "refused": .int(Int64(difference.refused)),
            "own_changed": .array(difference.followedChanged.map(JSONValue.string)),
            "own_removed": .array(difference.followedRemoved.map(JSONValue.string)),
        ]
    }
}
