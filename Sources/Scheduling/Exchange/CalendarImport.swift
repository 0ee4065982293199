package import Platform

/// Schedules out of an iCalendar file: a station's programme, another program's calendar, or our own export.
package struct CalendarImport {
    /// What came out.
    package struct Found: Sendable {
        package var entries: [ScheduleEntry] = []
        /// A line for every event that was left out, or not taken as it stands there, and why.
        package var notes: [String] = []
    }

    /// The station of events that do not name one themselves, as ours do.
    package var station: String?
    /// Where clocks hang that the file says nothing of.
    package var zone: String
    /// Seconds before and after events that do not say so themselves, as ours do.
    package var padBefore: Int64 = 0
    package var padAfter: Int64 = 0
    /// Only events with this in their title, in whatever case.
    package var title: String?
    /// What is over at this time is left out.
    package var now: WallTime
    /// Asked before every event: a hostile file is full of rules that take seconds to find out about.
    package var mayGoOn: () -> Bool = { true }
    let zones: Zones

    package init(zone: String, zones: Zones, now: WallTime) {
        self.zone = zone
        self.zones = zones
        self.now = now
    }

    /// Entries have ids made of the events' own, so that reading a file again changes them instead of adding more.
    /// - Throws: `.file` where this is no calendar.
    package func read(_ text: String) throws(ScheduleMistake) -> Found {
        guard text.utf8.count <= CalendarLine.fileLimit else {
            throw .file("the calendar is longer than 4 MiB")
        }
        let lines = CalendarLine.all(text)
        guard lines.contains(where: { $0.name == "BEGIN" && $0.value.uppercased() == "VCALENDAR" }) else {
            throw .file("this is no iCalendar file: it has no BEGIN:VCALENDAR")
        }
        var found = Found()
        let (events, isCut) = Self.events(lines)
        if isCut { found.notes.append("only the first \(CalendarEvent.limit) events were read") }
        let replaced = Dictionary(grouping: events.filter { $0.replaces != nil }, by: \.uid)
        for event in events where wants(event) {
            guard mayGoOn() else {
                found.notes.append("the rest was not read: it took too long")
                break
            }
            do throws(ScheduleMistake) {
                found.entries += try entries(event, without: replaced[event.uid] ?? [])
            } catch {
                found.notes.append(
                    "\(event.summary.isEmpty ? event.uid : event.summary): \(error.description)")
            }
        }
        return found
    }

    private func wants(_ event: CalendarEvent) -> Bool {
        guard !event.isCancelled else { return false }
        return title.map { event.summary.lowercased().contains($0.lowercased()) } ?? true
    }

    private static func events(_ lines: [CalendarLine]) -> ([CalendarEvent], isCut: Bool) {
        var events: [CalendarEvent] = []
        var open: CalendarEvent?
        // Alarms inside an event have times of their own.
        var inner = 0
        for line in lines {
            switch (line.name, line.value.uppercased()) {
            case ("BEGIN", "VEVENT"): open = CalendarEvent()
            case ("END", "VEVENT"):
                if let open { events.append(open) }
                open = nil
                inner = 0
                if events.count == CalendarEvent.limit { return (events, true) }
            case ("BEGIN", _): inner += 1
            case ("END", _): inner = max(0, inner - 1)
            default: if inner == 0 || open == nil { open?.take(line) }
            }
            if open == nil { inner = 0 }
        }
        return (events, false)
    }

    // MARK: One event

    private func entries(
        _ event: CalendarEvent, without replaced: [CalendarEvent]
    ) throws(ScheduleMistake) -> [ScheduleEntry] {
        guard let start = event.start else { throw .time("it has no start") }
        guard !start.isDay else { throw .time("it lasts whole days") }
        let (name, zone) = try zone(of: start.clock)
        let length = try length(event, start, zone)
        guard let station = event.ours["STATION"] ?? station else {
            throw .file("it names no station; say which one with --station")
        }
        var entry = ScheduleEntry(
            id: Self.id(event), station: station, start: start.local, zone: name, length: length)
        // Ours without a name have the station's as their title.
        let title = event.ours["STATION"] == nil ? event.summary : event.ours["NAME"] ?? ""
        entry.name = title.isEmpty ? nil : String(title.prefix(200))
        entry.since = now
        if let rule = event.rule { entry.rule = try RecurrenceRule(rule, zone: zone) }
        if event.replaces == nil {
            entry.skipped = event.excluded.map { local($0, in: zone) }
            entry.skipped += replaced.compactMap { $0.replaces.map { local($0, in: zone) } }
        }
        takeOurs(event.ours, &entry)
        return try withAdded(entry, event, zone)
    }

    /// RDATE: times beside the rule are entries of their own.
    private func withAdded(
        _ entry: ScheduleEntry, _ event: CalendarEvent, _ zone: Zone
    ) throws(ScheduleMistake) -> [ScheduleEntry] {
        var all: [ScheduleEntry] = []
        for time in event.added where !time.isDay {
            var extra = entry
            extra.start = local(time, in: zone)
            extra.rule = nil
            extra.skipped = []
            extra.id += "-\(extra.start.compact)"
            if (try? extra.check(zones: zones, now: now)) != nil { all.append(extra) }
        }
        do throws(ScheduleMistake) { try entry.check(zones: zones, now: now) } catch {
            if all.isEmpty { throw error }
            return all
        }
        return [entry] + all
    }

    private func local(_ time: CalendarEvent.Time, in zone: Zone) -> LocalDateTime {
        switch time.clock {
        case .floating: time.local
        case .utc: zone.local(at: time.local.seconds)
        case .zone:
            (try? self.zone(of: time.clock)).map { zone.local(at: $0.1.instant(of: time.local).seconds) }
                ?? time.local
        }
    }

    private func length(
        _ event: CalendarEvent, _ start: CalendarEvent.Time, _ zone: Zone
    ) throws(ScheduleMistake) -> ScheduleEntry.Length {
        if let seconds = event.duration { return .elapsed(seconds) }
        if let end = event.end {
            let seconds = local(end, in: zone).seconds - start.local.seconds
            guard seconds > 0 else { throw .time("it ends before it begins") }
            return .wall(seconds)
        }
        guard event.ours["ACTION"] == ScheduleEntry.Action.play.rawValue else {
            throw .time("it has neither an end nor a duration")
        }
        return .open
    }

    private func zone(of clock: CalendarEvent.Time.Clock) throws(ScheduleMistake) -> (String, Zone) {
        switch clock {
        case .utc: return ("Etc/UTC", try zones.zone("Etc/UTC"))
        case .floating: return (zone, try zones.zone(zone))
        case .zone(let text):
            // `/freeassociation.sourceforge.net/Europe/Berlin`: the database's name stands at the end.
            let parts = text.split(separator: "/").map(String.init)
            var names = [CalendarZones.windows[text] ?? text]
            for count in [3, 2] where parts.count > count {
                names.append(parts.suffix(count).joined(separator: "/"))
            }
            for name in names { if let zone = try? zones.zone(name) { return (name, zone) } }
            throw .zone(text)
        }
    }

    private func takeOurs(_ ours: [String: String], _ entry: inout ScheduleEntry) {
        entry.action = ours["ACTION"].flatMap(ScheduleEntry.Action.init(rawValue:)) ?? .record
        let isRecorded = entry.action != .play && !ours.keys.contains("ACTION")
        entry.padBefore = ours["PAD-BEFORE"].flatMap(Int64.init) ?? (isRecorded ? padBefore : 0)
        entry.padAfter = ours["PAD-AFTER"].flatMap(Int64.init) ?? (isRecorded ? padAfter : 0)
        entry.template = ours["TEMPLATE"]
        entry.keep = ours["KEEP"] == "1"
        entry.isEnabled = ours["ENABLED"] != "0"
    }

    /// Ours come back as what they were; others by the hash of their UID.
    private static func id(_ event: CalendarEvent) -> String {
        if event.uid.hasSuffix(CalendarExport.uidEnd) {
            let id = event.uid.dropLast(CalendarExport.uidEnd.count)
            if !id.isEmpty, id.utf8.count <= 40,
                id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
            {
                return String(id)
            }
        }
        let text =
            event.uid + (event.replaces?.local.compact ?? "") + (event.uid.isEmpty ? event.summary : "")
        return "ics-" + hash(text)
    }

    /// As letters and digits.
    static func hash(_ text: String) -> String { String(FNV1a.of(text), radix: 36) }
}
