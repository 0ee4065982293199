internal import Catalogue
package import Configuration
internal import ControlAPI
internal import DemoStation
internal import Feed
internal import Glibc
internal import HTTPServer
internal import HTTPWire
internal import Ingest
internal import JSONText
internal import Platform
internal import Playback
internal import Reactor
internal import Recording
internal import Relay
internal import Store
internal import StreamFormats
internal import Transfers

/// The running service: every room, wired together.
package final class Service: Sendable {
    private let rooms: Rooms
    private let loops: LoopGroup
    private let server: HTTPServer
    private let relay: RelayService
    private let watch: FeedWatch
    private let home: HomeWiring
    private let demo: DemoStation?
    private let remotes: RemoteControls
    private let companions: Companions

    /// Opens the database, binds the ports and begins to serve. Main thread; `Signals.takeOver` must have run.
    /// - Throws: `ServiceFailure`, with the remedy.
    package init(_ plan: ServicePlan) throws {
        let time = SystemTime()
        let pushes = try plan.pushTargets()
        let rooms = try RoomBuilder(plan: plan, time: time).build()
        self.rooms = rooms
        demo = try plan.startDemo()
        do {
            loops = try LoopGroup(count: Machine.cores, name: "loop")
        } catch {
            throw ServiceFailure(.unavailable, "cannot start: \(error)")
        }
        server = HTTPServer(loops: loops, limits: plan.serverLimits)
        relay = RelayService(
            loops: loops,
            source: CatalogueMounts(catalogue: rooms.catalogue, hub: rooms.hub, variants: rooms.variants),
            auth: TokenAdminAuth(callers: rooms.callers),
            desk: SourceDesk(book: CatalogueSources(catalogue: rooms.catalogue, hub: rooms.hub)),
            identity: RelayIdentity(server: Product.userAgent, address: plan.listenAddress),
            settings: plan.relaySettings)
        rooms.relay.withLock { [relay] in $0 = relay }
        rooms.server.withLock { [server] in $0 = server }
        companions = Companions(rooms: rooms)
        watch = FeedWatch(rooms: rooms, watchman: companions.watchman)
        home = try HomeWiring(plan, rooms: rooms)
        try rooms.loggers.load()
        try Endpoints(
            plan: plan, rooms: rooms, server: server, relay: relay, home: home.pages, companions: companions,
            loops: loops
        ).open()
        try home.start()
        rooms.past.start()
        rooms.variants.late.check(rooms.configuration)
        rooms.directory.start(rooms.playerNews)
        companions.start()
        remotes = RemoteControls(plan: plan, rooms: rooms)
        relay.openPermanentMounts()
        rooms.follower.push(pushes)
        watch.start()
        recover()
        resume(plan)
        try rooms.schedules.start()
        rooms.loggers.start()
        takeOver()
    }

    /// Where the service is reached, for the line that is printed at the start.
    package var address: String { rooms.addresses.withLock { $0.control } }
    package var listenAddress: String { rooms.addresses.withLock { $0.listen } }
    package var stationCount: Int { rooms.catalogue.snapshot.stations.count }
    package var stationProblems: [String] { rooms.catalogue.problems.map(\.description) }

    /// Recordings that a crash left open are closed, and marked as interrupted.
    private func recover() {
        for facts in rooms.recorder.recover(folder: rooms.folders.recordings, isDeep: true) {
            Log.warning(
                "recording", "an interrupted recording was closed",
                ["id": facts.id.text, "seconds": "\(facts.seconds)", "file": facts.fileName ?? ""])
        }
    }

    /// The player comes back where it was, if it was playing.
    private func resume(_ plan: ServicePlan) {
        guard plan.configuration.player.resume, let memory = rooms.playerMemory.memory,
            let id = memory.station, let station = rooms.catalogue.station(id)?.station
        else { return }
        // Somebody may have tuned already.
        if memory.isPlaying, !rooms.player.status.isPlaying {
            let list = memory.list.compactMap { rooms.catalogue.station($0)?.station }
            rooms.player.tune(
                station, among: list.isEmpty ? rooms.catalogue.snapshot.visible.map(\.station) : list)
        }
    }

    /// Reads the station files again and takes new settings: SIGHUP. Nobody is dropped.
    /// - Parameter settings: as they are in the files now; nil when those cannot be read, and the old ones stay.
    /// - Throws: `ServiceFailure` when one of them makes no sense; the old ones stay then.
    package func reload(_ settings: Settings? = nil) throws {
        if let settings { try take(settings) }
        let difference = rooms.catalogue.reload()
        rooms.web.reload()
        Log.info(
            "service", "read the station files again",
            [
                "added": "\(difference.added.count)", "changed": "\(difference.changed.count)",
                "removed": "\(difference.removed.count)",
            ])
    }

    private func take(_ settings: Settings) throws(ServiceFailure) {
        let plan = ServicePlan(configuration: settings, folders: rooms.folders)
        let targets = try plan.pushTargets()
        relay.change(to: plan.relaySettings)
        rooms.follower.push(targets)
    }

    /// Gives the place to the program that lies at our path now: SIGUSR2. Listeners and ports stay open: who listens goes on
    /// within seconds, who connects waits. Recordings are finished as at every end. Returns only when that fails; the
    /// service has ended then.
    package func giveWay() -> ServiceFailure {
        guard let program = Program.installedPath else {
            return ServiceFailure(.unavailable, "cannot tell where this program lies", remedy: nil)
        }
        let held = ListeningSockets.hold()
        let listeners = relay.handOver()
        let file = rooms.folders.runtime + "/" + Self.handOverFile
        do {
            try Files.replace(file, with: Array(HandedListener.text(listeners).utf8), mode: 0o600)
        } catch {
            Log.error("service", "listeners must come again", ["file": file, "error": "\(error)"])
        }
        stop()
        let error = held.replaceProcess(
            with: program, arguments: Program.arguments, environment: Environment.all)
        return ServiceFailure(
            .unavailable, "cannot begin again: \(error)", remedy: "Start the service again.")
    }

    private static let handOverFile = "listeners.json"

    /// Goes on with what the process before us left: listeners, and ports that nobody asked for are closed.
    private func takeOver() {
        for endpoint in ListeningSockets.closeUnclaimed() {
            Log.warning(
                "service", "a socket that was passed on is not in the settings", ["endpoint": "\(endpoint)"])
        }
        let file = rooms.folders.runtime + "/" + Self.handOverFile
        guard let bytes = try? Files.read(file, limit: 256 << 20) else { return }
        unlink(file)
        // A file of another process speaks of descriptors that are not ours.
        guard ListeningSockets.wereInherited else { return }
        let listeners = HandedListener.parse(String(decoding: bytes, as: UTF8.self))
        relay.adopt(listeners)
        Log.info("service", "listeners go on", ["count": "\(listeners.count)"])
    }

    /// Ends everything properly: recordings are finished, listeners and followers see the end. Blocks; seconds at most.
    package func stop() {
        home.stop()
        rooms.events.close()
        remotes.close()
        companions.end()
        rooms.directory.end()
        rooms.schedules.end()
        rooms.loggers.end()
        rooms.hours.settle()
        rooms.player.close()
        rooms.deck.stop()
        // First what is being recorded: a job may take longer than whoever ends us has patience.
        rooms.recorder.endAll()
        rooms.jobs.stop()
        rooms.recorder.shutDown()
        rooms.pictures.stop()
        rooms.hooks.stop()
        watch.end()
        rooms.follower.pushes.close()
        rooms.past.stop()
        relay.close()
        rooms.variants.close()
        rooms.hub.stop()
        rooms.engine.stop()
        demo?.stop()
        loops.stop()
        rooms.database.close()
    }
}

/// What the machine has.
private enum Machine {
    static var cores: Int { max(1, min(64, Program.cores)) }
}
