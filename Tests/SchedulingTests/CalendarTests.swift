import Platform
import Testing

@testable import Scheduling

@Suite("Schedules: iCalendar")
struct CalendarTests {
    private let zones = Zones()
    private let now = Desk.wall("2026-12-01 18:00")

    private func read(_ events: String, station: String? = "demo", title: String? = nil) throws
        -> CalendarImport.Found
    {
        var reader = CalendarImport(zone: "Europe/Berlin", zones: zones, now: now)
        reader.station = station
        reader.title = title
        return try reader.read("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(events)\r\nEND:VCALENDAR\r\n")
    }

    private func event(_ lines: String...) -> String {
        (["BEGIN:VEVENT"] + lines + ["END:VEVENT"]).joined(separator: "\r\n")
    }

    @Test("our own export comes back as it was")
    func roundTrip() throws {
        let zone = try zones.zone("America/New_York")
        var entry = ScheduleEntry(
            id: "s1", station: "demo", start: try #require(LocalDateTime("2026-12-05 20:00")),
            zone: "America/New_York", length: .wall(7200))
        entry.name =
            "Jazz, Hour; with \\ and ümläuts, and a title long enough that its line has to be folded somewhere"
        entry.rule = try RecurrenceRule("FREQ=WEEKLY;BYDAY=SA;UNTIL=20270401T015959Z", zone: zone)
        entry.skipped = [try #require(LocalDateTime("2026-12-12 20:00"))]
        entry.padBefore = 60
        entry.padAfter = 180
        entry.action = .tracks
        entry.template = "{station}/{show}"
        entry.keep = true
        entry.isEnabled = false
        entry.since = now
        var alarm = Desk.entry("s2", "2026-12-02 06:30")
        alarm.length = .open
        alarm.action = .play
        var utc = Desk.entry("s3", "2026-12-02 06:30")
        utc.zone = "Etc/UTC"
        utc.length = .elapsed(5400)
        let text = CalendarExport(zones: zones, now: now).text([entry, alarm, utc]) { _ in "Demo" }
        #expect(text.utf8.split(separator: 10).allSatisfy { $0.count <= 76 })
        #expect(text.contains("BEGIN:VTIMEZONE\r\nTZID:America/New_York"))
        #expect(text.contains("UNTIL=20270401T015959Z"))
        let reader = CalendarImport(zone: "Asia/Tokyo", zones: zones, now: now)
        let found = try reader.read(text)
        #expect(found.notes == [])
        #expect(found.entries == [entry, alarm, utc])
    }

    @Test("a station's programme: zones by other names, replaced and cancelled times, extra dates")
    func programme() throws {
        let found = try read(
            event(
                "UID:x", "SUMMARY:Night\\, Drive", "DTSTART;TZID=\"W. Europe Standard Time\":20261201T220000",
                "DTEND;TZID=\"W. Europe Standard Time\":20261202T000000", "RRULE:FREQ=DAILY;COUNT=10",
                "EXDATE;TZID=Europe/Berlin:20261203T220000", "RDATE;TZID=Europe/Berlin:20261224T120000",
                "BEGIN:VALARM", "TRIGGER:-PT15M", "DURATION:PT5M", "SUMMARY:no", "END:VALARM")
                + "\r\n"
                + event(
                    "UID:x", "RECURRENCE-ID:20261204T210000Z", "SUMMARY:Night Drive special",
                    "DTSTART:20261204T200000Z", "DURATION:PT3H")
                + "\r\n" + event("UID:y", "STATUS:CANCELLED", "DTSTART:20261204T200000Z", "DURATION:PT3H"))
        #expect(found.notes == [])
        #expect(found.entries.map(\.name) == ["Night, Drive", "Night, Drive", "Night Drive special"])
        let first = try #require(found.entries.first)
        #expect(first.zone == "Europe/Berlin")
        #expect(first.length == .wall(7200))
        #expect(first.skipped.map(\.compact) == ["20261203T220000", "20261204T220000"])
        #expect(found.entries[1].start.compact == "20261224T120000")
        #expect(found.entries[2].zone == "Etc/UTC")
        #expect(found.entries[2].length == .elapsed(10_800))
        #expect(Set(found.entries.map(\.id)).count == 3)
    }

    @Test(
        "what does not say how much earlier and later it is wanted gets what the settings say; ours keep theirs"
    )
    func padding() throws {
        var reader = CalendarImport(zone: "Etc/UTC", zones: zones, now: now)
        (reader.station, reader.padBefore, reader.padAfter) = ("demo", 60, 180)
        let show = ["DTSTART:20261204T200000", "DURATION:PT1H"]
        func found(_ lines: [String]) throws -> ScheduleEntry? {
            let event = (["BEGIN:VEVENT", "UID:u"] + show + lines + ["END:VEVENT"]).joined(separator: "\r\n")
            return try reader.read("BEGIN:VCALENDAR\r\n\(event)\r\nEND:VCALENDAR\r\n").entries.first
        }
        #expect(try found([])?.padBefore == 60 && found([])?.padAfter == 180)
        let ours = ["X-AIRCHECK-ACTION:record", "X-AIRCHECK-PAD-AFTER:5"]
        #expect(try found(ours)?.padBefore == 0 && found(ours)?.padAfter == 5)
    }

    @Test("the same file again gives the same ids")
    func again() throws {
        let text = event("UID:abc@example.org", "DTSTART:20261204T200000", "DURATION:PT1H")
        #expect(try read(text).entries.map(\.id) == read(text).entries.map(\.id))
    }

    @Test("only what has the wanted words in its title")
    func series() throws {
        let text = ["Jazz Hour", "News", "The jazz hour, repeated"].enumerated().map { index, title in
            event("UID:\(index)", "SUMMARY:\(title)", "DTSTART:20261204T200000", "DURATION:PT1H")
        }.joined(separator: "\r\n")
        #expect(try read(text, title: "JAZZ HOUR").entries.count == 2)
    }

    @Test(
        "what cannot be taken is said, never left out in silence",
        arguments: [
            ["DTSTART;VALUE=DATE:20261224"], ["DTSTART:20261224T200000"], ["SUMMARY:x"],
            ["DTSTART;TZID=Mars/Olympus:20261224T200000", "DURATION:PT1H"],
            ["DTSTART:20261224T200000", "DTEND:20261224T190000"],
            ["DTSTART:20251224T200000", "DURATION:PT1H"],
            ["DTSTART:20261224T200000", "DURATION:PT1H", "RRULE:FREQ=SECONDLY"],
            ["DTSTART:20261224T200000", "DURATION:P99999D"],
        ])
    func notes(lines: [String]) throws {
        let found = try read("BEGIN:VEVENT\r\nUID:u\r\n\(lines.joined(separator: "\r\n"))\r\nEND:VEVENT")
        #expect(found.entries.isEmpty)
        #expect(found.notes.count == 1)
    }

    @Test("a file that is none, and one without stations, say what to do")
    func mistakes() throws {
        #expect(throws: ScheduleMistake.self) {
            try CalendarImport(zone: "Etc/UTC", zones: zones, now: now).read("<html>")
        }
        let found = try read(event("UID:u", "DTSTART:20261204T200000", "DURATION:PT1H"), station: nil)
        #expect(found.notes.first?.contains("--station") == true)
    }

