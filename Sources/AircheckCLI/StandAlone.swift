internal import Catalogue
internal import Configuration
internal import Feed
internal import Ingest
internal import Platform
internal import Playback
internal import StreamFormats
internal import Transfers

/// What a command needs to receive stations by itself: the transfers' thread and the feeds.
struct StandAlone: Sendable {
    let engine: TransferEngine
    let hub: IngestHub

    init(_ configuration: Configuration) {
        engine = TransferEngine(IngestWiring.engineSettings(configuration))
        hub = IngestHub(engine: engine, settings: IngestWiring.settings(configuration))
    }

    func stop() {
        hub.stop()
        engine.stop()
    }
}

/// The hub as the player asks for feeds.
struct HubFeeds: FeedSource {
    let hub: IngestHub

    func feed(of station: Station) -> Feed? { hub.feed(for: station) }
}
