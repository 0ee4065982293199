import Platform
import Testing

@testable import Scheduling

/// A machine, two clocks and what it has said so far: `start a@20261201T200000`.
struct Desk {
    private static let first = "2026-12-01 18:00"

    var machine: ScheduleMachine
    let time: ManualTime
    let zones = Zones()
    var entries: [ScheduleEntry]
    var said: [String] = []
    /// What a disk would hold.
    var rows: [String: OccurrenceRecord] = [:]

    /// It is 18:00 in Berlin on 1 December 2026.
    init(_ entries: [ScheduleEntry], rows: [String: OccurrenceRecord] = [:], time: ManualTime? = nil) {
        self.entries = entries
        self.rows = rows
        self.time = time ?? ManualTime(wall: Desk.wall(Desk.first))
        machine = ScheduleMachine(records: Array(rows.values))
    }

    static func wall(_ text: String) -> WallTime {
        WallTime(wholeSeconds: (LocalDateTime(text)?.seconds ?? 0) - 3600)
    }

    static func entry(_ id: String, _ start: String, _ seconds: Int64 = 3600) -> ScheduleEntry {
        var entry = ScheduleEntry(
            id: id, station: "demo", start: LocalDateTime(start) ?? LocalDateTime(seconds: 0),
            zone: "Europe/Berlin", length: .wall(seconds))
        entry.since = wall(first)
        return entry
    }

    var moment: ScheduleMachine.Moment { ScheduleMachine.Moment(time) }

    mutating func take(_ actions: [ScheduleMachine.Action]) {
        for action in actions {
            switch action {
            case .warm(_, let occurrence): said.append("warm \(occurrence.key)")
            case .start(_, let record, let isAgain):
                said.append("\(isAgain ? "again" : "start") \(record.key)")
                take(machine.began(record.key, recording: "r\(said.count)"))
            case .stop(let record):
                said.append("stop \(record.key)")
                take(machine.ended(record.key, .finished, at: moment))
            case .settle(let record): said.append("settle \(record.key)")
            case .keep(let record): rows[record.key] = record
            }
        }
    }

    mutating func look() {
        take(
            machine.needsPlan(at: moment)
                ? machine.plan(entries, zones: zones, at: moment) : machine.look(at: moment))
    }

    mutating func replan() { take(machine.plan(entries, zones: zones, at: moment)) }

    /// Lets the clocks run as a service would: it wakes when the machine wants to, and every hour.
    mutating func run(to text: String) {
        let end = Desk.wall(text)
        look()
        while time.wall < end {
            let hour = time.wall.advanced(bySeconds: 3600)
            let next = min(end, hour, machine.nextWake(at: moment) ?? hour)
            time.advance(bySeconds: max(0.001, next.secondsSince1970 - time.wall.secondsSince1970))
            look()
        }
    }

    /// The program is killed, and starts again at `text`.
    mutating func restart(at text: String) {
        time.advance(bySeconds: Desk.wall(text).secondsSince1970 - time.wall.secondsSince1970)
        machine = ScheduleMachine(records: Array(rows.values))
        look()
    }

    /// `done`, or `missed: why`.
    func fate(_ key: String) -> String {
        guard let row = rows[key] else { return "nothing" }
        return row.state.rawValue + (row.reason.map { ": \($0)" } ?? "")
    }
}

@Suite("Schedules: the machine")
struct MachineTests {
    private let show = "a@20261201T200000"

    @Test("a show is warmed up, begun, ended and done")
    func plain() {
        var entry = Desk.entry("a", "2026-12-01 20:00")
        entry.padBefore = 60
        entry.padAfter = 120
        var desk = Desk([entry])
        desk.run(to: "2026-12-01 19:58")
        #expect(desk.said == [])
        desk.run(to: "2026-12-01 19:58:45")
        #expect(desk.said == ["warm \(show)"])
        desk.run(to: "2026-12-01 19:59")
        #expect(desk.said == ["warm \(show)", "start \(show)"])
        desk.run(to: "2026-12-01 21:01:59")
        #expect(desk.said.count == 2)
        desk.run(to: "2026-12-01 21:02")
        #expect(desk.said.last == "stop \(show)")
        #expect(desk.fate(show) == "done")
        desk.run(to: "2026-12-02 21:02")
        #expect(desk.said.count == 3)
    }

