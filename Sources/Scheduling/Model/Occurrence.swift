package import Platform

/// One time at which an entry happens.
package struct Occurrence: Sendable, Hashable {
    package let entry: String
    /// What the wall clock was to show at the start; it may be a time that does not exist.
    package let local: LocalDateTime
    /// Start and end of the show.
    package let start: WallTime
    /// Nil where it has no end.
    package let end: WallTime?
    /// With the padding.
    package let from: WallTime
    package let to: WallTime?
    package let reading: Zone.Reading

    /// The same for one time of one entry, however the clock is set: what carries it is never done twice.
    package var key: String { "\(entry)@\(local.compact)" }

    init(_ entry: ScheduleEntry, at local: LocalDateTime, in zone: Zone) {
        let (start, reading) = zone.instant(of: local)
        self.entry = entry.id
        self.local = local
        self.reading = reading
        self.start = WallTime(wholeSeconds: start)
        from = WallTime(wholeSeconds: start - entry.padBefore)
        let end = Self.end(entry.length, from: start, local, in: zone)
        self.end = end.map(WallTime.init(wholeSeconds:))
        to = end.map { WallTime(wholeSeconds: $0 + entry.padAfter) }
    }

    private static func end(
        _ length: ScheduleEntry.Length, from start: Int64, _ local: LocalDateTime, in zone: Zone
    ) -> Int64? {
        switch length {
        case .open: return nil
        case .elapsed(let seconds): return start + seconds
        case .wall(let seconds):
            let end = zone.instant(of: local.advanced(by: seconds)).seconds
            // Both ends in one gap: the show is not lost for that.
            return end > start ? end : start + seconds
        }
    }
}
