internal import Catalogue
internal import Configuration
internal import ControlAPI
internal import Feed
internal import Ingest
internal import JSONText
internal import Platform
internal import Playback
internal import Recording
internal import Scheduling

/// Carries out the schedules: a thread that sleeps until something is due, and asks the machine what to do.
final class ScheduleRunner: Sendable {
    /// What it works with.
    struct Tools: Sendable {
        let settings: Settings
        let folder: String
        let catalogue: StationCatalogue
        let hub: IngestHub
        let recorder: Recorder
        let library: RecordingLibrary
        let player: LivePlayer
        let events: EventHub
        let time: any TimeSource
    }

    private struct Shared {
        var isEnding = false
        var hasChanged = false
        var problems: [String: String] = [:]
    }

    /// While something runs it is looked after so often, to see whether it has ended.
    private static let lookSeconds = 1.0
    /// Otherwise so often, for a new time zone database.
    private static let restSeconds = 3600.0

    let book: ScheduleBook
    let zones = Zones()
    private let tools: Tools
    private let alarm: ClockAlarm
    private let shared = Lock(Shared())
    private let thread = Lock<WorkerThread?>(nil)

    init(book: ScheduleBook, tools: Tools) throws {
        self.book = book
        self.tools = tools
        alarm = try ClockAlarm()
    }

    /// Begins. What ran when the program ended goes on, and what was missed is written down.
    func start() throws {
        let records = try book.recentRecords(now: tools.time.wall)
        let worker = WorkerThread(name: "schedules") { [self] in
            var work = ScheduleWork(tools: tools, book: book, records: records)
            while step(&work) {}
        }
        thread.withLock { $0 = worker }
    }

    /// Ends the thread, not what it has begun: the recorder ends that, and the next start goes on with it.
    func end() {
        shared.withLock { $0.isEnding = true }
        alarm.ring()
        thread.withLock { thread in
            defer { thread = nil }
            return thread
        }?.join()
    }

    /// The book has changed.
    func changed() {
        shared.withLock { $0.hasChanged = true }
        alarm.ring()
    }

    /// Entries that cannot be planned, and why.
    var problems: [String: String] { shared.withLock { $0.problems } }

    private func step(_ work: inout ScheduleWork) -> Bool {
        let order = shared.withLock { shared in
            defer { shared.hasChanged = false }
            return shared
        }
        if order.isEnding { return false }
        work.collect()
        work.act(isNew: order.hasChanged || zones.hasChanged, zones: zones)
        let problems = work.machine.problems
        let isNew = shared.withLock { shared in
            defer { shared.problems = problems }
            return shared.problems != problems
        }
        if isNew {
            for (id, why) in problems {
                Log.error("schedule", "cannot be planned", ["id": id, "reason": why])
            }
        }
        if order.hasChanged { tools.events.publish("schedules", [:]) }
        let moment = ScheduleMachine.Moment(tools.time)
        alarm.wait(
            until: work.machine.nextWake(at: moment), now: moment.wall,
            atMost: work.machine.isAnythingRunning ? Self.lookSeconds : Self.restSeconds)
        return true
    }
}
