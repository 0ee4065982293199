package import Platform

/// A schedule as somebody writes it, or the changes to one: made into an entry, or refused in words.
package struct ScheduleDraft: Sendable, Hashable {
    /// `2026-12-24 20:00`, or `20:00` for the next time that clocks show it.
    package var at: String?
    /// `mon,fri`.
    package var weekly: String?
    /// An RRULE; empty makes it once.
    package var rule: String?
    /// Seconds that it lasts.
    package var seconds: Double?
    /// `22:00`, or a date and time: it ends when clocks show that.
    package var until: String?
    package var zone: String?
    package var name: String?
    package var action: String?
    package var padBefore: Double?
    package var padAfter: Double?
    package var template: String?
    package var keep: Bool?
    package var isEnabled: Bool?
    /// Times of the rule to leave out, in place of those that were.
    package var skip: [String]?

    package init() {}

    /// A new entry.
    /// - Parameter localZone: where clocks hang if the draft does not say.
    package func entry(
        id: String, station: String, localZone: String, zones: Zones, now: WallTime
    ) throws(ScheduleMistake) -> ScheduleEntry {
        guard at != nil else { throw .time("say when it begins: 2026-12-24 20:00, or 20:00") }
        guard seconds != nil || until != nil || action == ScheduleEntry.Action.play.rawValue else {
            throw .time("say how long it lasts, or until when")
        }
        let blank = ScheduleEntry(
            id: id, station: station, start: LocalDateTime(seconds: 0), zone: zone ?? localZone, length: .open
        )
        return try changed(blank, isNew: true, zones: zones, now: now)
    }

    /// The entry with what the draft says otherwise.
    package func changing(
        _ entry: ScheduleEntry, zones: Zones, now: WallTime
    ) throws(ScheduleMistake) -> ScheduleEntry {
        try changed(entry, isNew: false, zones: zones, now: now)
    }

    private func changed(
        _ old: ScheduleEntry, isNew: Bool, zones: Zones, now: WallTime
    ) throws(ScheduleMistake) -> ScheduleEntry {
        var entry = old
        entry.zone = zone ?? old.zone
        let zone = try zones.zone(entry.zone)
        if let rule {
            guard weekly == nil else { throw .rule("give a rule or days of the week, not both") }
            entry.rule = rule.isEmpty ? nil : try RecurrenceRule(rule, zone: zone)
        }
        let days = try weekly.map(Self.days)
        if let days { entry.rule = RecurrenceRule(weekly: days) }
        if let at {
            entry.start = try start(at, days, isNew ? nil : old.start, zone.local(at: now.wholeSeconds))
        }
        try setLength(&entry)
        try setDetails(&entry)
        entry.since = now
        try entry.check(zones: zones, now: now)
        return entry
    }

    // MARK: When

    private func start(
        _ text: String, _ days: Set<Int>?, _ old: LocalDateTime?, _ now: LocalDateTime
    ) throws(ScheduleMistake) -> LocalDateTime {
        if let full = LocalDateTime(text) { return full }
        guard let clock = LocalDateTime.clock(text) else {
            throw .time("that is no time; write 20:00 or 2026-12-24 20:00")
        }
        if let old { return old.advanced(by: clock - old.clock) }
        var start = now.advanced(by: clock - now.clock)
        for _ in 0..<8 where !(days?.contains(start.weekday) ?? (start > now)) {
            start = start.advanced(by: LocalDateTime.day)
        }
        return start
    }

    /// Days of the week by their first letters, and `mon-fri`; 0 is Monday.
    private static func days(_ text: String) throws(ScheduleMistake) -> Set<Int> {
        var days: Set<Int> = []
        for part in text.lowercased().split(whereSeparator: { $0 == "," || $0 == " " }) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(day)
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else {
                throw .rule("write days like mon,fri or mon-fri")
            }
            for step in 0...((last - first + 7) % 7) { days.insert((first + step) % 7) }
        }
        guard !days.isEmpty else { throw .rule("write days like mon,fri or mon-fri") }
        return days
    }

    private static func day(_ text: Substring) -> Int? {
        guard text.count >= 2 else { return nil }
        let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        return names.firstIndex { $0.hasPrefix(text) }
    }

    // MARK: How long

    private func setLength(_ entry: inout ScheduleEntry) throws(ScheduleMistake) {
        guard seconds == nil || until == nil else { throw .time("give a length or an end, not both") }
        if let seconds {
            guard let whole = Int64(exactly: seconds.rounded()) else { throw .time("that is no length") }
            entry.length = .elapsed(whole)
        }
        guard let until else { return }
        if let end = LocalDateTime(until) {
            guard end > entry.start else { throw .time("it ends before it begins") }
            entry.length = .wall(end.seconds - entry.start.seconds)
        } else if let clock = LocalDateTime.clock(until) {
            let ahead = clock - entry.start.clock
            entry.length = .wall(ahead > 0 ? ahead : ahead + LocalDateTime.day)
        } else {
            throw .time("that is no end; write 22:00 or 2026-12-24 22:00")
        }
    }

    private func setDetails(_ entry: inout ScheduleEntry) throws(ScheduleMistake) {
        if let action {
            guard let known = ScheduleEntry.Action(rawValue: action) else {
                throw .time("the action is one of record, tracks, play")
            }
            entry.action = known
        }
        if let name { entry.name = name.isEmpty ? nil : name }
        if let template { entry.template = template.isEmpty ? nil : template }
        if let padBefore { entry.padBefore = Int64(exactly: padBefore.rounded()) ?? -1 }
        if let padAfter { entry.padAfter = Int64(exactly: padAfter.rounded()) ?? -1 }
        entry.keep = keep ?? entry.keep
        entry.isEnabled = isEnabled ?? entry.isEnabled
        guard let skip else { return }
        let times = skip.compactMap { LocalDateTime($0) }
        guard times.count == skip.count, times.count <= 1000 else {
            throw .time("times to leave out are like 2026-12-25 20:00")
        }
        entry.skipped = times
    }
}
