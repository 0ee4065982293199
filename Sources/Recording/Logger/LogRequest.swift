package import Platform

/// Asks for a logger: files that begin at round times of day, join without a lost frame, and are deleted by rule.
package struct LogRequest: Sendable, Hashable {
    /// Length of a file in seconds: 5 to 86,400, and a day is a whole number of them.
    package var slotSeconds: Int
    package var retention: RetentionRules

    /// - Throws: `RecordingError.other` for a length that a day is no whole number of.
    package init(slotSeconds: Int, retention: RetentionRules = RetentionRules()) throws(RecordingError) {
        guard SlotClock.isUsable(slotSeconds) else {
            throw .other(
                "a slot of \(slotSeconds) s does not divide a day; take 5m, 15m, 30m, 1h, 2h, 3h, 6h, 12h or 24h"
            )
        }
        self.slotSeconds = slotSeconds
        self.retention = retention
    }
}

/// What a file of the logger is, for its sidecar.
package struct LoggerSlot: Sendable, Hashable {
    /// Length of a full file in seconds.
    package var seconds: Int
    /// The first recording of the row: by it the whole logger is stopped and asked after.
    package var series: RecordingID

    package init(seconds: Int, series: RecordingID) {
        self.seconds = seconds
        self.series = series
    }
}

/// What was deleted by rule.
package struct Deletion: Sendable, Hashable {
    package var recording: RecordingID
    package var stationID: String
    package var started: WallTime
    package var ended: WallTime
    package var bytes: Int64
    /// Where it was.
    package var path: String
    package var rule: RetentionRules.Rule
    package var at: WallTime
}
