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

    /// So long the end of a recording waits for audio that has come and has not been read yet.
    private static let longestCatchUp = 0.5
    /// How often it is looked meanwhile.
    private static let catchUpLook = 0.02

    let id: RecordingID
    /// The volume that it writes to.
    let device: UInt64
    let shared: Lock<Shared>
    let sidecarTurn = SidecarTurn()
    let feed: Feed
    let cutter: Cutter
    /// Nil once the next file of the logger reads it; belongs to the thread that `work` belongs to.
    private(set) var source: (any EventSource)?
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
        let next = work.endDue == nil ? min(look, secondsToLimit(now)) : look
        guard bell.hasRung else { return next }
        let pause = work.lastTake.map { settings.tickSeconds / 2 - now.seconds(since: $0) } ?? 0
        return min(next, pause)
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
        shared.withLock { $0.endAsked } || secondsToLimit(now) <= 0
    }

    /// Infinite where there is no limit, or none that can be reckoned before the first audio.
    private func secondsToLimit(_ now: MonotonicTime) -> Double {
        switch shared.withLock({ $0.limit }) {
        case .open: .infinity
        case .until(let wall): Double(wall.nanoseconds &- time.wall.nanoseconds) / 1e9
        case .seconds(let seconds):
            work.firstAudio.map { seconds - now.seconds(since: $0) } ?? .infinity
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
}
