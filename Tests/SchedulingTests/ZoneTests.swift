import Foundation
import Platform
import TestPrograms
import Testing

@testable import Scheduling

@Suite("Schedules: calendar and zones")
struct ZoneTests {
    @Test("a day's number and its date are each other's way back, 400 instants over leap years and centuries")
    func days() {
        for step in 0..<400 {
            let number = Int64(step) * 2_003 - 200_000
            let date = CivilDay.date(number)
            #expect(CivilDay.number(year: date.year, month: date.month, day: date.day) == number)
            let foundation = Date(timeIntervalSince1970: Double(number) * 86_400)
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .gmt
            // Foundation's calendar is the Julian one before 1582.
            guard date.year > 1582 else { continue }
            let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: foundation)
            #expect(parts.year == Int(date.year) && parts.month == Int(date.month))
            #expect(parts.day == Int(date.day))
            #expect((parts.weekday ?? 0) == (CivilDay.weekday(number) + 1) % 7 + 1)
        }
    }

    @Test(
        "a zone's offset is Foundation's at 400 instants from 1900 to 2037",
        arguments: [
            "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia",
            "Africa/Casablanca", "America/Nuuk", "Etc/UTC",
        ])
    func offsets(name: String) throws {
        let zone = try Zones().zone(name)
        let foundation = try #require(TimeZone(identifier: name))
        for step in 0..<400 {
            let instant = Int64(step) * 10_800_017 - 2_200_000_000
            let expected = foundation.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))
            #expect(zone.offset(at: instant) == Int64(expected), "at \(instant)")
        }
    }

    @Test(
        "what clocks show leads back to an instant that shows it", arguments: ["Europe/Berlin", "Asia/Gaza"])
    func back(name: String) throws {
        let zone = try Zones().zone(name)
        for step in 0..<400 {
            let instant = Int64(step) * 7_654_321
            let local = zone.local(at: instant)
            let (found, reading) = zone.instant(of: local)
            #expect(zone.local(at: found) == local)
            #expect(found == instant || reading == .doubled)
        }
    }

    @Test(
        "names that lead elsewhere or nowhere are refused, with a remedy",
        arguments: [
            "", "/etc/passwd", "../../etc/passwd", "Europe/../Berlin", "Europe/Berlinn", "Europe",
            "right/UTC",
            "tzdata.zi", "zone.tab", "Europe/Ber\u{0}lin", String(repeating: "A", count: 500),
        ])
    func names(name: String) {
        let mistake = #expect(throws: ScheduleMistake.self) { try Zones().zone(name) }
        #expect(mistake?.description.contains("Europe/Berlin") == true)
    }

    @Test("no cut and no flipped byte of a zone's file traps or hangs")
    func damaged() throws {
        let bytes = try Files.read("/usr/share/zoneinfo/Europe/Berlin", limit: 1 << 20)
        #expect(ZoneFile.zone("x", bytes) != nil)
        for length in stride(from: 0, to: bytes.count, by: 7) {
            _ = ZoneFile.zone("x", Array(bytes[..<length]))
        }
        for place in stride(from: 0, to: bytes.count, by: 5) {
            var copy = bytes
            copy[place] ^= 0xFF
            if let zone = ZoneFile.zone("x", copy) {
                _ = zone.instant(of: LocalDateTime(seconds: 1_800_000_000))
            }
        }
    }

    @Test("a replaced database is seen, a missing one leaves what was read")
    func replaced() throws {
        let folder = try TemporaryFolder("zones")
        let zones = Zones(folder: folder.path)
        let berlin = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Berlin"))
        let utc = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Etc/UTC"))
        let file = URL(fileURLWithPath: folder.path("Home"))
        try berlin.write(to: file)
        #expect(try zones.zone("Home").offset(at: 1_800_000_000) == 3600)
        #expect(!zones.hasChanged)
        try utc.write(to: file)
        #expect(zones.hasChanged)
        #expect(try zones.zone("Home").offset(at: 1_800_000_000) == 0)
        try FileManager.default.removeItem(at: file)
        #expect(!zones.hasChanged)
        #expect(try zones.zone("Home").offset(at: 1_800_000_000) == 0)
    }

    @Test(
        "texts that are no time are refused",
        arguments: [
            "2026-02-29 20:00", "2026-13-01 20:00", "2026-12-24 24:00", "2026-12-24", "20:00",
            "2026-12-24 20",
            "2026-12-24 20:00:60", "1969-12-31 00:00", "2200-01-01 00:00", "2026-12-24  20:00",
            "-026-12-24 20:00",
            "9999999999999999999-12-24 20:00", "2026-12-24 ٢٠:٠٠",
        ])
    func noTimes(text: String) { #expect(LocalDateTime(text) == nil) }

    @Test("the ways to write a time mean the same")
    func ways() {
        let texts = ["2026-12-24 20:00", "2026-12-24T20:00:00", "20261224T200000"]
        #expect(Set(texts.map { LocalDateTime($0)?.description }) == ["2026-12-24T20:00:00"])
    }
}
