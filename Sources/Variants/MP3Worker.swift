internal import Feed
internal import MediaHelper
internal import Platform
internal import Reactor
internal import StreamFormats

/// Carries what one station sends into its MP3 feed. The loop's thread only, but for `encoderID`.
final class MP3Worker: @unchecked Sendable {
    // Sendable because everything but the lock and the constants is touched on the loop's thread alone.
    private let feed: Feed
    private let bitrate: Int
    private let loop: EventLoop
    private let encoders: EncoderPlaces
    private let time: any TimeSource
    private let source: @Sendable () -> Feed?

    /// The encoder that runs, for others to see.
    let encoderID = Lock<LiveTranscoder?>(nil)

    private var reader: FeedReader?
    private var origin: Feed?
    private var transcoder: LiveTranscoder?
    /// Frames of an encoder that was ended may still be on their way.
    private var generation = 0
    private var marks = PendingMarks()
    private var passes = false
    private var trouble: String?
    private var clock: LoopTimer?

    /// Seconds of the past that are encoded at the start, so that the first listener has a burst.
    private static let pastSeconds = 5.0
    private static let format = AudioFormat(codec: .mp3, sampleRate: 44_100, channels: 2)

    init(
        feed: Feed, bitrate: Int, loop: EventLoop, encoders: EncoderPlaces, time: any TimeSource,
        source: @escaping @Sendable () -> Feed?
    ) {
        self.feed = feed
        self.bitrate = bitrate
        self.loop = loop
        self.encoders = encoders
        self.time = time
        self.source = source
    }

    // MARK: Demand

    /// Begins or ends, as the feed's readers are now: what was said of them on the way here may be over.
    func meetDemand() {
        if feed.readerCount > 0 { start() } else { end() }
    }

    private func start() {
        guard reader == nil else { return }
        guard let origin = source() else {
            return feed.updateStatus { status in
                (status.state, status.reason) = (.failed, "the station is no longer there")
            }
        }
        self.origin = origin
        trouble = nil
        reader = origin.open(name: feed.station.id, from: .burst(seconds: Self.pastSeconds, bytes: 0)) {
            [weak self] in
            guard let self else { return }
            loop.submit { self.drain() }
        }
        origin.hurry()
        clock = loop.every(1) { [weak self] in self?.tick() }
        drain()
    }

    func end() {
        guard let reader else { return }
        reader.close()
        (self.reader, origin) = (nil, nil)
        clock?.cancel()
        clock = nil
        endTranscoder()
        feed.updateStatus { status in (status.state, status.reason) = (.idle, nil) }
    }

    private func tick() {
        if !passes, transcoder == nil, let format = origin?.format { change(to: format) }
        drain()
    }

    // MARK: What the station sends

    private func drain() {
        guard let reader else { return }
        while true {
            let batch = reader.read()
            guard !batch.events.isEmpty else { break }
            for event in batch.events { take(event) }
        }
        showStatus()
    }

    private func take(_ event: FeedEvent) {
        switch event {
        case .format(let format, _): change(to: format)
        case .audio(let chunk):
            if passes {
                feed.publish(frames: chunk.run)
            } else {
                transcoder?.push(chunk.run, at: chunk.start.nanoseconds)
            }
        case .title(let mark): keep(.title(mark), at: mark.position)
        case .gap(let gap): keep(.gap(gap), at: gap.position)
        case .retitled(let changed):
            marks.retitle(changed)
            feed.reread(changed)
        }
    }

    private func keep(_ mark: PendingMarks.Mark, at position: StreamPosition) {
        if passes { return publish(mark) }
        for mark in marks.add(mark, at: position.nanoseconds) { publish(mark) }
    }

    private func publish(_ mark: PendingMarks.Mark) {
        switch mark {
        case .title(let title): feed.publish(copyOf: title)
        case .gap(let gap): feed.publish(copyOf: gap)
        }
    }

    private func change(to format: AudioFormat) {
        passes = format.codec == .mp3
        guard !passes else {
            endTranscoder()
            return feed.publish(format: format)
        }
        feed.publish(format: Self.format)
        if transcoder == nil { startTranscoder() }
        transcoder?.change(to: format)
    }

    // MARK: The encoder

    private func startTranscoder() {
        guard encoders.take() else {
            trouble = "\(encoders.limit) stations are being encoded already (relay.max_encoders)"
            return
        }
        generation += 1
        let mine = generation
        let made = LiveTranscoder(
            bitrate: bitrate, time: time,
            encoded: { [weak self] position, bytes in
                guard let self else { return }
                loop.submit { self.encoded(bytes, at: position, generation: mine) }
            },
            failed: { [weak self] reason in
                guard let self else { return }
                loop.submit { self.failed(reason, generation: mine) }
            })
        transcoder = made
        encoderID.withLock { $0 = made }
    }

    private func endTranscoder() {
        for mark in marks.takeAll() { publish(mark) }
        guard let transcoder else { return }
        transcoder.end()
        self.transcoder = nil
        encoderID.withLock { $0 = nil }
        encoders.giveBack()
        generation += 1
    }

    private func encoded(_ bytes: [UInt8], at position: Int64, generation: Int) {
        guard generation == self.generation else { return }
        trouble = nil
        if let missing = marks.skipped(before: position) {
            feed.publish(gap: .unknown, from: time.wall, to: time.wall, lostSeconds: missing)
        }
        var (run, place) = (FrameRun(), position)
        for frame in MP3Frames(bytes) {
            let due = marks.take(upTo: place)
            if !due.isEmpty {
                publish(&run)
                for mark in due { publish(mark) }
            }
            run.bytes += bytes[frame.range]
            run.frames.append(frame.info)
            place += frame.nanoseconds
        }
        publish(&run)
        marks.reached(place)
    }

    private func publish(_ run: inout FrameRun) {
        if !run.frames.isEmpty { feed.publish(frames: run) }
        run = FrameRun()
    }

    private func failed(_ reason: String, generation: Int) {
        guard generation == self.generation else { return }
        if trouble != reason {
            Log.warning("variants", "cannot encode", ["mount": feed.station.id, "reason": reason])
        }
        trouble = reason
        showStatus()
    }

    // MARK: Status

    /// What the station's own feed says, and what is wrong with the encoder.
    private func showStatus() {
        guard let origin else { return }
        let (from, isPassed, bitrate) = (origin.status, passes, bitrate)
        let trouble = passes ? nil : trouble
        feed.updateStatus { status in
            let since = status.since
            status = from
            status.since = since
            if !isPassed { status.advertisedBitrate = bitrate }
            if let trouble { (status.state, status.reason) = (.failed, trouble) }
        }
    }
}
