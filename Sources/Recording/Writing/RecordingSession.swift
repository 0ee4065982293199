internal import Feed
internal import Platform
internal import StreamFormats

/// One recording from its first tick to its last.
///
/// `tick` runs on the writer thread of the volume and is all that touches `work`; once it has answered `.ended`, the
/// volume hands the session to its keeper thread, which calls `finish`. `shared` is what others may see meanwhile.
final class RecordingSession: @unchecked Sendable {
    // Sendable because `work` has one thread at a time, as said above; the rest is constant or behind a lock.

    enum Outcome { case running, ended }

    /// What the keeper thread and whoever asks may see.
    struct Shared: Sendable {
        var status: RecordingStatus
        /// Files with bytes that are not known to be on the disk.
        var unsynced: [any DiskFile] = []
        var unsyncedFolder: (any DiskFolder)?
        /// The current file failed to synchronise and is suspect.
        var syncFailure: SystemError?
        var sidecar: Place?
        var sidecarIsStale = false
        /// How often facts have been told at once.
        var tellings = 0
        /// Journal and sidecar have told of it once: after a crash it is known whose file that is.
        var isKnown = false
        var endAsked = false
        /// All that had come when it was over has been published.
        var hasCaughtUp = false
        var limit: RecordingRequest.Limit
        /// What the cutter has found, by the number of its question.
        var answers: [(number: Int, cut: FoundCut)] = []
        /// Tracks that are complete and wait for their finish.
        var jobs: [TrackJob] = []
    }

    /// Where the sidecar is.
    struct Place: Sendable {
        var folder: any DiskFolder
        var name: String
    }

    enum Mood: Equatable {
        case well
        /// Does not write until then.
        case full(retryAt: MonotonicTime, since: MonotonicTime)
    }

    struct Work {
        var whole: WholeWriter
        var tracks: TrackWriter?
        var mood = Mood.well
        /// What a full disk has cost so far.
        var lostWhileFull: RecordedGap?
        var firstAudio: MonotonicTime?
        var lastLook: MonotonicTime
        var trimBefore: StreamPosition?
        /// The limit as it was when the recording began.
        var limit: RecordingRequest.Limit
        /// A track has been cut in this tick.
        var hasCut = false
        var slot: SlotClock?
        /// What has come and belongs to the next file of the logger; nil while this one goes on.
        var carry: [Backlog.Item]?
        /// What the last file of the logger has left to this one.
        var inherited: [Backlog.Item] = []
        var lastTitle: TitleMark?
        /// The first that the stream has brought along.
        var streamPicture: TagFields.Picture?
        /// Nothing more is read; since then it waits for a full disk.
        var closingSince: MonotonicTime?
        var lastTick: MonotonicTime?
        /// When others were last shown how far it has come.
        var lastShown: MonotonicTime?
        /// When audio was last taken.
        var lastTake: MonotonicTime?
        /// It is over, and waits since then for what had come and was not read yet.
        var endDue: MonotonicTime?
    }

    /// Seconds after which others see how far it has come; what is news they see at once.
    private static let showSeconds = 1.0
    /// So long the end of a recording waits for audio that has come and has not been read yet.
    private static let longestCatchUp = 0.5
    /// How often it is looked meanwhile.
    private static let catchUpLook = 0.02
    /// More is not taken in one tick.
    private static let tickBytes = 8 << 20

    let id: RecordingID
    /// The volume that it writes to.
    let device: UInt64
    let shared: Lock<Shared>
    let sidecarTurn = SidecarTurn()
    private let feed: Feed
    let cutter: Cutter
    /// Nil once the next file of the logger reads it; belongs to the thread that `work` belongs to.
    private var source: (any EventSource)?
    let bell: SessionBell
    let log: LoggerPart?
    /// The logger that this is a file of.
    let series: RecordingID?
    let settings: Recorder.Settings
    /// Of the station, as far as it has been found.
    private let picture: @Sendable () -> TagFields.Picture?
    let time: any TimeSource
    private let giveUpSeconds: Double?
    private let asked: MonotonicTime
    let tell: @Sendable (RecordingEvent) -> Void
    var work: Work

