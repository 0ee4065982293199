import Foundation
import Platform
import Testing

@testable import Scheduling

/// One row of `clock-cases.tsv`, which python-dateutil wrote (see `make-clock-cases.py` beside it).
struct ClockCase: CustomTestStringConvertible, Sendable {
    let name: String
    let zone: String
    let start: String
    let rule: String
    let length: String
    let after: String
    let expected: [String]

    var testDescription: String { "\(name), \(zone), \(start), \(rule)" }

    static let all: [ClockCase] = {
        let file = Bundle.module.resourceURL?.appendingPathComponent("Fixtures/clock-cases.tsv")
        let text = file.flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? ""
        return text.split(separator: "\n").map { line in
            let cells = line.components(separatedBy: "\t")
            return ClockCase(
                name: cells[0], zone: cells[1], start: cells[2], rule: cells[3], length: cells[4],
                after: cells[5], expected: cells[6].split(separator: " ").map(String.init))
        }
    }()

    func entry(_ zone: Zone) throws -> ScheduleEntry {
        let words = length.split(separator: " ")
        let seconds = try #require(Int64(words[1]))
        var entry = ScheduleEntry(
            id: "one", station: "demo", start: try #require(LocalDateTime(start)), zone: self.zone,
            length: words[0] == "wall" ? .wall(seconds) : .elapsed(seconds))
        if rule != "-" { entry.rule = try RecurrenceRule(rule, zone: zone) }
        return entry
    }
}

@Suite("Schedules: python-dateutil's table")
struct ClockCaseTests {
    @Test("the table is there, and long enough")
    func table() { #expect(ClockCase.all.count >= 60) }

    @Test("an entry happens when dateutil says it does", arguments: ClockCase.all)
    func happens(_ row: ClockCase) throws {
        let zone = try Zones().zone(row.zone)
        let occurrences = Occurrences(try row.entry(zone), in: zone)
        let day = row.after.contains(" ") ? row.after : row.after + " 00:00"
        var moment = WallTime(wholeSeconds: try #require(LocalDateTime(day)).seconds)
        var found: [String] = []
        for _ in row.expected {
            guard let next = try occurrences.next(after: moment) else { break }
            let end = try #require(next.end)
            found.append("\(LocalTime.iso(next.start))/\(LocalTime.iso(end))")
            moment = next.start
        }
        #expect(found == row.expected)
    }

    @Test("a window holds what `next` finds one by one", arguments: ClockCase.all)
    func window(_ row: ClockCase) throws {
        let zone = try Zones().zone(row.zone)
        let occurrences = Occurrences(try row.entry(zone), in: zone)
        let starts = row.expected.compactMap { $0.split(separator: "/").first.map(String.init) }
        let seconds = starts.compactMap { LocalDateTime(String($0.dropLast()))?.seconds }
        guard let first = seconds.first, let last = seconds.last else { return }
        let found = try occurrences.between(WallTime(wholeSeconds: first), WallTime(wholeSeconds: last))
        #expect(found.map { LocalTime.iso($0.start) }.filter { starts.contains($0) } == starts)
    }
}
