package import Feed

/// How patient ingest is. Seconds, all of them.
package struct IngestSettings: Sendable {
    /// A station stays connected for so long after its last reader.
    package var linger = 30.0
    /// Without audio for so long, a second connection is opened while the first is still read.
    package var stall = 5.0
    /// The same where a server allows one connection only: then the first is given up.
    package var stallAlone = 10.0
    /// From the request to the first audio.
    package var start = 15.0
    /// On a fallback, the best address is tried again after so long.
    package var better = 600.0
    /// Longest pause between two tries where time may heal what is wrong.
    package var longestWait = 30.0
    /// Stations that are connected at a time.
    package var most = 10_000
    /// What each feed keeps in memory.
    package var window = Feed.Limits()

    package init() {}

    var patience: StationMachine.Patience {
        var patience = StationMachine.Patience()
        patience.stall = stall
        patience.stallAlone = stallAlone
        patience.start = start
        patience.better = better
        patience.longestWait = longestWait
        return patience
    }
}
