package import Feed
internal import Platform
internal import Reactor
internal import StreamFormats

/// Reads what was on the air from a moment on. One thread at a time; may wait for a disk.
package protocol PastSource: Sendable {
    /// The next events, in order; none when there is nothing yet.
    func read() -> [FeedEvent]
    /// No more reading.
    func close()
}

/// A station some time late: a feed of its own that says again what the station sent then, as long as somebody reads it.
/// Titles and breaks are late with the sound. Any thread.
package final class DelayedFeed: Sendable {
    /// What listeners read. Its station has an id of its own.
    package let feed: Feed
    package let delay: Double
    private let worker: DelayedWorker
    private let loop: EventLoop

    /// - Parameters:
    ///   - delay: seconds.
    ///   - loop: may wait for a disk; it must outlive this.
    ///   - source: opens the past from a moment on; nil where nothing of it is held.
    init(
        station: Station, delay: Double, loop: EventLoop, time: any TimeSource,
        source: @escaping @Sendable (WallTime) -> (any PastSource)?
    ) {
        let demand = DemandLink()
        feed = Feed(station: station, time: time) { readers in demand.changed(readers) }
        self.delay = delay
        self.loop = loop
        worker = DelayedWorker(feed: feed, delay: delay, loop: loop, time: time, source: source)
        demand.connect { [worker, loop] _ in loop.submit { worker.meetDemand() } }
    }

    /// Readers get nothing more.
    package func close() { loop.submit { [worker] in worker.end() } }
}

/// Carries the past into a delayed feed. The loop's thread only.
final class DelayedWorker: @unchecked Sendable {
    // Sendable because everything but the constants is touched on the loop's thread alone.
    private let feed: Feed
    private let delay: Double
    private let loop: EventLoop
    private let time: any TimeSource
    private let source: @Sendable (WallTime) -> (any PastSource)?

    private var past: (any PastSource)?
    private var queue: DelayedQueue
    private var clock: LoopTimer?
    /// When the title said last was announced.
    private var lastTitle: WallTime?

    /// Seconds said at once at the start; the relay's burst fits into it.
    private static let lead = 5.0
    /// Seconds between two looks at what is due.
    private static let beat = 0.2
    /// Seconds without audio that are a hole, not a station's rhythm.
    private static let holeSeconds = 5.0

    init(
        feed: Feed, delay: Double, loop: EventLoop, time: any TimeSource,
        source: @escaping @Sendable (WallTime) -> (any PastSource)?
    ) {
        self.feed = feed
        self.delay = delay
        self.loop = loop
        self.time = time
        self.source = source
        queue = DelayedQueue(delay: delay, lead: Self.lead)
    }

    /// Begins or ends, as the feed's readers are now.
    func meetDemand() {
        if feed.readerCount > 0 { start() } else { end() }
    }

    private func start() {
        guard clock == nil else { return }
        queue = DelayedQueue(delay: delay, lead: Self.lead)
        lastTitle = nil
        past = source(time.wall.advanced(bySeconds: -delay))
        guard past != nil else {
            return feed.updateStatus { status in
                (status.state, status.reason) = (.failed, "nothing is held of that time")
            }
        }
        feed.updateStatus { status in (status.state, status.reason) = (.connecting, nil) }
        clock = loop.every(Self.beat) { [weak self] in self?.tick() }
        tick()
    }

    func end() {
        clock?.cancel()
        clock = nil
        past?.close()
        past = nil
        feed.updateStatus { status in (status.state, status.reason) = (.idle, nil) }
    }

    private func tick() {
        let now = time.wall
        while queue.isShort(at: now), let events = past?.read(), !events.isEmpty { queue.add(events) }
        for event in queue.take(at: now) { say(event) }
        showStatus(now)
    }

    private func say(_ event: FeedEvent) {
        switch event {
        case .format(let format, _): feed.publish(format: format)
        case .audio(let chunk):
            feed.publish(format: chunk.format)
            feed.publish(frames: chunk.run)
        case .title(let mark):
            // Every file of the past begins with the title that is on.
            guard mark.wall != lastTitle else { return }
            lastTitle = mark.wall
            feed.publish(copyOf: mark)
        case .gap(let gap): feed.publish(copyOf: gap)
        case .retitled(let changed): feed.reread(changed)
        }
    }

    private func showStatus(_ now: WallTime) {
        let next = queue.nextDue.map { $0.secondsSince1970 - now.secondsSince1970 }
        feed.updateStatus { status in
            if let next, next > Self.holeSeconds {
                status.state = .stalled
                let until = LocalTime.clock(now.advanced(bySeconds: next))
                status.reason = "nothing is held of this time; it goes on at \(until)"
            } else {
                (status.state, status.reason) = (.live, nil)
            }
        }
    }
}