    init(
        facts: RecordingFacts, request: RecordingRequest, feed: Feed, whole: WholeWriter,
        tracks: TrackWriter?, window: WindowReader?, log: LoggerPart?, start: SlotStart?, cutter: Cutter,
        device: UInt64,
        settings: Recorder.Settings, picture: @escaping @Sendable () -> TagFields.Picture?,
        time: any TimeSource, tell: @escaping @Sendable (RecordingEvent) -> Void
    ) {
        id = facts.id
        self.device = device
        self.feed = feed
        self.settings = settings
        self.picture = picture
        self.time = time
        self.tell = tell
        giveUpSeconds = request.giveUpSeconds
        asked = time.now
        var trimBefore: StreamPosition?
        if case .position(let place) = request.start { trimBefore = place }
        self.cutter = cutter
        work = Work(
            whole: whole, tracks: tracks, lastLook: asked, trimBefore: trimBefore, limit: request.limit,
            slot: log?.clock, inherited: start?.items ?? [])
        self.log = log
        series = facts.slot?.series
        shared = Lock(Shared(status: RecordingStatus(facts: facts, waitsFor: "audio"), limit: request.limit))
        let name = "recording \(facts.id)"
        let bell = start?.bell ?? SessionBell()
        self.bell = bell
        source =
            start?.source
            ?? window.map {
                PastReader(
                    window: $0, feed: feed, name: name, patience: settings.patienceBytes, wake: bell.ring)
            }
            ?? feed.open(
                name: name, from: request.start, patience: settings.patienceBytes, wake: bell.ring)
    }

    /// For the tags of the whole: the station's, else what the stream has brought.
    var wholePicture: TagFields.Picture? { picture() ?? work.streamPicture }

    /// A file of a logger behind its first: one without audio was never there.
    var isLater: Bool { series.map { $0 != id } ?? false }

    /// No more is read: the station may be left.
    func stopReading() { source?.close() }

    /// The reader, which somebody else has from now on; nil where it is gone.
    func releaseSource() -> (any EventSource)? {
        defer { source = nil }
        return source
    }

    func keepSource(_ source: any EventSource) { self.source = source }

    // MARK: On the writer thread

    /// There is something to do: audio has come and the last is not too fresh, it is over, or it is time to look.
    func isDue(_ now: MonotonicTime) -> Bool { secondsToDue(now) <= 0 || shouldEnd(now) }

    /// When it is looked at next, unless audio comes or somebody asks: soon where audio has come right behind the last.
    func secondsToDue(_ now: MonotonicTime) -> Double {
        guard let last = work.lastTick else { return 0 }
        // Soon while it is caught up with; a disk that is full at the end is waited for as at any other time.
        let isEnding = work.endDue != nil && work.closingSince == nil
        let look = (isEnding ? Self.catchUpLook : 2 * settings.tickSeconds) - now.seconds(since: last)
        guard bell.hasRung else { return look }
        let pause = work.lastTake.map { settings.tickSeconds / 2 - now.seconds(since: $0) } ?? 0
        return min(look, pause)
    }

    /// Takes what the feed has, writes it, and looks whether the recording is over.
    func tick() -> Outcome {
        let now = time.now
        work.lastTick = now
        bell.silence()
        let isAsked = isOver(now)
        var news: [WholeWriter.News] = []
        let (took, isDrained) = work.closingSince == nil ? readFeed(now) : (false, true)
        if took { work.lastTake = now }
        let isSlotOver = handOverSlot(now)
        let isLast =
            isSlotOver || work.closingSince != nil || (isAsked && isDrained) || work.tracks?.isDone == true
        let failure = shared.withLock { state in
            defer { state.syncFailure = nil }
            return state.syncFailure
        }
        if let failure { leaveFile(because: failure.description) }
        let isAnswered = shared.withLock { !$0.answers.isEmpty }
        if took || isLast || isAnswered || work.mood != .well { write(now, isLast: isLast, news: &news) }
        lookAtDisk(now)
        if took || isAnswered || !news.isEmpty { publish(news, now) }
        // Whoever is killed a moment after its first frame must be known by its name and titles.
        if news.contains(where: \.isFile) || work.hasCut {
            tellAtOnce()
        }
        if hasGivenUp(now) { return .ended }
        return isLast && mayEnd(now) ? .ended : .running
    }

    /// What a full disk has not taken yet is held on to, as long as it would be in the middle; unless somebody waits.
    private func mayEnd(_ now: MonotonicTime) -> Bool {
        let since = work.closingSince ?? now
        work.closingSince = since
        if work.mood == .well || shared.withLock({ $0.endAsked }) { return true }
        return now.seconds(since: since) >= settings.heldSeconds
    }