    @Test("a file that takes too long is left, and that is said")
    func tooLong() throws {
        var reader = CalendarImport(zone: "Etc/UTC", zones: zones, now: now)
        reader.station = "demo"
        reader.mayGoOn = { false }
        let found = try reader.read(
            "BEGIN:VCALENDAR\n" + event("UID:u", "DTSTART:20261204T200000", "DURATION:PT1H"))
        #expect(found.entries.isEmpty)
        #expect(found.notes.count == 1)
    }

    @Test("no cut, no doubled byte and no noise in a calendar traps")
    func noise() throws {
        let text = event(
            "UID:x", "SUMMARY:Night\\, Drive", "DTSTART;TZID=\"Europe/Berlin\":20261201T220000",
            "DTEND;TZID=Europe/Berlin:20261202T000000", "RRULE:FREQ=DAILY;COUNT=10", "EXDATE:20261203T220000Z"
        )
        let bytes = Array(text.utf8)
        for place in stride(from: 0, to: bytes.count, by: 3) {
            _ = try? read(String(decoding: bytes[..<place], as: UTF8.self))
            var copy = bytes
            copy[place] = UInt8(truncatingIfNeeded: place &* 37)
            _ = try? read(String(decoding: copy, as: UTF8.self))
            copy[place] = UInt8(ascii: "9")
            _ = try? read(String(decoding: copy, as: UTF8.self))
        }
    }
}

