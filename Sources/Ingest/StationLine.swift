import Platform

/// One connection of a station, as `StationMachine` knows it. A plain value.
struct StationLine: Sendable {
    let id: Int
    var candidate: Candidate
    let began: MonotonicTime
    var connected: MonotonicTime?
    var lastAudio: MonotonicTime
    /// Audio that was new to the feed, in seconds.
    var newSeconds = 0.0
    /// First audio since the other connection was opened.
    var recovered: MonotonicTime?
    /// Segments are fetched: there is no connection to open a second of, and silence is counted in segments.
    var segmentStall: Double?

    init(id: Int, candidate: Candidate, now: MonotonicTime) {
        self.id = id
        self.candidate = candidate
        began = now
        lastAudio = now
    }
}
