import Platform
import StreamFormats

/// The state of a feed: the log of events, and where every reader stands in it. A plain value; `Feed` puts a lock
/// around it. What it returns are the readers to be woken once the lock is let go.
struct FeedLog: Sendable {
    struct Reader: Sendable {
        var name: String
        /// Sequence number of the next event to read.
        var next: Int
        /// Told before that event: the format and title valid there.
        var preface: [FeedEvent]
        var skippedNanoseconds: Int64 = 0
        var patience: Int
        var isIdle = false
        var wake: @Sendable () -> Void
    }

    var station: Station
    let limits: Feed.Limits
    var status: FeedStatus
    private(set) var format: AudioFormat?
    private(set) var position = StreamPosition()
    private(set) var titles: [TitleMark] = []
    private(set) var gaps: [Gap] = []
    private(set) var lastArrival: MonotonicTime?
    private(set) var rhythm = ArrivalRhythm()
    private(set) var heldBytes = 0
    var readers: [Int: Reader] = [:]

    var events = EventRing()
    /// Sequence number of the oldest event that has not been looked at by `gather`.
    var firstLoose = 0
    private var nextReader = 1
    /// Where the present format began, so that audio time is counted in samples and never drifts.
    private var formatStart = StreamPosition()
    private var formatSamples: Int64 = 0
    /// Seconds of audio that a feed takes in all: sixty years, which leaves room to reckon in nanoseconds.
    private static let longestSeconds: Int64 = 2_000_000_000

    init(station: Station, limits: Feed.Limits, status: FeedStatus) {
        self.station = station
        self.limits = limits
        self.status = status
    }

    // MARK: Writing

    mutating func append(format new: AudioFormat) -> [@Sendable () -> Void] {
        guard new != format else { return [] }
        format = new
        formatStart = position
        formatSamples = 0
        return append(.format(new, at: position))
    }

    mutating func append(run: FrameRun, now: MonotonicTime, wall: WallTime) -> [@Sendable () -> Void] {
        guard let format, !run.frames.isEmpty, let end = end(after: run, format) else { return [] }
        formatSamples += run.samples
        let chunk = Chunk(run: run, format: format, start: position, end: end, arrival: now, wall: wall)
        position = end
        lastArrival = now
        rhythm.came(at: now)
        heldBytes += run.bytes.count
        let woken = append(.audio(chunk))
        trim()
        gather()
        return woken
    }

    /// Where the audio ends with one more run; nil beyond what a feed lasts, which only a stream that lies about its length
    /// comes to: packets of a few bytes may each claim seconds.
    private func end(after run: FrameRun, _ format: AudioFormat) -> StreamPosition? {
        let rate = Int64(max(format.sampleRate, 1))
        let (seconds, rest) = (formatSamples + run.samples).quotientAndRemainder(dividingBy: rate)
        guard seconds < Self.longestSeconds - formatStart.nanoseconds / 1_000_000_000 else { return nil }
        return StreamPosition(
            bytes: position.bytes + Int64(run.bytes.count),
            nanoseconds: formatStart.nanoseconds + seconds * 1_000_000_000 + rest * 1_000_000_000 / rate)
    }

    mutating func append(title raw: RawTitle, reading text: TitleText, wall: WallTime)
        -> [@Sendable () -> Void]
    {
        let mark = TitleMark(raw: raw, text: text, position: position, wall: wall)
        titles.append(mark)
        if titles.count > limits.history { titles.removeFirst(titles.count - limits.history) }
        return append(.title(mark))
    }

    mutating func append(
        gap cause: Gap.Cause, from: WallTime, to: WallTime, lostSeconds: Double
    ) -> [@Sendable () -> Void] {
        let gap = Gap(position: position, from: from, to: to, cause: cause, lostSeconds: lostSeconds)
        gaps.append(gap)
        if gaps.count > limits.history { gaps.removeFirst(gaps.count - limits.history) }
        return append(.gap(gap))
    }

    mutating func redecode(_ read: (RawTitle) -> TitleText) -> [@Sendable () -> Void] {
        var changed: [TitleMark] = []
        for index in titles.indices {
            let text = read(titles[index].raw)
            guard text != titles[index].text else { continue }
            titles[index].text = text
            changed.append(titles[index])
        }
        return changed.isEmpty ? [] : append(.retitled(changed))
    }

    private mutating func append(_ event: FeedEvent) -> [@Sendable () -> Void] {
        events.append(event)
        var woken: [@Sendable () -> Void] = []
        // By index, here and below: a reader taken out is copied with all it holds.
        for index in readers.indices where readers.values[index].isIdle {
            readers.values[index].isIdle = false
            woken.append(readers.values[index].wake)
        }
        return woken
    }

    // MARK: Reading

    mutating func addReader(
        name: String, start: FeedStart, patience: Int, now: MonotonicTime,
        wake: @escaping @Sendable () -> Void
    ) -> Int {
        let id = nextReader
        nextReader += 1
        let next = sequence(of: start, now: now)
        readers[id] = Reader(
            name: name, next: next, preface: preface(before: next), patience: patience, isIdle: true,
            wake: wake)
        return id
    }

