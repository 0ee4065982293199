package import Feed
package import Platform

/// Starts, watches and ends recordings. One for the whole service; any thread may ask it anything.
package final class Recorder: Sendable {
    package struct Settings: Sendable {
        /// The pace of writing: two writes to a file are at least half of it apart, and who has been told of nothing looks
        /// for audio after twice of it. What comes is read in rounds; a killed program loses one of those and such a pause.
        package var tickSeconds = 0.2
        /// How often what was written is made safe against a power cut.
        package var syncSeconds = 3.0
        /// Audio kept in memory while the disk is full.
        package var heldSeconds = 60.0
        /// How soon a full disk is tried again.
        package var retrySeconds = 0.5
        /// How long the end of a recording waits for a full disk.
        package var lastTrySeconds = 2.0
        /// How long the end of a recording waits for the cutter.
        package var cutterSeconds = 10.0
        /// How often it is checked that the file is still there.
        package var lookSeconds = 5.0
        /// Bytes of the feed that may wait for a writer that the disk holds up.
        package var patienceBytes = 2 << 20
        /// With less free than this no new recording begins.
        package var newFloorBytes: Int64 = 0
        /// With less free than this a disk counts as full.
        package var floorBytes: Int64 = 0
        /// Whether loudness is measured after a recording.
        package var measures = false
        /// Bytes kept in front of an MP3 file for its tag, which is written there at the end; 0 writes none.
        package var tagBytes = 128 << 10

        package init() {}
    }

    /// Chapters of an Ogg file: every listener gets them before the first sound.
    private static let commentRoom = 32 << 10

    private struct State {
        var volumes: [UInt64: Volume] = [:]
        var sessions: [RecordingID: (session: RecordingSession, volume: Volume)] = [:]
        /// First files of the loggers that are being ended: a file that one of them begins meanwhile ends too.
        var ending: Set<RecordingID> = []
        var isClosed = false

        /// The recording of that id, and all files of the logger whose first that was or one of which it is.
        func running(_ id: RecordingID) -> [(session: RecordingSession, volume: Volume)] {
            let series = sessions[id]?.session.series ?? id
            return sessions.values.filter { $0.session.id == id || $0.session.series == series }
        }
    }

    let settings: Settings
    let disk: any Disk
    let journal: any RecordingJournal
    let time: any TimeSource
    let tell: @Sendable (RecordingEvent) -> Void
    let cutter: Cutter
    let tools: (any FileTools)?
    let pictures: any PictureSource
    /// What is done with a recording once its files are closed: it may take long, and no other recording waits for it.
    private let aftercare = JobThread("aftercare")
    /// Measures what is over, for minutes where it is long: nobody waits for that, and a recorder that ends least of all.
    private let measuring = JobThread("measuring")
    /// Held while the facts of a recording that is over are read, changed and kept: a file's write long, by threads that
    /// may block.
    let editing = Lock(())
    /// Recordings at whose files a long job works.
    let occupied = Lock(Set<RecordingID>())
    private let state = Monitor(State())

    /// - Parameters:
    ///   - sound: lets tracks be cut where the sound says; without it they are cut where the metadata says.
    ///   - offsets: what is known of how late the titles of stations come.
    ///   - pictures: for the tags of files, beside those that the streams carry.
    ///   - tell: hears what happens; called on a thread of the recorder, must return at once.
    package init(
        settings: Settings = Settings(), disk: any Disk = RealDisk(),
        journal: any RecordingJournal = NoJournal(),
        sound: (any SoundSource)? = nil, offsets: StationOffsets = StationOffsets(),
        pictures: any PictureSource = NoPictures(),
        time: any TimeSource = SystemTime(), tell: @escaping @Sendable (RecordingEvent) -> Void = { _ in }
    ) {
        self.settings = settings
        self.disk = disk
        self.journal = journal
        self.time = time
        self.tell = tell
        self.pictures = pictures
        cutter = Cutter(sound: sound, offsets: offsets)
        tools = sound as? any FileTools
    }

    // MARK: Starting and ending

    /// Begins to record what `feed` carries. The file is made when the first audio comes.
    /// - Returns: by what it is known from now on.
    /// - Parameter window: is read first, and the feed from where it ends.
    package func start(
        _ request: RecordingRequest, feed: Feed, window: WindowReader? = nil
    ) throws(RecordingError) -> RecordingID {
        let session = try makeSession(request, feed: feed, window: window)
        try add(session, device: session.device)
        return session.id
    }

    /// A recording that no thread moves yet.
    func makeSession(
        _ request: RecordingRequest, feed: Feed, window: WindowReader? = nil, going: Going? = nil
    ) throws(RecordingError) -> RecordingSession {
        try checkLog(request)
        let facts = newFacts(request, feed, going)
        let place = try filePlace(request, facts, nominalStart: going?.start.begins)
        let log = loggerPart(request, facts, feed, going?.keeper)
        // A log that is limited by the free space of its disk stands at that limit: it makes its room first.
        if going == nil { log?.keeper.enforce(running: facts) }
        let (device, trackRoot) = try check(place, request, isNew: going == nil)
        let (reserve, pictures) = (settings.tagBytes, pictures)
        let wish = PictureWish.station(facts.stationID)
        pictures.look(for: wish)
        let whole = WholeWriter(
            place: place, isExact: request.target?.isExact ?? false, continuing: request.continuing,
            commentRoom: min(reserve, Self.commentRoom), picture: { pictures.found(wish) }
        ) { format, first in
            var tag = facts.tagFields()
            tag.picture = pictures.found(wish)
            return FileHead(format, first: first, tag: tag, reserve: reserve)
        }
        let tracks = trackRoot.flatMap { root in
            request.tracks.map { tracks in
                TrackWriter(tracks, facts: facts, root: root, disk: disk, pictures: pictures)
            }
        }
        return RecordingSession(
            facts: facts, request: request, feed: feed, whole: whole, tracks: tracks, window: window,
            log: log, start: going?.start, cutter: cutter,
            device: device, settings: settings, picture: { pictures.found(wish) },
            time: time, tell: tell)
    }

    private func checkLog(_ request: RecordingRequest) throws(RecordingError) {
        guard request.log != nil else { return }
        guard case .library = request.target else {
            throw .other("a logger needs a folder, not the name of a file")
        }
        guard request.tracks == nil else {
            throw .other("a logger makes no tracks; record the station a second time for them")
        }
    }

    private func filePlace(
        _ request: RecordingRequest, _ facts: RecordingFacts, nominalStart: WallTime?
    ) throws(RecordingError) -> FilePlace? {
        guard let target = request.target else { return nil }
        let values = values(of: facts)
        guard let earlier = request.continuing else {
            return FilePlace(
                target, overwrite: request.overwrite, values: values, disk: disk, nominalStart: nominalStart)
        }
        do throws(SystemError) {
            return try FilePlace(continuing: earlier, target: target, values: values, disk: disk)
        } catch {
            throw .folder(earlier.folder, reason: error.reason)
        }
    }

    /// - Returns: the volume that is written to, and the folder of the tracks.
    private func check(
        _ place: FilePlace?, _ request: RecordingRequest, isNew: Bool
    ) throws(RecordingError) -> (device: UInt64, trackRoot: (any DiskFolder)?) {
        var trackRoot: (any DiskFolder)?
        if let tracks = request.tracks { trackRoot = try open(tracks.folder) }
        var device = trackRoot?.device
        if let place, let target = request.target {
            let root = try open(place.rootPath)
            if request.continuing == nil, place.isTaken(in: root) { throw .fileExists(target.path) }
            if place.isBusy(in: root) { throw .other("\(target.path) is being recorded already") }
            device = root.device
            let makesRoom = request.log?.retention.freeBytes != nil
            if isNew, request.continuing == nil, !makesRoom { try checkRoom(root) }
        }
        if place == nil, let trackRoot { try checkRoom(trackRoot) }
        guard let device else { throw .noTarget }
        return (device, trackRoot)
    }

    private func checkRoom(_ folder: any DiskFolder) throws(RecordingError) {
        guard settings.newFloorBytes > 0, let free = try? folder.freeBytes(), free < settings.newFloorBytes
        else {
            return
        }
        throw .folder(
            folder.path,
            reason: "only \(free >> 20) MiB are free, and \(settings.newFloorBytes >> 20) MiB are asked for; "
                + "make room, or lower recording.free_for_new")
    }

    private func open(_ folder: String) throws(RecordingError) -> any DiskFolder {
        do throws(SystemError) { return try disk.folder(folder, below: [], creating: false) } catch {
            throw .folder(folder, reason: error.reason)
        }
    }

    func add(_ session: RecordingSession, device: UInt64) throws(RecordingError) {
        let found = state.change { state -> (volume: Volume, isEnding: Bool)? in
            guard !state.isClosed else { return nil }
            let volume = state.volumes[device] ?? newVolume()
            state.volumes[device] = volume
            state.sessions[session.id] = (session, volume)
            return (volume, session.series.map(state.ending.contains) ?? false)
        }
        guard let (volume, isEnding) = found else { throw .closed }
        if isEnding { session.shared.withLock { $0.endAsked = true } }
        volume.add(session)
    }

    private func newVolume() -> Volume {
        let volume = Volume(settings: settings, journal: journal) { [weak self] session, facts in
            self?.closed(session, facts)
        }
        volume.start()
        return volume
    }

    /// On a keeper thread. What takes longer than closing files is done on another.
    private func closed(_ session: RecordingSession, _ facts: RecordingFacts) {
        let room = ChapterRoom(disk: disk, floorBytes: settings.floorBytes)
        let needsRoom = room.concerns(facts)
        let remuxer = session.work.whole.isExact || !M4AFinish.concerns(facts) ? nil : tools
        guard needsRoom || remuxer != nil else { return over(session, facts) }
        aftercare.add { [self] in
            var facts = facts
            if needsRoom { room.run(&facts) }
            let m4a = remuxer.map {
                M4AFinish(
                    disk: disk, tools: $0, floorBytes: settings.floorBytes, picture: session.wholePicture)
            }
            let needless = m4a?.run(&facts) ?? []
            if session.settle(facts, journal: journal) { m4a?.remove(needless, of: facts) }
            over(session, facts)
        }
    }

    private func over(_ session: RecordingSession, _ facts: RecordingFacts) {
        session.log?.keeper.add(facts)
        if facts.state != .failed { tell(.finished(facts)) } else if !session.isLater { tell(.failed(facts)) }
        state.change { state in
            state.sessions[session.id] = nil
            if let series = session.series, state.running(series).isEmpty { state.ending.remove(series) }
        }
        guard let tools, settings.measures, facts.state == .finished else { return }
        measuring.add { [self] in
            // A service that ends does not wait for measuring.
            if !measuring.isStopping { measure(facts, tools) }
        }
    }

    private func measure(_ facts: RecordingFacts, _ tools: any FileTools) {
        guard !facts.parts.isEmpty else { return }
        do {
            // It may have got another name since.
            guard let facts = journal.newest(facts) else { return }
            let profile = try Measuring(disk: disk, tools: tools) { [measuring] _ throws(SystemError) in
                if measuring.isStopping {
                    throw SystemError(code: DiskCode.cancelled, while: "measuring: the recorder ends")
                }
            }.run(facts)
            let measured = amend(facts) { ($0.loudness, $0.silences) = (profile.loudness, profile.silences) }
            if let measured { tell(.measured(measured, waveform: profile.peaks)) }
        } catch {
            // It can be done another time.
            if measuring.isStopping { return }
            Log.warning(
                "recording", "the sound could not be measured",
                ["recording": facts.id.text, "error": "\(error)"])
        }
    }

    private func newFacts(_ request: RecordingRequest, _ feed: Feed, _ going: Going?) -> RecordingFacts {
        if var earlier = request.continuing {
            earlier.state = .recording
            earlier.reason = nil
            return earlier
        }
        let station = feed.station
        let wall = going?.start.begins ?? request.since ?? time.wall
        let id = RecordingID.new(station: station.id, wall: time.wall)
        let slot = request.log.map { LoggerSlot(seconds: $0.slotSeconds, series: going?.series ?? id) }
        return RecordingFacts(
            id: id, state: .recording, stationID: station.id,
            stationName: station.name, homepage: station.homepage, genre: station.genre, show: request.show,
            origin: request.origin, keep: request.keep, slot: slot, started: wall, ended: wall, folder: "",
            parts: [],
            titles: [],
            gaps: [], clock: [], trackFolder: request.tracks?.folder)
    }

    private func values(of facts: RecordingFacts) -> NameValues {
        var values = NameValues(station: facts.stationName, stationID: facts.stationID, start: facts.started)
        values.show = facts.show
        values.genre = facts.genre
        return values
    }

    /// Ends a recording properly. Returns at once; `RecordingEvent.finished` follows. Any file of a logger, the first of
    /// them for instance, ends the logger.
    package func stop(_ id: RecordingID) throws(RecordingError) {
        let found = state.change { state in
            let running = state.running(id)
            state.ending.formUnion(running.compactMap(\.session.series))
            return running
        }
        guard !found.isEmpty else { throw .noSuchRecording(id.text) }
        for (session, volume) in found {
            session.shared.withLock { $0.endAsked = true }
            volume.hurry()
        }
    }

    private func find(_ id: RecordingID) throws(RecordingError) -> [(
        session: RecordingSession, volume: Volume
    )] {
        let found = state.change { $0.running(id) }
        guard !found.isEmpty else { throw .noSuchRecording(id.text) }
        return found
    }

    /// Ends it and waits until its file is finished. Not from a reactor loop, not from the cooperative pool.
    package func stopAndWait(_ id: RecordingID) throws(RecordingError) {
        try stop(id)
        wait(for: id)
    }

    /// Waits until a recording is over, however it ends. Returns at once for one that is not running.
    package func wait(for id: RecordingID) {
        _ = state.wait { $0.running(id).isEmpty ? true : nil }
    }

    /// Changes when a running recording ends: a schedule was edited.
    package func change(_ id: RecordingID, limit: RecordingRequest.Limit) throws(RecordingError) {
        for (session, _) in try find(id) { session.shared.withLock { $0.limit = limit } }
    }

    /// Ends all recordings properly and waits for them. Nothing can be started afterwards.
    package func endAll() {
        let (sessions, volumes) = state.change { state in
            state.isClosed = true
            return (Array(state.sessions.values), Array(state.volumes.values))
        }
        for (session, _) in sessions { session.shared.withLock { $0.endAsked = true } }
        for volume in volumes { volume.stop() }
    }

    /// `endAll`, and ends what is done with recordings that are over.
    package func shutDown() {
        endAll()
        cutter.stop()
        measuring.stop()
        aftercare.stop()
        state.change { $0.volumes = [:] }
    }

    /// Closes the recordings that a crash left open in a folder, and those that the journal knows of elsewhere, and marks
    /// them interrupted. Blocks; reads each of
    /// them once from front to back. What is being written now, by anybody, is left alone.
    /// - Parameter isDeep: looks into the folders in it too, as a library has them.
    package func recover(folder: String, isDeep: Bool) -> [RecordingFacts] {
        let recovery = Recovery(disk: disk, journal: journal, time: time)
        let found = recovery.close(in: folder, isDeep: isDeep)
        let known = Set(found.closed.map(\.id)).union(running.map(\.facts.id))
        let elsewhere = journal.unfinished().filter { !known.contains($0.id) }.compactMap(recovery.close)
        for facts in found.unconverted { convert(facts) }
        return found.closed + elsewhere
    }

    /// What a crash kept from becoming M4A becomes it now, behind whatever is recorded. It is known as ADTS until then.
    private func convert(_ facts: RecordingFacts) {
        guard let tools, M4AFinish.concerns(facts) else { return }
        let wish = PictureWish.station(facts.stationID)
        pictures.look(for: wish)
        aftercare.add { [self] in
            guard !aftercare.isStopping, occupied.withLock({ $0.insert(facts.id).inserted }) else { return }
            defer { occupied.withLock { _ = $0.remove(facts.id) } }
            // It may have got another name since, or be gone.
            guard var newest = journal.newest(facts) else { return }
            let before = newest.parts
            let m4a = M4AFinish(
                disk: disk, tools: tools, floorBytes: settings.floorBytes, picture: pictures.found(wish))
            let needless = m4a.run(&newest)
            guard newest.parts != before, amend(facts, { $0.parts = newest.parts }) != nil else { return }
            m4a.remove(needless, of: newest)
        }
    }

    var wallNow: WallTime { time.wall }

    // MARK: Looking

    /// The recordings that are running, oldest first.
    package var running: [RecordingStatus] {
        let sessions = state.change { $0.sessions.values.map(\.session) }
        return sessions.map { $0.shared.withLock { $0.status } }.sorted {
            $0.facts.started < $1.facts.started
        }
    }

    /// One that is running; nil where it is over.
    package func status(_ id: RecordingID) -> RecordingStatus? {
        let session = state.change { $0.sessions[id]?.session }
        return session?.shared.withLock { $0.status }
    }

    /// That recording, or of a logger that it is a file of the newest file; nil where it is over.
    package func current(_ id: RecordingID) -> RecordingStatus? {
        let statuses = state.change { $0.running(id) }.map { $0.session.shared.withLock { $0.status } }
        return statuses.max { $0.facts.started < $1.facts.started }
    }
}

extension RecordingRequest.Target {
    /// As a person named it.
    var path: String {
        switch self {
        case .whole(let path): path
        case .library(let folder, _): folder
        }
    }

    /// The folder that must be there.
    package var folder: String {
        switch self {
        case .whole(let path): FilePlace.split(path).folder
        case .library(let folder, _): folder
        }
    }

    /// One file, whatever happens to the sample rate.
    var isExact: Bool { if case .whole = self { true } else { false } }
}
