package import Feed

/// How patient ingest is. Seconds, all of them.
package struct IngestSettings: Sendable {
    /// A station stays connected for so long after its last reader.
    package var linger = 30.0
    /// Without audio for so long, a second connection is opened while the first is still read.
    package var stall = 5.0
    /// What each feed keeps in memory.
    package var window = Feed.Limits()

    package init() {}
}
