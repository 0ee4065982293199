package import Platform

/// When an entry happens.
package struct Occurrences: Sendable {
    private static let day: Int64 = 86_400

    private let entry: ScheduleEntry
    private let zone: Zone
    private let skipped: Set<LocalDateTime>

    package init(_ entry: ScheduleEntry, in zone: Zone) {
        self.entry = entry
        self.zone = zone
        skipped = Set(entry.skipped)
    }

    /// Those whose padded time touches `from` to `to`, in order of their start; at most `limit`.
    package func between(
        _ from: WallTime, _ to: WallTime, limit: Int = 10_000
    ) throws(ScheduleMistake) -> [Occurrence] {
        let longest = (entry.seconds ?? 0) + entry.padAfter + 2 * Self.day
        let first = zone.local(at: from.wholeSeconds).advanced(by: -longest)
        let last = zone.local(at: to.wholeSeconds).advanced(by: entry.padBefore + 2 * Self.day)
        let all = try times(
            from: first, to: last, limit: limit + Int(longest / Self.day) * RecurrenceRule.timesADay
        )
        .map { Occurrence(entry, at: $0, in: zone) }
        return Array(
            withoutDoubles(all).filter { $0.from <= to && ($0.to ?? $0.start) >= from }.prefix(limit))
    }

    /// The next that begins after `moment`, within `years`.
    package func next(after moment: WallTime, years: Int64 = 30) throws(ScheduleMistake) -> Occurrence? {
        let first = zone.local(at: moment.wholeSeconds).advanced(by: -Self.day)
        return try times(from: first, to: first.advanced(by: years * 366 * Self.day), limit: 100)
            .lazy.map { Occurrence(entry, at: $0, in: zone) }.first { $0.start > moment }
    }

    func hasAny(from local: LocalDateTime) throws(ScheduleMistake) -> Bool {
        let longest = (entry.seconds ?? 0) + entry.padAfter
        let first = local.advanced(by: -longest)
        return try !times(from: first, to: first.advanced(by: 30 * 366 * Self.day), limit: 1).isEmpty
    }

    private func times(
        from: LocalDateTime, to: LocalDateTime, limit: Int
    ) throws(ScheduleMistake) -> [LocalDateTime] {
        guard let rule = entry.rule else {
            let isIn = from <= entry.start && entry.start <= to && !skipped.contains(entry.start)
            return isIn ? [entry.start] : []
        }
        guard to >= entry.start else { return [] }
        let recurrence = try Recurrence(rule, from: entry.start)
        return recurrence.times(from: from, to: to, limit: limit + skipped.count).filter {
            !skipped.contains($0)
        }
    }

    /// Several times a day: 02:00 that became 03:00, and 03:00, are one.
    private func withoutDoubles(_ all: [Occurrence]) -> [Occurrence] {
        let real = Set(all.filter { $0.reading != .gap }.map(\.start))
        var moved: Set<WallTime> = []
        return all.filter { occurrence in
            guard occurrence.reading == .gap else { return true }
            return !real.contains(occurrence.start) && moved.insert(occurrence.start).inserted
        }.sorted { $0.start < $1.start }
    }
}