    mutating func read(_ id: Int, limit: Int) -> FeedBatch {
        guard let index = readers.index(forKey: id) else { return FeedBatch(events: [], skippedSeconds: 0) }
        var found: [FeedEvent] = []
        swap(&found, &readers.values[index].preface)
        var next = readers.values[index].next
        while found.count < limit, let event = events[next] {
            found.append(event)
            next += 1
        }
        readers.values[index].next = next
        let skipped = readers.values[index].skippedNanoseconds
        readers.values[index].skippedNanoseconds = 0
        // Only a read that found nothing more arms the wake-up: the writer then calls once, not for every chunk.
        let isAtEdge = next == events.end
        readers.values[index].isIdle = isAtEdge
        return FeedBatch(events: found, skippedSeconds: Double(skipped) / 1e9, isAtEdge: isAtEdge)
    }

    /// The format and the title that are valid at a place in the log, as events.
    private func preface(before sequence: Int) -> [FeedEvent] {
        guard let place = events.position(at: sequence) ?? (format == nil ? nil : position) else { return [] }
        var said: [FeedEvent] = []
        if let format = events.firstFormat(at: sequence) ?? format { said.append(.format(format, at: place)) }
        if let title = titles.last(where: { $0.position <= place }) { said.append(.title(title)) }
        return said
    }

    private func sequence(of start: FeedStart, now: MonotonicTime) -> Int {
        switch start {
        case .live: return events.end
        case .oldest: return events.firstAudio ?? events.end
        case .position(let place): return events.first { $0.end > place } ?? events.end
        case .burst(let seconds, let bytes):
            let time = position.nanoseconds - Nanoseconds.of(seconds)
            let byte = position.bytes - Int64(bytes)
            // The last chunk that starts early enough for both; else all there is.
            let asked =
                events.last { $0.start.nanoseconds <= time && $0.start.bytes <= byte }
                ?? events.firstAudio ?? events.end
            return max(asked, presentRun(now: now))
        }
    }

    /// Where the audio begins that has come in without a long pause until now; the end where there is none. A station that
    /// nobody heard for an hour holds its last minute, and that is no burst.
    private func presentRun(now: MonotonicTime) -> Int {
        var (later, begin) = (now, events.end)
        for sequence in (events.start..<events.end).reversed() {
            guard case .audio(let chunk)? = events[sequence] else { continue }
            guard later.seconds(since: chunk.arrival) <= FeedStart.runBreakSeconds else { break }
            (later, begin) = (chunk.arrival, sequence)
        }
        return begin
    }

    /// When the oldest audio held came in.
    var heldSince: WallTime? {
        guard let first = events.firstAudio, case .audio(let chunk)? = events[first] else { return nil }
        return chunk.wall
    }

    // MARK: The window

    /// Drops what is older than the window, except what a patient reader has still to read.
    private mutating func trim() {
        while let oldest = events.firstEvent, isBeyondWindow(oldest) {
            let sequence = events.start
            if heldForSomebody(sequence) { return }
            if case .audio(let chunk) = oldest { heldBytes -= chunk.bytes.count }
            passReaders(by: oldest, at: sequence)
            events.removeFirst()
        }
    }

    private func isBeyondWindow(_ event: FeedEvent) -> Bool {
        if heldBytes > limits.bytes { return true }
        guard case .audio(let chunk) = event else { return true }
        return Double(position.nanoseconds - chunk.end.nanoseconds) / 1e9 > limits.seconds
    }

    private func heldForSomebody(_ sequence: Int) -> Bool {
        let excess = heldBytes - limits.bytes
        return readers.indices.contains { index in
            readers.values[index].next <= sequence && readers.values[index].patience > 0
                && excess < readers.values[index].patience
        }
    }

    /// Moves on those who have not read an event that leaves the window. Audio they lose; what is valid for the audio to
    /// come they are told before it.
    private mutating func passReaders(by event: FeedEvent, at sequence: Int) {
        for (id, reader) in readers where reader.next <= sequence {
            var reader = reader
            reader.next = sequence + 1
            if case .audio(let chunk) = event {
                reader.skippedNanoseconds += chunk.end.nanoseconds - chunk.start.nanoseconds
            } else {
                reader.preface.removeAll { $0.isSuperseded(by: event) }
                if reader.preface.count < Self.prefaceLimit { reader.preface.append(event) }
            }
            readers[id] = reader
        }
    }

    /// Most events a reader that never reads is kept: its format, its title, and breaks.
    private static let prefaceLimit = 64
}

extension FeedEvent {
    /// A later format or title makes an earlier one pointless when there was no audio between them.
    fileprivate func isSuperseded(by later: FeedEvent) -> Bool {
        switch (self, later) {
        case (.format, .format), (.title, .title): true
        default: false
        }
    }
}
