import Platform
import Testing

@testable import Scheduling

@Suite("Schedules: rules")
struct RuleTests {
    @Test(
        "a rule that is none, or that would be searched for for ever, is refused in words",
        arguments: [
            "", "FREQ", "FREQ=", "FREQ=SECONDLY", "FREQ=MINUTELY", "FREQ=HOURLY", "BYDAY=MO",
            "FREQ=DAILY;FREQ=DAILY", "FREQ=DAILY;COUNT=3;UNTIL=20270101", "FREQ=DAILY;INTERVAL=0",
            "FREQ=DAILY;COUNT=-1", "FREQ=WEEKLY;BYDAY=XX", "FREQ=WEEKLY;BYDAY=", "FREQ=WEEKLY;BYDAY=1MO",
            "FREQ=MONTHLY;BYDAY=99MO", "FREQ=MONTHLY;BYMONTHDAY=32", "FREQ=YEARLY;BYMONTH=0",
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYMONTH=4,6;BYMONTHDAY=31",
            "FREQ=DAILY;BYHOUR=-1", "FREQ=DAILY;UNTIL=2027", "FREQ=DAILY;UNTIL=20270230T000000",
            "FREQ=DAILY;RSCALE=HEBREW", "FREQ=DAILY;BYSETPOS=1", "FREQ=MONTHLY;BYWEEKNO=3",
            "FREQ=YEARLY;BYWEEKNO=-1",
            "FREQ=MONTHLY;BYDAY=-9223372036854775808MO",
            "FREQ=DAILY;BYHOUR=1,2,3,4,5;BYMINUTE=0,10,20,30,40,50",
            "FREQ=DAILY;X\u{0}=1", "FREQ=DAILY;BYHOUR=" + String(repeating: "1,", count: 400),
        ])
    func refused(text: String) throws {
        let zone = try Zones().zone("Europe/Berlin")
        let mistake = #expect(throws: ScheduleMistake.self) { try RecurrenceRule(text, zone: zone) }
        #expect(mistake?.description.isEmpty == false)
    }

    @Test("a rule that is over, or that never comes, is refused when it is saved")
    func never() throws {
        let zones = Zones()
        let zone = try zones.zone("Europe/Berlin")
        let now = WallTime(wholeSeconds: 1_800_000_000)
        var entry = ScheduleEntry(
            id: "a", station: "demo", start: LocalDateTime(seconds: 1_700_000_000), zone: "Europe/Berlin",
            length: .elapsed(3600))
        #expect(throws: ScheduleMistake.time("that time is over")) { try entry.check(zones: zones, now: now) }
        entry.rule = try RecurrenceRule("FREQ=DAILY;COUNT=3", zone: zone)
        #expect(throws: ScheduleMistake.never) { try entry.check(zones: zones, now: now) }
        entry.rule = try RecurrenceRule("FREQ=DAILY", zone: zone)
        try entry.check(zones: zones, now: now)
        entry.length = .open
        #expect(throws: ScheduleMistake.self) { try entry.check(zones: zones, now: now) }
        entry.length = .elapsed(0)
        #expect(throws: ScheduleMistake.self) { try entry.check(zones: zones, now: now) }
    }

    @Test("what is skipped does not happen, and padding widens the time around a show")
    func skipsAndPadding() throws {
        let zone = try Zones().zone("Europe/Berlin")
        var entry = ScheduleEntry(
            id: "a", station: "demo", start: try #require(LocalDateTime("2026-12-01 20:00")),
            zone: "Europe/Berlin", length: .wall(7200))
        entry.rule = try RecurrenceRule("freq=daily;count=4", zone: zone)
        entry.skipped = [try #require(LocalDateTime("2026-12-02 20:00"))]
        entry.padBefore = 60
        entry.padAfter = 180
        let found = try Occurrences(entry, in: zone).between(
            WallTime(wholeSeconds: 1_780_000_000), WallTime(wholeSeconds: 1_800_000_000))
        #expect(found.map(\.local.date.day) == [1, 3, 4])
        #expect(found.allSatisfy { $0.start.wholeSeconds - $0.from.wholeSeconds == 60 })
        #expect(found.first.map { LocalTime.iso($0.to ?? $0.start) } == "2026-12-01T21:03:00Z")
    }

    @Test("a time in the gap and the time after it are one where both are wanted")
    func gapTwice() throws {
        let zone = try Zones().zone("Europe/Berlin")
        var entry = ScheduleEntry(
            id: "a", station: "demo", start: try #require(LocalDateTime("2026-03-29 01:00")),
            zone: "Europe/Berlin", length: .elapsed(600))
        entry.rule = try RecurrenceRule("FREQ=DAILY;BYHOUR=1,2,3;COUNT=3", zone: zone)
        let found = try Occurrences(entry, in: zone).between(
            WallTime(wholeSeconds: 1_770_000_000), WallTime(wholeSeconds: 1_790_000_000))
        #expect(found.map { LocalTime.iso($0.start) } == ["2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z"])
    }
}
