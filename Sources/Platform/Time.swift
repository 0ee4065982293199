internal import CLinux

/// A moment on the clock that only goes forward and also counts suspend (CLOCK_BOOTTIME). For durations and stalls.
package struct MonotonicTime: Sendable, Hashable, Comparable {
    /// Nanoseconds since boot.
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The moment `seconds` later (or earlier, if negative).
    package func advanced(bySeconds seconds: Double) -> Self {
        Self(nanoseconds: nanoseconds &+ Nanoseconds.of(seconds))
    }

    /// Seconds from `earlier` to here.
    package func seconds(since earlier: Self) -> Double { Double(nanoseconds &- earlier.nanoseconds) / 1e9 }
}

/// Seconds as whole nanoseconds.
package enum Nanoseconds {
    /// 146 years: two of them and any date of ours fit into 64 bits.
    private static let limit = 4.6e18

    /// Seconds come from requests, sidecars and stations: what is beyond 146 years counts as that, what is no number as 0.
    package static func of(_ seconds: Double) -> Int64 {
        let nanoseconds = seconds * 1e9
        return nanoseconds.isNaN ? 0 : Int64(max(-limit, min(nanoseconds, limit)))
    }
}

/// A moment on the wall clock, UTC. It can step; never measure a duration with it.
package struct WallTime: Sendable, Hashable, Comparable {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package init(secondsSince1970 seconds: Double) { nanoseconds = Nanoseconds.of(seconds) }

    package var secondsSince1970: Double { Double(nanoseconds) / 1e9 }

    package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    package func advanced(bySeconds seconds: Double) -> Self {
        Self(nanoseconds: nanoseconds &+ Nanoseconds.of(seconds))
    }
}

/// Where a room gets the time from, so that tests can turn the hands.
package protocol TimeSource: Sendable {
    var now: MonotonicTime { get }
    var wall: WallTime { get }
}

/// The machine's clocks.
package struct SystemTime: TimeSource {
    package init() {}

    package var now: MonotonicTime { MonotonicTime(nanoseconds: Self.read(CLOCK_BOOTTIME)) }
    package var wall: WallTime { WallTime(nanoseconds: Self.read(CLOCK_REALTIME)) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var value = timespec()
        clock_gettime(clock, &value)
        return Int64(value.tv_sec) &* 1_000_000_000 &+ Int64(value.tv_nsec)
    }
}

/// A clock that stands still until a test moves it.
package final class ManualTime: TimeSource {
    private let hands: Lock<(now: MonotonicTime, wall: WallTime)>

    package init(
        now: MonotonicTime = MonotonicTime(nanoseconds: 0),
        wall: WallTime = WallTime(secondsSince1970: 1_700_000_000)
    ) {
        hands = Lock((now, wall))
    }

    package var now: MonotonicTime { hands.withLock { $0.now } }
    package var wall: WallTime { hands.withLock { $0.wall } }

    /// Moves both clocks on.
    package func advance(bySeconds seconds: Double) {
        hands.withLock {
            $0.now = $0.now.advanced(bySeconds: seconds)
            $0.wall = $0.wall.advanced(bySeconds: seconds)
        }
    }

    /// Steps the wall clock alone, as NTP or a person would.
    package func stepWall(bySeconds seconds: Double) {
        hands.withLock { $0.wall = $0.wall.advanced(bySeconds: seconds) }
    }
}
