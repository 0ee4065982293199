package import Platform

/// The schedules as an iCalendar file (RFC 5545) that other programs show, and that `CalendarImport` reads back whole.
package struct CalendarExport: Sendable {
    static let uidEnd = "@aircheck"
    /// Changes of the clocks are written out for so many years.
    private static let years: Int64 = 10

    private let zones: Zones
    private let now: WallTime

    package init(zones: Zones, now: WallTime) {
        self.zones = zones
        self.now = now
    }

    /// - Parameter station: the name of a station by its id, where it has one.
    package func text(_ entries: [ScheduleEntry], station: (String) -> String?) -> String {
        var lines = [
            CalendarLine("BEGIN", "VCALENDAR"), CalendarLine("VERSION", "2.0"),
            CalendarLine("PRODID", "-//aircheck//schedules//EN"), CalendarLine("CALSCALE", "GREGORIAN"),
        ]
        for name in Set(entries.map(\.zone)).sorted() where name != "Etc/UTC" {
            if let zone = try? zones.zone(name) { lines += clocks(zone) }
        }
        for entry in entries { lines += event(entry, station(entry.station) ?? entry.station) }
        lines.append(CalendarLine("END", "VCALENDAR"))
        return lines.map(\.folded).joined()
    }

    private func event(_ entry: ScheduleEntry, _ station: String) -> [CalendarLine] {
        var lines = [
            CalendarLine("BEGIN", "VEVENT"), CalendarLine("UID", entry.id + Self.uidEnd),
            CalendarLine("DTSTAMP", stamp(now)), time("DTSTART", [entry.start], entry.zone),
        ]
        switch entry.length {
        case .wall(let seconds): lines.append(time("DTEND", [entry.start.advanced(by: seconds)], entry.zone))
        case .elapsed(let seconds): lines.append(CalendarLine("DURATION", "PT\(seconds)S"))
        case .open: break
        }
        if let rule = entry.rule { lines.append(CalendarLine("RRULE", inUTC(rule, entry.zone))) }
        if !entry.skipped.isEmpty { lines.append(time("EXDATE", entry.skipped, entry.zone)) }
        lines += [
            CalendarLine("SUMMARY", CalendarLine.escaped(entry.name ?? station)),
            CalendarLine("LOCATION", CalendarLine.escaped(station)),
        ]
        return lines + ours(entry) + [CalendarLine("END", "VEVENT")]
    }

    private func ours(_ entry: ScheduleEntry) -> [CalendarLine] {
        var lines = [
            CalendarLine("X-AIRCHECK-STATION", CalendarLine.escaped(entry.station)),
            CalendarLine("X-AIRCHECK-ACTION", entry.action.rawValue),
        ]
        if let name = entry.name { lines.append(CalendarLine("X-AIRCHECK-NAME", CalendarLine.escaped(name))) }
        if entry.padBefore > 0 { lines.append(CalendarLine("X-AIRCHECK-PAD-BEFORE", "\(entry.padBefore)")) }
        if entry.padAfter > 0 { lines.append(CalendarLine("X-AIRCHECK-PAD-AFTER", "\(entry.padAfter)")) }
        if let template = entry.template {
            lines.append(CalendarLine("X-AIRCHECK-TEMPLATE", CalendarLine.escaped(template)))
        }
        if entry.keep { lines.append(CalendarLine("X-AIRCHECK-KEEP", "1")) }
        if !entry.isEnabled { lines.append(CalendarLine("X-AIRCHECK-ENABLED", "0")) }
        return lines
    }

    private func time(_ name: String, _ times: [LocalDateTime], _ zone: String) -> CalendarLine {
        let values = times.map { $0.compact + (zone == "Etc/UTC" ? "Z" : "") }.joined(separator: ",")
        return CalendarLine(name, values, zone == "Etc/UTC" ? [:] : ["TZID": zone])
    }

    private func stamp(_ wall: WallTime) -> String { LocalDateTime(seconds: wall.wholeSeconds).compact + "Z" }

    /// Beside a start with a zone, UNTIL is in UTC (3.3.10).
    private func inUTC(_ rule: RecurrenceRule, _ zone: String) -> String {
        rule.text.split(separator: ";").map { part in
            guard part.hasPrefix("UNTIL="), let until = LocalDateTime(String(part.dropFirst(6))),
                let zone = try? zones.zone(zone)
            else { return String(part) }
            return "UNTIL=" + LocalDateTime(seconds: zone.instant(of: until).seconds).compact + "Z"
        }.joined(separator: ";")
    }

    /// A VTIMEZONE, each change of the clocks as an observance of its own.
    private func clocks(_ zone: Zone) -> [CalendarLine] {
        let year: Int64 = 366 * 86_400
        let from = now.wholeSeconds - year
        var offset = zone.offset(at: from)
        var lines = [CalendarLine("BEGIN", "VTIMEZONE"), CalendarLine("TZID", zone.name)]
        lines += observance(at: LocalDateTime(seconds: 0), from: offset, to: offset)
        for change in zone.changes(from: from, to: from + (Self.years + 1) * year)
        where change.offset != offset {
            lines += observance(
                at: LocalDateTime(seconds: change.at + offset), from: offset, to: change.offset)
            offset = change.offset
        }
        return lines + [CalendarLine("END", "VTIMEZONE")]
    }

    private func observance(at local: LocalDateTime, from: Int64, to: Int64) -> [CalendarLine] {
        let kind = to > from ? "DAYLIGHT" : "STANDARD"
        return [
            CalendarLine("BEGIN", kind), CalendarLine("DTSTART", local.compact),
            CalendarLine("TZOFFSETFROM", utcOffset(from)), CalendarLine("TZOFFSETTO", utcOffset(to)),
            CalendarLine("END", kind),
        ]
    }

    /// `+0530`, and `-000115` where there are seconds.
    private func utcOffset(_ seconds: Int64) -> String {
        let digits = LocalDateTime(seconds: abs(seconds)).compact.suffix(6)
        return (seconds < 0 ? "-" : "+") + (digits.hasSuffix("00") ? digits.dropLast(2) : digits)
    }
}
