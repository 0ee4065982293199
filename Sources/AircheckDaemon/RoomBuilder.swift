internal import Catalogue
internal import Configuration
internal import ControlAPI
package import Feed
package import Ingest
internal import Household
internal import JSONText
internal import Platform
internal import Playback
internal import Recording
internal import Relay
internal import Scheduling
internal import Store
package import StreamFormats
internal import Transfers
internal import WebUI

/// Makes the rooms in the order in which they need each other.
struct RoomBuilder {
    let plan: ServicePlan
    let time: any TimeSource

    func build() throws -> Rooms {
        let configuration = plan.configuration
        try makeFolders()
        let database = try openDatabase()
        let tokens = try TokenBook(database: database, time: time)
        let sessions = try TokenBook(database: database, kind: .session, time: time)
        let events = EventHub()
        let (playerNews, catalogueNews) = (Announcer<PlayerStatus>(), Announcer<CatalogueDifference>())
        let engine = TransferEngine(IngestWiring.engineSettings(configuration), time: time)
        let stations = StationDirectory(path: DirectoryRoom.path(plan.folders))
        let facts = try StationFactBook(database)
        let hub = IngestHub(
            engine: engine, time: time, settings: IngestWiring.settings(configuration),
            charsets: IngestWiring.charsets(facts))
        let follower = CatalogueFollower(hub: hub, engine: engine, time: time)
        let catalogue = try StationCatalogue(
            folders: try plan.stationFolders(), database: database, directory: stations
        ) { difference in
            follower.follow(difference)
            events.publish("stations", Self.json(difference))
            catalogueNews.tell(difference)
        }
        follower.catalogue.withLock { $0 = catalogue }
        let library = RecordingLibrary(database: database)
        let memory = try PlayerMemory(database: database)
        let offsets = try OffsetBook(database: database).offsets()
        let hooks = HookRunner(configuration.hooks)
        let waveforms = Waveforms(folder: plan.folders.data + "/waveforms")
        let artwork = StationArtwork(folder: plan.folders.cache + "/logos", engine: engine, time: time)
        let pictures = TagPictures(
            logos: artwork,
            covers: StationArtwork(folder: plan.folders.cache + "/covers", engine: engine, time: time),
            // The feed's own where there is one: the directory's would be asked of the database.
            station: { hub.feed(id: $0)?.station ?? catalogue.station($0)?.station },
            stations: configuration.ingest.maxStations)
        let shelf = try Shelf(database, time: time)
        let upNext = UpNext(shelf: shelf, events: events)
        // What was deleted while nobody took it out, as by a version before this one.
        try upNext.keep { try library.recording(RecordingID($0)) != nil }
        let traces = RecordingTraces(shelf: shelf, events: events, waveforms: waveforms)
        let recorder = recorder(library, offsets, pictures, RecordingNews(events, hooks, waveforms, traces))
        let hours = HeardHours(shelf: shelf, time: time)
        playerNews.follow {
            Self.tell($0, memory, events, time)
            hours.follow($0)
        }
        let recordings = LibraryRecordings(
            recorder: recorder, library: library, levels: configuration.player.levelling)
        let deck = RecordingDeck(library: library, source: recordings, shelf: shelf, events: events)
        let guests = Decision(
            "guests", on: shelf, standard: configuration.server.listenOpen, read: \.bool,
            write: JSONValue.bool)
        let output = Decision(
            "output", on: shelf, standard: configuration.player.device, read: \.string,
            write: JSONValue.string)
        let player = player(hub, memory, facts, playerNews, recordings, deck, output.device)
        traces.follow(player)
        deck.start { player.hear($0, from: $1, after: $2, begun: $3) }
        catalogueNews.follow { [weak player, weak catalogue] difference in
            if let player, let catalogue { Self.tell(player, difference, catalogue.snapshot) }
        }
        let schedules = try ScheduleRunner(
            book: ScheduleBook(database: database),
            tools: ScheduleRunner.Tools(
                settings: configuration, folder: plan.folders.recordings, catalogue: catalogue, hub: hub,
                recorder: recorder, library: library, player: player, events: events, time: time))
        let loggers = Loggers(
            Loggers.Tools(
                settings: configuration, folder: plan.folders.recordings, catalogue: catalogue, hub: hub,
                recorder: recorder, shelf: shelf, time: time))
        let past = PastKeeper(
            configuration, folder: plan.folders.data + "/window", hub: hub, catalogue: catalogue, time: time)
        return Rooms(
            configuration: configuration, folders: plan.folders, time: time, database: database,
            catalogue: catalogue,
            engine: engine, hub: hub,
            warm: WarmStations(
                hub: hub, engine: engine, isAllowed: !configuration.player.dataSaver,
                mostConnected: configuration.ingest.maxStations, time: time),
            recorder: recorder, library: library,
            past: past,
            offsets: offsets, jobs: JobBook(events: events), hooks: hooks, waveforms: waveforms,
            traces: traces,
            player: player, playerMemory: memory, recordings: recordings, deck: deck, schedules: schedules,
            loggers: loggers, tokens: tokens,
            sessions: sessions, pairing: PairingDesk(time: time), shelf: shelf,
            guests: guests, output: output, hours: hours,
            artwork: artwork, pictures: pictures,
            web: webFiles(), facts: facts,
            airplay: AirplayLog(database),
            variants: try StationVariants(plan, catalogue: catalogue, hub: hub, past: past, time: time),
            thumbs: try Thumbs(database),
            directory: DirectoryRoom(
                settings: configuration, folders: plan.folders, directory: stations, catalogue: catalogue,
                engine: engine, events: events, time: time),
            watchList: try WatchList(database), dials: try DialBook(database), airingNews: Announcer(),
            callers: CallerCheck(
                tokens: tokens, sessions: sessions, loopbackReads: configuration.server.loopbackReads,
                time: time),
            events: events, playerNews: playerNews, catalogueNews: catalogueNews, started: time.wall,
            startedAt: time.now, addresses: Lock(ServiceAddresses()),
            relay: follower.relay, follower: follower)
    }

