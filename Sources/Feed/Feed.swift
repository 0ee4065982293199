package import Platform
package import StreamFormats

/// The hub of one station: one writer, many readers, and the last minute of sound.
///
/// Ingest is the only writer. A reader is a cursor into a shared log of events: it costs the writer nothing, can fall
/// behind, be dropped or die, and slows nobody. All functions may be called from any thread; `wake` and `demandChanged`
/// are called on the thread that caused them, never with a lock held, and must return at once.
package final class Feed: Sendable {
    /// How much is kept in memory whether or not anybody reads.
    package struct Limits: Sendable {
        /// Seconds of audio.
        package var seconds: Double
        /// Bytes of audio; wins over `seconds`.
        package var bytes: Int
        /// Titles and gaps remembered after their audio is gone.
        package var history: Int

        package init(seconds: Double = 60, bytes: Int = 2 << 20, history: Int = 500) {
            self.seconds = seconds
            self.bytes = bytes
            self.history = history
        }
    }

    private let time: any TimeSource
    private let demandChanged: @Sendable (_ readers: Int) -> Void
    private let fetchHeld: @Sendable (_ done: @escaping @Sendable () -> Void) -> Void
    private let tryNow: @Sendable () -> Void
    let state: Lock<FeedLog>

    /// A feed without audio yet.
    /// - Parameters:
    ///   - demandChanged: told the number of readers whenever it becomes 0 or stops being 0.
    ///   - catchUp: asked to publish at once what has come and was left for later, and to say when that is done.
    ///   - hurry: asked to try the station now instead of at its next try.
    package init(
        station: Station, limits: Limits = Limits(), time: any TimeSource = SystemTime(),
        demandChanged: @escaping @Sendable (_ readers: Int) -> Void = { _ in },
        catchUp: @escaping @Sendable (_ done: @escaping @Sendable () -> Void) -> Void = { $0() },
        hurry: @escaping @Sendable () -> Void = {}
    ) {
        self.time = time
        self.demandChanged = demandChanged
        fetchHeld = catchUp
        tryNow = hurry
        state = Lock(
            FeedLog(station: station, limits: limits, status: FeedStatus(state: .idle, since: time.wall)))
    }

    // MARK: What the writer says

    /// Frames that follow from now on are of this format. Saying the present format again does nothing.
    package func publish(format: AudioFormat) {
        wake(state.withLock { $0.append(format: format) })
    }

    /// Adds whole frames. A format must have been published before.
    package func publish(frames run: FrameRun) {
        let (now, wall) = (time.now, time.wall)
        wake(state.withLock { $0.append(run: run, now: now, wall: wall) })
    }

    /// From the next frame on, this title is valid.
    package func publish(title raw: RawTitle, reading text: TitleText) {
        let wall = time.wall
        wake(state.withLock { $0.append(title: raw, reading: text, wall: wall) })
    }

    /// The stream broke here, or broke and was healed.
    package func publish(gap cause: Gap.Cause, from: WallTime, to: WallTime, lostSeconds: Double) {
        wake(state.withLock { $0.append(gap: cause, from: from, to: to, lostSeconds: lostSeconds) })
    }

    /// Reads the remembered titles again, with what has been learned of the charset, and tells readers which changed.
    package func redecodeTitles(_ read: (RawTitle) -> TitleText) {
        wake(state.withLock { $0.redecode(read) })
    }

    /// Has the writer publish what has come and was left for later. `done` is called once, when that has been published, on
    /// the writer's thread or at once.
    package func catchUp(_ done: @escaping @Sendable () -> Void) { fetchHeld(done) }

    /// Changes the status; readers are not woken, whoever shows it asks.
    package func updateStatus(_ change: (inout FeedStatus) -> Void) {
        let wall = time.wall
        state.withLock { log in
            let before = log.status.state
            change(&log.status)
            if log.status.state != before { log.status.since = wall }
        }
    }

    /// The station's description has changed; its id may not.
    package func update(station: Station) { state.withLock { $0.station = station } }

    // MARK: What anybody may ask

    package var station: Station { state.withLock { $0.station } }
    package var status: FeedStatus { state.withLock { $0.status } }
    /// The title valid at the live edge.
    package var nowAiring: TitleMark? { state.withLock { $0.titles.last } }
    package var format: AudioFormat? { state.withLock { $0.format } }
    /// The live edge.
    package var position: StreamPosition { state.withLock { $0.position } }
    /// When audio last came in; nil before the first.
    package var lastArrival: MonotonicTime? { state.withLock { $0.lastArrival } }
    /// Audio comes at present until then, if none comes before; nil where none ever came. See `ArrivalRhythm`.
    package var arrivesUntil: MonotonicTime? {
        state.withLock { $0.rhythm.lasts(segment: $0.status.segmentSeconds) }
    }
    /// Audio comes at present: the last of it is no longer ago than its rhythm makes usual.
    package var isArriving: Bool { arrivesUntil.map { time.now < $0 } ?? false }
    package var readerCount: Int { state.withLock { $0.readers.count } }
    /// Somebody reads who is not patient: a listener, the player.
    package var hasHurriedReaders: Bool { state.withLock { $0.readers.values.contains { $0.patience == 0 } } }
    /// Bytes of audio held in memory.
    package var heldBytes: Int { state.withLock { $0.heldBytes } }
    /// When the oldest audio in memory came in; nil while there is none.
    package var heldSince: WallTime? { state.withLock { $0.heldSince } }
    /// Names of the readers, as they gave them: `recording 12`, `mount /demo`, `player`.
    package var readerNames: [String] { state.withLock { $0.readers.values.map(\.name).sorted() } }
    /// The titles remembered, oldest first.
    package var titles: [TitleMark] { state.withLock { $0.titles } }
    /// The breaks remembered, oldest first.
    package var gaps: [Gap] { state.withLock { $0.gaps } }

    // MARK: Readers

    /// Opens a reader. The station is connected as long as there is one.
    /// - Parameters:
    ///   - name: shown in `status`.
    ///   - start: where it begins; see `FeedStart`.
    ///   - patience: bytes it may lag behind the window before it loses audio; 0 is the window alone. A recorder pins
    ///     up to a minute, so that a full disk costs nothing.
    ///   - wake: called when there is something to read and the last `read` had found nothing more.
    package func open(
        name: String, from start: FeedStart = .live, patience: Int = 0,
        wake: @escaping @Sendable () -> Void = {}
    ) -> FeedReader {
        let now = time.now
        let (id, count) = state.withLock { log in
            (
                log.addReader(name: name, start: start, patience: patience, now: now, wake: wake),
                log.readers.count
            )
        }
        if count == 1 { demandChanged(1) }
        return FeedReader(feed: self, id: id)
    }

    /// Somebody wants to hear the station now: where it waits for its next try, that try comes soon.
    package func hurry() {
        if status.state == .waiting { tryNow() }
    }

    func read(_ id: Int, limit: Int) -> FeedBatch { state.withLock { $0.read(id, limit: limit) } }

    func close(_ id: Int) {
        let last = state.withLock { log in
            log.readers.removeValue(forKey: id) != nil && log.readers.isEmpty
        }
        if last { demandChanged(0) }
    }

    private func wake(_ calls: [@Sendable () -> Void]) {
        for call in calls { call() }
    }
}