    var stationID: String { feed.station.id }

    /// A title comes up to one metadata interval late: half of it in the middle. The station's own rule wins.
    var titleLag: Double {
        let told = feed.station.titles.offset
        if told != .zero {
            return -Double(told.components.seconds) - Double(told.components.attoseconds) / 1e18
        }
        guard let interval = feed.status.metaint, work.whole.timeline.seconds > 1 else { return 0 }
        let bytesPerSecond = Double(feed.position.bytes) / max(feed.position.seconds, 1)
        return bytesPerSecond > 0 ? min(Double(interval) / bytesPerSecond / 2, 3) : 0
    }

    /// It should end, and what had come by then has been read.
    private func isOver(_ now: MonotonicTime) -> Bool {
        guard shouldEnd(now) else { return false }
        if work.endDue == nil {
            work.endDue = now
            feed.catchUp { [shared, bell] in
                shared.withLock { $0.hasCaughtUp = true }
                bell.ring()
            }
        }
        if shared.withLock({ $0.hasCaughtUp }) { return true }
        return now.seconds(since: work.endDue ?? now) >= Self.longestCatchUp
    }

    private func shouldEnd(_ now: MonotonicTime) -> Bool {
        let (endAsked, limit) = shared.withLock { ($0.endAsked, $0.limit) }
        if endAsked { return true }
        switch limit {
        case .open: return false
        case .until(let wall): return time.wall >= wall
        case .seconds(let seconds): return work.firstAudio.map { now.seconds(since: $0) >= seconds } ?? false
        }
    }

    private func hasGivenUp(_ now: MonotonicTime) -> Bool {
        guard work.firstAudio == nil, let giveUpSeconds else { return false }
        let status = feed.status
        guard status.state == .failed || now.seconds(since: asked) >= giveUpSeconds else { return false }
        shared.withLock {
            $0.status.facts.reason = status.reason ?? "no audio came within \(Int(bounded: giveUpSeconds)) s"
        }
        return true
    }

    /// Moves what the feed has into the writer's backlog; of a long window on the disk, some at a time.
    /// - Returns: whether there was anything, and whether that was all.
    private func readFeed(_ now: MonotonicTime) -> (took: Bool, isDrained: Bool) {
        var took = takeInherited(now)
        var bytes = 0
        while bytes < Self.tickBytes, work.carry == nil, let source {
            let batch = source.read()
            if batch.skippedSeconds > 0 {
                let wall = time.wall
                take(
                    .gap(
                        Gap(
                            position: feed.position, from: wall.advanced(bySeconds: -batch.skippedSeconds),
                            to: wall,
                            cause: .slowReader, lostSeconds: batch.skippedSeconds)))
            }
            for event in batch.events {
                if case .audio(let chunk) = event { bytes += chunk.bytes.count }
                take(event, now)
            }
            took = took || !batch.events.isEmpty
            if batch.events.isEmpty || batch.isAtEdge { return (took, true) }
        }
        return (took, false)
    }

    func take(_ item: Backlog.Item) {
        guard work.carry == nil else {
            work.carry?.append(item)
            return
        }
        noteTitle(item)
        work.whole.take(item)
        work.tracks?.take(item)
    }

    /// Remembers the title that is on: the next file of a logger begins with it.
    private func noteTitle(_ item: Backlog.Item) {
        switch item {
        case .title(let mark):
            work.lastTitle = mark
            work.streamPicture = work.streamPicture ?? TagFields.Picture(in: mark.raw)
        case .retitled(let marks):
            if let changed = marks.last(where: { $0.position == work.lastTitle?.position }) {
                work.lastTitle = changed
            }
        case .audio, .gap: break
        }
    }

    private func take(_ event: FeedEvent, _ now: MonotonicTime) {
        switch event {
        case .format: break
        case .audio(let chunk):
            guard let piece = piece(of: chunk) else { return }
            take(piece, now)
        case .title(let mark): take(.title(mark))
        case .gap(let gap): take(.gap(gap))
        case .retitled(let marks): take(.retitled(marks))
        }
    }

