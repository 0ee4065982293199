package import Platform

/// What became of one occurrence. It stays when its entry goes.
package struct OccurrenceRecord: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// It has begun.
        case running
        case done
        /// Some of it is missing; `reason` says why.
        case partial
        /// Nothing was done; `reason` says why.
        case missed
    }

    /// `Occurrence.key`.
    package var key: String
    package var entry: String
    package var station: String
    package var name: String?
    package var action: ScheduleEntry.Action
    /// Of the show, without padding.
    package var start: WallTime
    package var end: WallTime?
    /// The end with the padding.
    package var to: WallTime?
    package var state: State
    package var reason: String?
    /// When it really began and ended.
    package var began: WallTime?
    package var ended: WallTime?
    /// The recordings that were made; more than one after an interruption.
    package var recordings: [String]

    init(_ entry: ScheduleEntry, _ occurrence: Occurrence, _ state: State, reason: String? = nil) {
        key = occurrence.key
        self.entry = entry.id
        station = entry.station
        name = entry.name
        action = entry.action
        start = occurrence.start
        end = occurrence.end
        to = occurrence.to
        self.state = state
        self.reason = reason
        recordings = []
    }

    /// Reads back what was kept.
    init(
        key: String, entry: String, station: String, name: String?, action: ScheduleEntry.Action,
        start: WallTime, end: WallTime?, to: WallTime?, state: State, reason: String?, began: WallTime?,
        ended: WallTime?, recordings: [String]
    ) {
        self.key = key
        self.entry = entry
        self.station = station
        self.name = name
        self.action = action
        self.start = start
        self.end = end
        self.to = to
        self.state = state
        self.reason = reason
        self.began = began
        self.ended = ended
        self.recordings = recordings
    }

    mutating func add(reason text: String) {
        guard reason?.contains(text) != true else { return }
        reason = reason.map { "\($0); \(text)" } ?? text
    }
}