/// Where a new reader begins.
package enum FeedStart: Sendable, Hashable {
    /// Seconds without audio after which what came before is another time, and no beginning for who joins now.
    package static let runBreakSeconds = 15.0

    /// With the next chunk.
    case live
    /// With audio from the past: at least so many seconds and at least so many bytes, as far as the window goes and the
    /// audio has come in without a long pause.
    case burst(seconds: Double, bytes: Int)
    /// With the first chunk held that ends after this place.
    case position(StreamPosition)
    /// With the oldest chunk held.
    case oldest
}

/// What one `read` found.
package struct FeedBatch: Sendable {
    /// In order; empty when the reader is at the live edge.
    package var events: [FeedEvent]
    /// Seconds of audio that this reader lost just before `events`, because it was too slow. Usually 0.
    package var skippedSeconds: Double
    /// There was nothing more when it was read; false where that is not known.
    package var isAtEdge: Bool

    package init(events: [FeedEvent], skippedSeconds: Double, isAtEdge: Bool = false) {
        self.isAtEdge = isAtEdge
        self.events = events
        self.skippedSeconds = skippedSeconds
    }
}

/// One reader's cursor. Close it, or let go of it, and the station may be left.
package final class FeedReader: Sendable {
    private let feed: Feed
    private let id: Int

    init(feed: Feed, id: Int) {
        self.feed = feed
        self.id = id
    }

    deinit { feed.close(id) }

    /// The next events, at most `limit`. Any thread, but one at a time.
    package func read(limit: Int = 512) -> FeedBatch { feed.read(id, limit: limit) }

    /// No more reading. May be called twice.
    package func close() { feed.close(id) }
}
