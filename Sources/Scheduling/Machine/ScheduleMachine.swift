package import Platform

/// Decides when what is begun and ended, and what was missed. It has no clock and starts nothing: it is told the time and
/// says what to do.
///
/// Starts go by the wall clock. Ends go by the clock that never steps: what runs keeps its length when the wall clock
/// is set. What has begun once, or was missed, is in `records` by its key and never begins again.
package struct ScheduleMachine: Sendable {
    package enum Action: Sendable, Hashable {
        /// Connect to the station: it begins in a moment.
        case warm(ScheduleEntry, Occurrence)
        /// Begin. `isAgain` after an interruption.
        case start(ScheduleEntry, OccurrenceRecord, isAgain: Bool)
        /// End it properly; `ended` is told when it is over.
        case stop(OccurrenceRecord)
        /// It ran when the program ended, and its time is over: find out how it ended, and tell `ended`.
        case settle(OccurrenceRecord)
        /// Keep this row.
        case keep(OccurrenceRecord)
    }

    /// How a recording ended.
    package enum Outcome: Sendable, Hashable {
        case finished
        case interrupted
        case failed(String)
    }

    struct Running: Sendable {
        /// Nil where it ends by itself.
        var deadline: MonotonicTime?
        var isEnding = false
    }

    struct Failure: Sendable {
        var reason: String
        var retry: MonotonicTime
        /// What was recorded before it failed.
        var recordings: [String]
    }

    /// A station is connected so long before, so that the first second is there.
    static let warmSeconds = 15.0
    /// How far ahead is planned, and how far back misses are looked for.
    package static let ahead = 14 * 86_400.0
    package static let back = 60 * 86_400.0
    /// A plan is made anew after so long.
    static let planSeconds = 6 * 3600.0
    /// Beginning later than that is worth a word.
    static let lateSeconds = 5.0
    /// A wall clock that moves so much against the other one was set.
    static let stepSeconds = 1.0
    static let retrySeconds = 30.0
    /// What has no end is begun so long after its start at most.
    static let openWindow = 15 * 60.0
    /// 2026-01-01: a clock that shows less has not been set yet.
    static let earliestWall = WallTime(secondsSince1970: 1_767_225_600)

    /// By id.
    package internal(set) var entries: [String: ScheduleEntry] = [:]
    /// By key.
    package internal(set) var records: [String: OccurrenceRecord]
    /// Entries that cannot be planned, and why.
    package internal(set) var problems: [String: String] = [:]
    var plan: [Occurrence] = []
    var plannedAt: Moment?
    var running: [String: Running] = [:]
    var failures: [String: Failure] = [:]
    var warmed: Set<String> = []
    var last: Moment?

    /// - Parameter records: what was kept, running ones and those of the last sixty days at least.
    package init(records: [OccurrenceRecord]) {
        self.records = Dictionary(records.map { ($0.key, $0) }) { $1 }
    }

    /// Whether its station is to stay connected: it is about to begin.
    package func isWarm(_ key: String) -> Bool { warmed.contains(key) }

    package var isAnythingRunning: Bool { !running.isEmpty }

    /// Both clocks at once.
    package struct Moment: Sendable, Hashable {
        package var wall: WallTime
        package var clock: MonotonicTime

        package init(wall: WallTime, clock: MonotonicTime) {
            self.wall = wall
            self.clock = clock
        }

        package init(_ time: any TimeSource) { self.init(wall: time.wall, clock: time.now) }

        /// How far the wall clock was set forward since `earlier`.
        func step(since earlier: Self) -> Double {
            wall.secondsSince1970 - earlier.wall.secondsSince1970 - clock.seconds(since: earlier.clock)
        }
    }
}