    private func makeFolders() throws(ServiceFailure) {
        let wanted: [(path: String, mode: UInt32)] = [
            (plan.folders.data, 0o700), (plan.folders.recordings, 0o755), (plan.folders.runtime, 0o700),
        ]
        for folder in wanted {
            do {
                try Files.makeFolder(folder.path, mode: folder.mode)
            } catch {
                throw ServiceFailure(
                    .cannotCreate, "cannot make the folder \(folder.path): \(error.reason)",
                    remedy: "Choose other folders in [paths], or make it and give it to this user.")
            }
        }
    }

    /// The first folder that holds the page; a service without one still does everything else.
    private func webFiles() -> WebFiles {
        let folders = plan.folders.webFolders(program: plan.program)
        let folder = folders.first { Files.exists($0 + "/index.html") }
        if folder == nil {
            Log.warning(
                "web", "the page's files are not there", ["looked_in": folders.joined(separator: ", ")])
        }
        return WebFiles(folder: folder)
    }

    private func openDatabase() throws(ServiceFailure) -> Database {
        var options = Database.Options()
        options.backups = plan.folders.data + "/backups"
        do {
            return try Database.open(
                plan.folders.data + "/aircheck.db",
                schemas: [
                    TokenBook.schema, TokenBook.sessionSchema, Shelf.schema, StationCatalogue.schema,
                    StationFactBook.schema, AirplayLog.schema,
                    Thumbs.schema, WatchList.schema, DialBook.schema, RecordingLibrary.schema,
                    OffsetBook.schema, PlayerMemory.schema,
                    ScheduleBook.schema,
                ], options: options)
        } catch {
            let isTaken = if case .inUse = (error as? StoreError)?.reason { true } else { false }
            throw ServiceFailure(
                .unavailable, "\(error)",
                remedy: isTaken ? "`aircheck status` shows the service that runs; end that one first." : nil)
        }
    }

    private func recorder(
        _ library: RecordingLibrary, _ offsets: StationOffsets, _ pictures: TagPictures,
        _ news: RecordingNews
    ) -> Recorder {
        var settings = Recorder.Settings(plan.configuration)
        settings.newFloorBytes = Int64(plan.configuration.recording.freeForNew)
        settings.floorBytes = Int64(plan.configuration.recording.freeForAll)
        settings.tagBytes = plan.configuration.recording.tagReserve
        settings.measures = plan.configuration.recording.measure
        return Recorder(
            settings: settings, journal: library, sound: SoundHelper.source(), offsets: offsets,
            pictures: plan.configuration.recording.pictures ? pictures : NoPictures(), time: time
        ) { event in
            news.tell(event)
        }
    }

    private func player(
        _ hub: IngestHub, _ memory: PlayerMemory, _ facts: StationFactBook, _ news: Announcer<PlayerStatus>,
        _ recordings: LibraryRecordings, _ deck: RecordingDeck, _ device: String?
    ) -> LivePlayer {
        let wanted = plan.configuration.player
        let output: PlayerOutput =
            switch wanted.output {
            case .pulse: .pulse(server: nil, device: device)
            case .null: .null
            }
        var options = PlayerOptions(output: output)
        options.latency = Int(wanted.latency.inSeconds * 1000)
        options.volume = memory.memory?.volume ?? wanted.volume
        options.reach = wanted.dataSaver ? 0 : wanted.warmPresets / 2
        options.levels = wanted.levelling
        options.knownLoudness = { facts.facts(of: $0.id).loudness }
        options.loudnessLearned = { station, loudness in
            facts.learn(station.id) { $0.loudness = loudness }
        }
        options.recordingMoved = { [weak deck] in deck?.moved($0) }
        return LivePlayer(
            options: options, source: HubFeedSource(hub: hub), recordings: recordings, time: time
        ) { news.tell($0) }
    }

    /// Keeps what the player does for the next start, and tells those who follow the events.
    private static func tell(
        _ status: PlayerStatus, _ memory: PlayerMemory, _ events: EventHub, _ time: any TimeSource
    ) {
        memory.keep(
            .init(
                station: status.station?.id, isPlaying: status.isPlaying && status.recording == nil,
                volume: status.volume,
                list: status.list.prefix(1000).map(\.id)))
        events.publish("player", PlayerJSON.object(status, at: time.wall))
    }

    /// The player holds stations too, those of the directory under the ids that they have there.
    private static func tell(
        _ player: LivePlayer, _ difference: CatalogueDifference, _ snapshot: CatalogueSnapshot
    ) {
        let changed = (difference.changed + difference.added).compactMap { snapshot[$0] }
        player.stationsChanged(changed.map(\.station) + changed.compactMap(\.inDirectory))
    }

    private static func json(_ difference: CatalogueDifference) -> JSONValue {
        [
            "added": .array(difference.added.map(JSONValue.string)),
            "changed": .array(difference.changed.map(JSONValue.string)),
            "removed": .array(difference.removed.map(JSONValue.string)),
        ]
    }
}

/// The hub as the player asks for feeds.
package struct HubFeedSource: FeedSource {
    private let hub: IngestHub

    package init(hub: IngestHub) { self.hub = hub }

    package func feed(of station: Station) -> Feed? { hub.feed(for: station) }
}