    @Test("two shows that overlap run side by side, each with a recording of its own")
    func overlap() {
        var desk = Desk([Desk.entry("a", "2026-12-01 20:00"), Desk.entry("b", "2026-12-01 20:30")])
        desk.run(to: "2026-12-01 22:00")
        #expect(
            desk.said.filter { !$0.hasPrefix("warm") } == [
                "start \(show)", "start b@20261201T203000", "stop \(show)", "stop b@20261201T203000",
            ])
        #expect(Set(desk.rows.values.flatMap(\.recordings)).count == 2)
    }

    /// When the program comes back, and what becomes of the show from 20:00 to 21:00.
    private static let returns: [(back: String, fate: String)] = [
        ("2026-12-01 19:30", "done"),
        ("2026-12-01 20:00:04", "done"),
        ("2026-12-01 20:20", "partial: began 20m late: the service was not running"),
        ("2026-12-01 20:59:59", "partial: began 59m59s late: the service was not running"),
        ("2026-12-01 21:00", "missed: the service was not running"),
        ("2026-12-01 21:01", "missed: the service was not running"),
        ("2026-12-09 12:00", "missed: the service was not running"),
        ("2027-01-25 12:00", "missed: the service was not running"),
    ]

    @Test("what a program that was not running meets when it comes back", arguments: returns)
    func downtime(back: String, fate: String) {
        var entry = Desk.entry("a", "2026-12-01 20:00")
        entry.padAfter = 300
        var desk = Desk([entry])
        desk.run(to: "2026-12-01 19:00")
        desk.restart(at: back)
        desk.run(to: "2027-01-26 00:00")
        #expect(desk.said.contains("start \(show)") == !fate.hasPrefix("missed"))
        #expect(desk.fate(show) == fate)
    }

    @Test("killed while it ran, it goes on within its time, and says that something is missing")
    func resumed() {
        var desk = Desk([Desk.entry("a", "2026-12-01 20:00")])
        desk.run(to: "2026-12-01 20:10")
        desk.restart(at: "2026-12-01 20:15")
        desk.run(to: "2026-12-01 22:00")
        #expect(desk.said.suffix(3) == ["start \(show)", "again \(show)", "stop \(show)"])
        #expect(desk.fate(show) == "partial: interrupted: the service was not running")
        #expect(desk.rows[show]?.recordings.count == 2)
    }

    @Test("killed while it ran and back too late, how it ended is asked, once")
    func settled() {
        var desk = Desk([Desk.entry("a", "2026-12-01 20:00")])
        desk.run(to: "2026-12-01 20:10")
        desk.restart(at: "2026-12-01 21:15")
        #expect(desk.said.last == "settle \(show)")
        desk.take(desk.machine.ended(show, .interrupted, at: desk.moment))
        #expect(desk.fate(show) == "partial: the service ended before it was over")
        let count = desk.said.count
        desk.restart(at: "2026-12-01 21:20")
        #expect(desk.said.count == count)
    }

    @Test(
        "a recording that the service's own end has ended properly is no whole show",
        arguments: [
            ("2026-12-01 20:30", "partial: the service ended before it was over"),
            ("2026-12-01 21:00", "done"),
        ])
    func endedWithTheService(end: String, fate: String) {
        var desk = Desk([Desk.entry("a", "2026-12-01 20:00")])
        desk.run(to: "2026-12-01 20:10")
        desk.restart(at: "2026-12-01 23:00")
        // Of the last sound, a moment before.
        let last = Desk.wall(end).advanced(bySeconds: -2)
        desk.take(desk.machine.settled(show, .finished, end: last, at: desk.moment))
        #expect(desk.fate(show) == fate)
        #expect(desk.rows[show]?.ended == last)
    }

    /// Minutes that the clock is set forward at 19:30, and what becomes of the show at 20:00.
    private static let steps: [(minutes: Int, fate: String)] = [
        (60, "partial: began 30m late: the clock was set forward by 1h"),
        (1440, "missed: the clock was set forward by 1d"),
        (28_800, "missed: the clock was set forward by 20d"),
        (-60, "done"),
        (-1440, "done"),
        (-28_800, "done"),
    ]

    @Test("the wall clock is set while nothing runs", arguments: steps)
    func stepped(minutes: Int, fate: String) {
        var desk = Desk([Desk.entry("a", "2026-12-01 20:00")])
        desk.run(to: "2026-12-01 19:30")
        desk.time.stepWall(bySeconds: Double(minutes) * 60)
        desk.look()
        desk.run(to: "2026-12-25 12:00")
        #expect(desk.said.contains("start \(show)") == !fate.hasPrefix("missed"))
        #expect(desk.fate(show) == fate)
    }

    @Test("an hour back never records twice, and what runs keeps its length", arguments: [-3600.0, 1800.0])
    func stepWhileRunning(seconds: Double) {
        var desk = Desk([Desk.entry("a", "2026-12-01 20:00")])
        desk.run(to: "2026-12-01 20:30")
        let began = desk.time.now
        desk.time.stepWall(bySeconds: seconds)
        desk.look()
        for _ in 0..<120 where desk.said.last != "stop \(show)" {
            desk.time.advance(bySeconds: 60)
            desk.look()
        }
        #expect(desk.said.suffix(2) == ["start \(show)", "stop \(show)"])
        #expect(desk.time.now.seconds(since: began) == 1800)
        desk.run(to: "2026-12-02 12:00")
        #expect(desk.said.count { $0.hasPrefix("start") } == 1)
    }

    @Test("asleep over a show, it is missed; awake in it, it begins late")
    func asleep() {
        var desk = Desk([Desk.entry("a", "2026-12-01 20:00"), Desk.entry("b", "2026-12-01 23:00")])
        desk.run(to: "2026-12-01 19:30")
        desk.time.advance(bySeconds: 2 * 3600)
        desk.look()
        #expect(desk.fate(show) == "missed: the machine was asleep")
        desk.time.advance(bySeconds: 2 * 3600)
        desk.look()
        #expect(desk.said.last == "start b@20261201T230000")
        #expect(desk.fate("b@20261201T230000") == "running: began 30m late: the machine was asleep")
    }

    @Test("a clock that was never set begins nothing and misses nothing")
    func unset() {
        var desk = Desk(
            [Desk.entry("a", "2026-12-01 20:00")], time: ManualTime(wall: WallTime(secondsSince1970: 60)))
        for _ in 0..<100 {
            desk.look()
            desk.time.advance(bySeconds: 3600)
        }
        #expect(desk.rows.isEmpty)
        desk.time.stepWall(
            bySeconds: Desk.wall("2026-12-01 20:10").secondsSince1970 - desk.time.wall.secondsSince1970)
        desk.look()
        #expect(desk.said == ["start \(show)"])
    }

    @Test("what failed is tried again until its time is over, and then is missed with the reason")
    func failing() {
        var desk = Desk([Desk.entry("a", "2026-12-01 20:00")])
        desk.run(to: "2026-12-01 20:00")
        for _ in 0..<200 {
            if desk.machine.isAnythingRunning {
                desk.take(desk.machine.ended(show, .failed("no such folder"), at: desk.moment))
            }
            desk.time.advance(bySeconds: 30)
            desk.look()
        }
        #expect(desk.said.count { $0 == "start \(show)" } == 120)
        #expect(desk.fate(show).hasSuffix("no such folder"))
        #expect(desk.rows[show]?.state != .running)
        #expect(!desk.machine.isAnythingRunning)
    }

    @Test("a recording that somebody ended is not begun again")
    func byHand() {
        var desk = Desk([Desk.entry("a", "2026-12-01 20:00")])
        desk.run(to: "2026-12-01 20:10")
        desk.take(desk.machine.ended(show, .finished, at: desk.moment))
        desk.run(to: "2026-12-01 22:00")
        #expect(desk.said.count { $0.hasPrefix("start") } == 1)
        #expect(desk.fate(show) == "done: ended by hand")
    }

    @Test("a changed end counts at once; a changed start, a pause and a removal end what runs")
    func edits() {
        var desk = Desk([Desk.entry("a", "2026-12-01 20:00")])
        desk.run(to: "2026-12-01 20:10")
        desk.entries[0].length = .wall(1800)
        desk.replan()
        desk.run(to: "2026-12-01 20:29")
        #expect(desk.said.last == "start \(show)")
        desk.run(to: "2026-12-01 20:30")
        #expect(desk.said.last == "stop \(show)")
        #expect(desk.fate(show) == "done")

        for change in 0..<3 {
            var desk = Desk([Desk.entry("a", "2026-12-01 20:00")])
            desk.run(to: "2026-12-01 20:10")
            switch change {
            case 0: desk.entries[0].start = desk.entries[0].start.advanced(by: 7200)
            case 1: desk.entries[0].isEnabled = false
            default: desk.entries = []
            }
            desk.replan()
            #expect(desk.said.last == "stop \(show)")
            #expect(desk.fate(show).hasPrefix("partial: ended early: the schedule was"))
        }
    }

    @Test("an entry added in the middle of its show begins at once; one from before is no miss")
    func added() {
        var late = Desk.entry("a", "2026-12-01 17:30")
        late.since = Desk.wall("2026-12-01 18:00")
        var past = Desk.entry("b", "2026-11-01 20:00")
        past.rule = RecurrenceRule(weekly: [6])
        past.since = Desk.wall("2026-12-01 18:00")
        var desk = Desk([late, past])
        desk.look()
        #expect(desk.said == ["start a@20261201T173000"])
        #expect(desk.rows.count == 1)
    }

    @Test("a show that is taken away just before its start does not keep its station connected")
    func cooled() {
        var desk = Desk([Desk.entry("a", "2026-12-01 20:00")])
        desk.run(to: "2026-12-01 19:59:50")
        #expect(desk.machine.isWarm(show))
        desk.entries = []
        desk.replan()
        #expect(!desk.machine.isWarm(show))
    }

    @Test("an entry whose zone is gone is a problem with a text, and the others go on")
    func noZone() {
        var lost = Desk.entry("b", "2026-12-01 20:00")
        lost.zone = "Europe/Atlantis"
        var desk = Desk([Desk.entry("a", "2026-12-01 20:00"), lost])
        desk.run(to: "2026-12-01 20:00")
        #expect(desk.said.last == "start \(show)")
        #expect(desk.machine.problems["b"]?.isEmpty == false)
    }

    @Test("killed at many moments of three shows: each is begun, and none twice")
    func killedAnywhere() {
        var daily = Desk.entry("a", "2026-12-01 20:00", 120)
        daily.rule = RecurrenceRule(weekly: Set(0..<7))
        for offset in stride(from: -30, through: 150, by: 10) {
            var desk = Desk([daily])
            for day in 1...3 {
                desk.run(to: "2026-12-0\(day) 19:59")
                let second = Double(60 + offset)
                desk.time.advance(bySeconds: second / 2)
                desk.look()
                desk.time.advance(bySeconds: second / 2)
                desk.look()
                desk.machine = ScheduleMachine(records: Array(desk.rows.values))
                desk.look()
            }
            desk.run(to: "2026-12-04 12:00")
            #expect(desk.rows.count == 3, "killed \(offset) s after the start")
            #expect(desk.rows.values.allSatisfy { $0.state != .missed })
            #expect(desk.said.count { $0.hasPrefix("start") } == 3)
        }
    }
}
