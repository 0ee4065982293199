internal import Platform

/// A time zone: how far its clocks are from UTC, and when that changes.
package struct Zone: Sendable, Hashable {
    /// From `at` on, seconds since 1970 UTC, clocks are `offset` seconds ahead of UTC.
    struct Change: Sendable, Hashable {
        var at: Int64
        var offset: Int64
    }

    /// What a local time turned out to be.
    package enum Reading: Sendable, Hashable {
        /// Clocks show it once.
        case plain
        /// Clocks are put forward over it: it is the first instant after that.
        case gap
        /// Clocks show it twice: it is the first of them.
        case doubled
    }

    /// Farthest that two clocks of the world, or of one zone over a change, are apart, and some room.
    private static let reach: Int64 = 2 * 86_400

    /// Its name in the time zone database: `Europe/Berlin`.
    package let name: String
    /// Before the first change.
    let before: Int64
    /// As the database lists them, oldest first.
    let changes: [Change]
    /// How it goes on after the last of them.
    let rule: ZoneRule?

    /// Seconds that its clocks are ahead of UTC.
    func offset(at instant: Int64) -> Int64 {
        if let rule, instant >= changes.last?.at ?? .min { return rule.offset(at: instant) }
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].at <= instant { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? before : changes[low - 1].offset
    }

    /// The changes after `from` and up to `to`.
    func changes(from: Int64, to: Int64) -> [Change] {
        var found = changes.filter { $0.at > from && $0.at <= to }
        let last = changes.last?.at ?? .min
        if let rule, to > last {
            found += rule.changes(from: from, to: to).filter { $0.at > last }
        }
        return found
    }

    /// What its clocks show.
    package func local(at instant: Int64) -> LocalDateTime {
        LocalDateTime(seconds: instant + offset(at: instant))
    }

    /// The instant at which its clocks show `local`, in seconds since 1970.
    ///
    /// A time that clocks leave out is the first instant after the gap, one that they show twice is the first.
    package func instant(of local: LocalDateTime) -> (seconds: Int64, reading: Reading) {
        let near = changes(from: local.seconds - Self.reach, to: local.seconds + Self.reach)
        var offset = offset(at: local.seconds - Self.reach)
        var fitting: Set<Int64> = []
        var afterGap: Int64?
        for candidate in [offset] + near.map(\.offset) {
            let instant = local.seconds - candidate
            if self.offset(at: instant) == candidate { fitting.insert(instant) }
        }
        for change in near {
            if change.at + offset <= local.seconds, local.seconds < change.at + change.offset {
                afterGap = afterGap ?? change.at
            }
            offset = change.offset
        }
        if let first = fitting.min() { return (first, fitting.count > 1 ? .doubled : .plain) }
        return (afterGap ?? local.seconds - offset, .gap)
    }
}