    func take(_ piece: AudioPiece, _ now: MonotonicTime) {
        work.firstAudio = work.firstAudio ?? now
        guard let (head, tail) = splitAtSlot(piece) else { return take(.audio(piece)) }
        if !head.run.frames.isEmpty { take(.audio(head)) }
        work.carry = [.audio(tail)]
    }

    /// The chunk without the frames that end before the place where the recording was to begin.
    private func piece(of chunk: Chunk) -> AudioPiece? {
        var piece = AudioPiece(run: chunk.run, format: chunk.format, wall: chunk.wall, feedStart: chunk.start)
        // What has been asked for the past ends where it was asked, though more has come since.
        if case .until(let end) = work.limit, chunk.wall > end { return nil }
        guard let place = work.trimBefore else { return piece }
        let (trimmed, start) = chunk.run.dropping(
            before: place, start: chunk.start, rate: chunk.format.sampleRate)
        if trimmed.frames.isEmpty { return nil }
        work.trimBefore = nil
        piece.run = trimmed
        piece.feedStart = start
        return piece
    }

    private func write(_ now: MonotonicTime, isLast: Bool, news: inout [WholeWriter.News]) {
        if case .full(let retryAt, _) = work.mood, now < retryAt, !isLast { return holdBack() }
        do throws(SystemError) {
            if (work.whole.folder ?? work.tracks?.folder).map(isBelowFloor) == true {
                throw SystemError(code: DiskCode.noSpace, while: "keeping \(settings.floorBytes) bytes free")
            }
            // Where there are only tracks, the ledger does not run ahead of them.
            if !work.whole.hasFile { try work.tracks?.write() }
            try work.whole.write(news: &news)
            try writeTracks(isLast: false)
            if case .full = work.mood { recovered() }
        } catch {
            handle(error, now)
        }
    }

    private func isBelowFloor(_ folder: any DiskFolder) -> Bool {
        guard settings.floorBytes > 0, let free = try? folder.freeBytes() else { return false }
        return free < settings.floorBytes
    }

    private func handle(_ error: SystemError, _ now: MonotonicTime) {
        let wasWell = work.mood == .well
        if error.trouble == .broken { leaveFile(because: error.description) }
        let since: MonotonicTime = if case .full(_, let since) = work.mood { since } else { now }
        work.mood = .full(retryAt: now.advanced(bySeconds: settings.retrySeconds), since: since)
        if wasWell {
            Log.warning(
                "recording", "the disk does not take the audio; it is kept in memory",
                [
                    "recording": id.text, "error": error.description,
                ])
            tell(.diskFull(id, reason: error.description))
        }
        shared.withLock { $0.status.waitsFor = error.description }
        holdBack()
    }

    private func holdBack() {
        guard let gap = letGo(beyond: settings.heldSeconds, cause: .diskFull) else { return }
        if work.lostWhileFull == nil {
            Log.error(
                "recording", "audio is being lost: the disk has not taken any for too long",
                [
                    "recording": id.text, "held": "\(settings.heldSeconds)",
                ])
            shared.withLock { $0.sidecarIsStale = true }
        }
        work.lostWhileFull = gap
    }

    /// Lets the oldest audio go until at most so many seconds are held, of the whole and of the tracks the same.
    func letGo(beyond limit: Double, cause: Gap.Cause) -> RecordedGap? {
        let loss = work.whole.hasFile ? work.whole.drop(beyond: limit) : work.tracks?.drop(beyond: limit)
        if let loss { work.tracks?.lose(loss) }
        // Their folder may be on another disk than the whole, and full alone.
        if work.whole.hasFile { work.tracks?.skip(beyond: limit + Self.trackSlack) }
        return loss.map { work.whole.lose($0, cause: cause, now: time.wall) }
    }

    /// Tracks may lag behind the whole by this without a hole of their own.
    private static let trackSlack = 5.0

    private func recovered() {
        let lost = work.lostWhileFull?.lostSeconds ?? 0
        Log.info("recording", "the disk takes audio again", ["recording": id.text, "lost": "\(lost)"])
        if let gap = work.lostWhileFull { tell(.gap(id, gap)) }
        tell(.resumed(id, lostSeconds: lost))
        work.mood = .well
        work.lostWhileFull = nil
        shared.withLock { $0.status.waitsFor = nil }
    }

