package import Feed
package import Platform
package import StreamFormats
package import Transfers

/// Every station's feed, and whoever pulls it: one upstream connection a station, whatever reads it.
///
/// A station is connected when its feed gets the first reader and left a while after the last one has gone. All
/// functions may be called from any thread.
package final class IngestHub: Sendable {
    private struct State {
        var feeds: [String: Feed] = [:]
    }

    private let engine: TransferEngine
    private let time: any TimeSource
    private let settings: IngestSettings
    private let state = Lock(State())

    package init(
        engine: TransferEngine, time: any TimeSource = SystemTime(),
        settings: IngestSettings = IngestSettings()
    ) {
        self.engine = engine
        self.time = time
        self.settings = settings
    }

    /// The feed of a station; made on the first call for its id, the same ever after.
    package func feed(for station: Station) -> Feed {
        state.withLock { state in
            if let known = state.feeds[station.id] { return known }
            let feed = Feed(station: station, limits: settings.window, time: time)
            state.feeds[station.id] = feed
            return feed
        }
    }

    /// The feed of a station that was asked for before.
    package func feed(id: String) -> Feed? { state.withLock { $0.feeds[id] } }

    /// All feeds made so far, by id.
    package var allFeeds: [Feed] {
        state.withLock { $0.feeds.values.map { $0 } }.sorted { $0.station.id < $1.station.id }
    }

    /// The station's addresses, headers or charset have changed: what is connected connects anew, readers stay.
    package func stationChanged(_ station: Station) {}

    /// Leaves a station and forgets its feed. Readers that are still there get nothing more.
    package func remove(id: String) { state.withLock { $0.feeds[id] = nil } }

    /// Leaves all stations.
    package func stop() {}
}
