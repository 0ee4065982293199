package import Platform

/// One thing to be done at a time: once, or again and again. Kept as local time and zone, never as an offset from UTC.
package struct ScheduleEntry: Sendable, Hashable {
    package enum Action: String, Sendable, Hashable, CaseIterable {
        /// One file.
        case record
        /// One file, and a file per track.
        case tracks
        /// The player is tuned: an alarm clock.
        case play
    }

    package enum Length: Sendable, Hashable {
        /// So many seconds, whatever the clocks do meanwhile.
        case elapsed(Int64)
        /// Until the clock shows so many seconds more than at the start: five hours of night are six in autumn.
        case wall(Int64)
        /// Plays until somebody stops it.
        case open
    }

    /// Longest length and padding, in seconds.
    package static let lengthLimit: Int64 = 7 * 86_400
    package static let padLimit: Int64 = 6 * 3600

    package var id: String
    /// The station's id.
    package var station: String
    package var name: String?
    /// The first time, as clocks in `zone` show it.
    package var start: LocalDateTime
    package var zone: String
    package var length: Length
    /// Nil for once.
    package var rule: RecurrenceRule?
    /// Times of the rule that are left out.
    package var skipped: [LocalDateTime]
    /// Seconds.
    package var padBefore: Int64
    package var padAfter: Int64
    package var action: Action
    /// The name of its files; nil for the one that settings say.
    package var template: String?
    /// Retention never deletes what it records.
    package var keep: Bool
    package var isEnabled: Bool
    /// Since when it is as it is: what lay before is no miss.
    package var since: WallTime

    package init(id: String, station: String, start: LocalDateTime, zone: String, length: Length) {
        self.id = id
        self.station = station
        self.start = start
        self.zone = zone
        self.length = length
        skipped = []
        padBefore = 0
        padAfter = 0
        action = .record
        keep = false
        isEnabled = true
        since = WallTime(nanoseconds: 0)
    }

    /// Checks everything that can be checked: zone, lengths, and that there is a time at which it happens.
    /// - Parameter now: a time that is over is refused; nil takes one as well.
    package func check(zones: Zones, now: WallTime?) throws(ScheduleMistake) {
        let zone = try zones.zone(zone)
        switch length {
        case .elapsed(let seconds), .wall(let seconds):
            guard (1...Self.lengthLimit).contains(seconds) else {
                throw .time("it must last between a second and seven days")
            }
        case .open:
            guard action == .play else { throw .time("a recording needs a length or an end") }
        }
        guard (0...Self.padLimit).contains(padBefore), (0...Self.padLimit).contains(padAfter) else {
            throw .time("padding is from 0 to six hours")
        }
        let earliest = now.map { zone.local(at: $0.wholeSeconds) } ?? start
        guard try Occurrences(self, in: zone).hasAny(from: earliest) else {
            if rule == nil { throw .time("that time is over") }
            throw .never
        }
    }

    /// Seconds on the clock, or elapsed; nil where it is open.
    package var seconds: Int64? {
        switch length {
        case .elapsed(let seconds), .wall(let seconds): seconds
        case .open: nil
        }
    }
}