    /// Somebody may have deleted the file under us; then nothing that is written to it can be found again.
    private func lookAtDisk(_ now: MonotonicTime) {
        guard now.seconds(since: work.lastLook) >= settings.lookSeconds, let file = work.whole.file else {
            return
        }
        work.lastLook = now
        guard let facts = try? file.file.facts(), facts.links == 0 else { return }
        leaveFile(because: "\(file.name) was deleted while it was being written")
    }

    /// The file is not to be trusted any more, and never to be synchronised again.
    func leaveFile(because reason: String) {
        work.whole.leaveFile(because: reason)
        work.tracks?.leaveFile()
        shared.withLock { $0.unsynced = [] }
    }

    // MARK: What others see

    /// It has a file that neither journal nor sidecar knows yet: that must not last until its turn.
    var isUnknown: Bool { shared.withLock { $0.sidecarIsStale && !$0.isKnown } }

    private func publish(_ news: [WholeWriter.News], _ now: MonotonicTime) {
        let isShown =
            !news.isEmpty || work.tracks != nil || work.mood != .well
            || work.lastShown.map {
                now.seconds(since: $0) >= min(Self.showSeconds, settings.tickSeconds * 4)
            } ?? true
        if isShown { work.lastShown = now }
        shared.withLock { state in
            if isShown { show(in: &state) }
            for file in [work.whole.file?.file, work.tracks?.file?.file].compactMap({ $0 }) {
                if !state.unsynced.contains(where: { $0 === file }) { state.unsynced.append(file) }
                if state.status.waitsFor == "audio" { state.status.waitsFor = nil }
            }
            state.sidecar = state.sidecar ?? sidecarPlace
            if !news.isEmpty { state.sidecarIsStale = true }
            if news.contains(where: { if case .title = $0 { false } else { true } }) {
                state.unsyncedFolder = work.whole.folder
            }
        }
        for item in news { tell(item) }
    }

    private func show(in state: inout Shared) {
        fill(&state.status.facts)
        state.status.facts.openTracks =
            state.jobs.map(\.openTrack) + [work.tracks?.openTrack].compactMap { $0 }
        state.status.heldSeconds = work.whole.heldSeconds
    }

    /// A stranger's `NAME.json` is left alone.
    private var sidecarPlace: Place? {
        guard let file = work.whole.file else { return trackSidecarPlace }
        // A recording that goes on after an interruption has one already, named after its first file.
        let usual = Sidecar.name(for: work.whole.parts.first?.name ?? file.finalName)
        let isStrange =
            file.folder.contains(usual) && SidecarFile(folder: file.folder).read(named: usual) == nil
        return Place(folder: file.folder, name: isStrange ? file.finalName + ".json" : usual)
    }

    /// Tracks alone have one for all, named after the station and the time.
    private var trackSidecarPlace: Place? {
        guard let tracks = work.tracks, let file = tracks.file else { return nil }
        let started = LocalTime.text(work.whole.timeline.started ?? time.wall, pattern: "%Y-%m-%d %H-%M-%S")
        let stem = SafeName.component("\(feed.station.name) \(started)")
        let names = ["\(stem).json"] + (2...99).map { "\(stem) (\($0)).json" }
        return Place(
            folder: tracks.root, name: names.first { !tracks.root.contains($0) } ?? file.finalName + ".json")
    }

    private func tell(_ news: WholeWriter.News) {
        switch news {
        case .started: tell(.started(shared.withLock { $0.status.facts }))
        case .title(let title): tell(.title(id, title))
        case .gap(let gap): tell(.gap(id, gap))
        case .newPart(let name, let reason): tell(.newPart(id, name: name, reason: reason))
        case .retitled: break
        }
    }

    /// Brings the facts up to what has been written.
    func fill(_ facts: inout RecordingFacts) {
        facts.format = work.whole.format
        facts.parts = work.whole.allParts
        facts.titles = work.whole.timeline.titles
        facts.gaps = work.whole.timeline.gaps
        facts.clock = work.whole.timeline.clock.anchors
        facts.started = work.whole.timeline.started ?? facts.started
        facts.ended = work.whole.timeline.ended ?? facts.ended
        facts.folder = work.whole.folder?.path ?? facts.folder
        facts.titleLag = titleLag
        facts.learnedOffset = cutter.learned(of: facts.stationID, lag: titleLag)
        if facts.url == nil {
            let status = feed.status
            facts.url = status.url
            facts.genre = facts.genre ?? status.genre
            facts.homepage = facts.homepage ?? status.homepage
        }
    }
}
