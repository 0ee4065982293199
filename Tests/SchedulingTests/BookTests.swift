import Foundation
import Platform
import Store
import TestPrograms
import Testing

@testable import Scheduling

@Suite("Schedules: the book")
struct BookTests {
    @Test("entries and what became of them are there after the next start, as they were")
    func kept() throws {
        let folder = try TemporaryFolder("book")
        let zone = try Zones().zone("Europe/Berlin")
        var entry = Desk.entry("a", "2026-12-01 20:00")
        entry.name = "Jazz"
        entry.rule = try RecurrenceRule("FREQ=WEEKLY;BYDAY=TU", zone: zone)
        entry.skipped = [entry.start]
        entry.padBefore = 5
        entry.template = "{show}"
        entry.keep = true
        entry.isEnabled = false
        entry.action = .tracks
        var other = Desk.entry("b", "2026-12-01 20:00")
        other.length = .open
        other.action = .play
        let record = OccurrenceRecord(
            entry, Occurrence(entry, at: entry.start, in: zone), .missed, reason: "asleep")
        let database = try Database.open(folder.path("a.db"), schemas: [ScheduleBook.schema])
        let book = try ScheduleBook(database: database)
        try book.put([entry, other])
        book.keep(record)
        database.close()

        let again = try Database.open(folder.path("a.db"), schemas: [ScheduleBook.schema])
        let read = try ScheduleBook(database: again)
        #expect(read.entries == [entry, other])
        #expect(try read.recentRecords(now: Desk.wall("2026-12-02 12:00")) == [record])
        #expect(try read.records([.missed], entry: "a", limit: 5) == [record])
        #expect(try read.records([.done], limit: 5) == [])
        #expect(try read.remove("a"))
        #expect(try !read.remove("a"))
        #expect(read.entry("b") == other)
        again.close()
    }
}

@Suite("Schedules: the alarm")
struct AlarmTests {
    @Test(
        "it wakes at its time, when it is rung, and at the latest when told; a time that is over is no busy loop"
    )
    func wakes() throws {
        let alarm = try ClockAlarm()
        let time = SystemTime()
        func seconds(_ body: () -> Void) -> Double {
            let start = time.now
            body()
            return time.now.seconds(since: start)
        }
        let wall = time.wall
        #expect(seconds { alarm.wait(until: wall.advanced(bySeconds: 0.2), now: wall, atMost: 30) } < 20)
        #expect(seconds { alarm.wait(until: nil, now: time.wall, atMost: 0.1) } >= 0.09)
        alarm.ring()
        #expect(seconds { alarm.wait(until: nil, now: time.wall, atMost: 30) } < 20)
        #expect(
            seconds { alarm.wait(until: wall.advanced(bySeconds: -9), now: time.wall, atMost: 30) } >= 0.04)
    }
}