@Suite("Schedules: XMLTV")
struct GuideTests {
    private let zones = Zones()
    private let now = Desk.wall("2026-12-01 18:00")

    private func read(
        _ programmes: String, station: String? = "demo", title: String? = "jazz", channel: String? = nil
    )
        throws -> CalendarImport.Found
    {
        var settings = CalendarImport(zone: "Europe/Berlin", zones: zones, now: now)
        settings.station = station
        settings.title = title
        let text =
            "<?xml version=\"1.0\"?><!DOCTYPE tv SYSTEM \"xmltv.dtd\">\n<tv source=\"x\">\(programmes)</tv>"
        #expect(GuideImport.isGuide(text))
        return try GuideImport(settings, channel: channel).read(text)
    }

    private func programme(_ start: String, _ stop: String, _ title: String, _ channel: String = "one")
        -> String
    {
        "<programme start=\"\(start)\" stop=\"\(stop)\" channel=\"\(channel)\"><title>\(title)</title><desc>jazz</desc></programme>"
    }

    @Test("the times of a show are entries, in the zone that was asked for, whatever the guide counts in")
    func times() throws {
        let found = try read(
            programme("20261204200000 +0100", "20261204220000 +0100", "Jazz &amp; More")
                + programme("202612051900", "202612052000", "All that JAZZ")
                + programme("20261206140000 -0500", "20261206150000 -0500", "Jazz")
                + programme("20261207200000 +0100", "20261207220000 +0100", "News"))
        #expect(found.notes == [])
        #expect(found.entries.map(\.name) == ["Jazz & More", "All that JAZZ", "Jazz"])
        #expect(
            found.entries.map(\.start.description)
                == ["2026-12-04T20:00:00", "2026-12-05T20:00:00", "2026-12-06T20:00:00"])
        #expect(found.entries.map(\.length) == [.elapsed(7200), .elapsed(3600), .elapsed(3600)])
        #expect(Set(found.entries.map(\.id)).count == 3)
    }

    @Test("a channel chooses, what is over or has no end is said, and a title must be given")
    func choices() throws {
        let text =
            programme("20261204200000 +0100", "20261204220000 +0100", "Jazz", "two")
            + programme("20261204200000 +0100", "20261204220000 +0100", "Jazz")
            + programme("20251204200000 +0100", "20251204220000 +0100", "Jazz")
            + programme("20261205200000 +0100", "", "Jazz")
        #expect(try read(text, channel: "two").entries.count == 1)
        let found = try read(text)
        #expect(found.entries.count == 2)
        #expect(found.notes.count == 2)
        #expect(throws: ScheduleMistake.self) { try read(text, title: nil) }
        #expect(throws: ScheduleMistake.self) { try read(text, station: nil) }
    }

    @Test("no cut of a guide traps")
    func noise() throws {
        let bytes = Array(programme("20261204200000 +0100", "20261204220000 -9999", "Jazz").utf8)
        for length in bytes.indices {
            _ = try read(String(decoding: bytes[..<length], as: UTF8.self) + "</programme>")
        }
    }
}

@Suite("Schedules: as people write them")
struct DraftTests {
    private let zones = Zones()
    /// A Tuesday.
    private let now = Desk.wall("2026-12-01 18:00")

