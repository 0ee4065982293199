internal import Feed
package import Platform
package import Reactor
package import StreamFormats

/// Stations some time late; those with the same delay share one reading of the disk. Any thread.
package final class DelayedVariants: Sendable {
    /// Delayed feeds at a time; the settings' `relay.max_delayed`.
    package let limit: Int
    private let loop: EventLoop
    private let time: any TimeSource
    private let source: @Sendable (_ station: String, _ from: WallTime) -> (any PastSource)?
    private let made = Lock([String: DelayedFeed]())

    /// - Parameters:
    ///   - loop: reads the disk; it must outlive this.
    ///   - source: opens the past of the station with this id.
    package init(
        limit: Int, loop: EventLoop, time: any TimeSource = SystemTime(),
        source: @escaping @Sendable (_ station: String, _ from: WallTime) -> (any PastSource)?
    ) {
        self.limit = limit
        self.loop = loop
        self.time = time
        self.source = source
    }

    /// The late feed of a station; nil when there are too many already. Those that nobody hears any more make room.
    /// - Parameters:
    ///   - id: what its mount is called; nil for `demo?delay=3600`.
    ///   - delay: seconds; whole ones are told apart.
    package func feed(of original: Station, delay: Double, id: String? = nil) -> DelayedFeed? {
        let delay = max(delay.rounded(), 1)
        var station = original
        station.id = id ?? "\(original.id)?delay=\(Int(delay))"
        station.name = "\(original.name), \(DurationText.text(delay)) late"
        return made.withLock { made in
            if let known = made[station.id], known.delay == delay { return known }
            if made.count >= limit {
                for idle in made.filter({ $0.value.feed.readerCount == 0 }).keys { made[idle] = nil }
            }
            guard made.count < limit else { return nil }
            let feed = DelayedFeed(station: station, delay: delay, loop: loop, time: time) {
                [source] in source(original.id, $0)
            }
            made[station.id] = feed
            return feed
        }
    }

    /// One that was made before.
    package func feed(id: String) -> DelayedFeed? { made.withLock { $0[id] } }

    /// How many are being read.
    package var count: Int { made.withLock { $0.values.count { $0.feed.readerCount > 0 } } }

    /// Ends every one.
    package func close() {
        let all = made.withLock { made in
            defer { made = [:] }
            return Array(made.values)
        }
        for feed in all { feed.close() }
    }
}