    private func entry(_ fill: (inout ScheduleDraft) -> Void) throws -> ScheduleEntry {
        var draft = ScheduleDraft()
        fill(&draft)
        return try draft.entry(id: "a", station: "demo", localZone: "Europe/Berlin", zones: zones, now: now)
    }

    @Test(
        "a clock alone is its next time, days of the week choose the day",
        arguments: [
            ("20:00", nil, "2026-12-01T20:00:00"), ("08:00", nil, "2026-12-02T08:00:00"),
            ("20:00", "mon,fri", "2026-12-04T20:00:00"), ("20:00", "tue", "2026-12-01T20:00:00"),
            ("20:00", "Sat-Mon", "2026-12-05T20:00:00"),
            ("2026-12-24 20:00", "thursday", "2026-12-24T20:00:00"),
        ] as [(String, String?, String)])
    func starts(at: String, weekly: String?, start: String) throws {
        let entry = try entry {
            $0.at = at
            $0.weekly = weekly
            $0.seconds = 3600
        }
        #expect(entry.start.description == start)
    }

    @Test("an end on the clock counts over midnight, a length does not ask the clock")
    func lengths() throws {
        #expect(try entry { ($0.at, $0.until) = ("23:00", "05:00") }.length == .wall(6 * 3600))
        #expect(try entry { ($0.at, $0.seconds) = ("23:00", 5400) }.length == .elapsed(5400))
        #expect(try entry { ($0.at, $0.action) = ("07:00", "play") }.length == .open)
        #expect(
            try entry { ($0.at, $0.until) = ("2026-12-24 20:00", "2026-12-26 08:00") }.length
                == .wall(36 * 3600))
    }

    @Test("what is missing or contradicts itself is refused in words")
    func refused() {
        let drafts: [(inout ScheduleDraft) -> Void] = [
            { $0.seconds = 60 }, { $0.at = "20:00" }, { ($0.at, $0.seconds) = ("25:00", 60) },
            { ($0.at, $0.seconds, $0.until) = ("20:00", 60, "22:00") },
            { ($0.at, $0.until) = ("20:00", "late") },
            { ($0.at, $0.seconds) = ("20:00", .infinity) }, { ($0.at, $0.seconds) = ("20:00", -5) },
            { ($0.at, $0.seconds, $0.weekly) = ("20:00", 60, "someday") },
            { ($0.at, $0.seconds, $0.weekly) = ("20:00", 60, "") },
            { ($0.at, $0.seconds, $0.weekly, $0.rule) = ("20:00", 60, "mon", "FREQ=DAILY") },
            { ($0.at, $0.seconds, $0.zone) = ("20:00", 60, "Mars/Olympus") },
            { ($0.at, $0.seconds, $0.action) = ("20:00", 60, "dance") },
            { ($0.at, $0.seconds, $0.padBefore) = ("20:00", 60, .nan) },
            { ($0.at, $0.seconds, $0.skip) = ("20:00", 60, ["Christmas"]) },
            { ($0.at, $0.seconds) = ("2020-01-01 20:00", 60) },
        ]
        for fill in drafts {
            let mistake = #expect(throws: ScheduleMistake.self) { try entry(fill) }
            #expect(mistake?.description.isEmpty == false)
        }
    }

    @Test("an edit changes what it names and leaves the rest")
    func edit() throws {
        let old = try entry { ($0.at, $0.until, $0.weekly, $0.name) = ("20:00", "22:00", "mon", "Jazz") }
        var draft = ScheduleDraft()
        draft.at = "21:00"
        draft.padAfter = 120
        let new = try draft.changing(old, zones: zones, now: now)
        #expect(new.start == old.start.advanced(by: 3600))
        #expect(new.length == old.length && new.rule == old.rule && new.name == "Jazz" && new.padAfter == 120)
        draft = ScheduleDraft()
        draft.rule = ""
        #expect(try draft.changing(old, zones: zones, now: now).rule == nil)
    }
}
