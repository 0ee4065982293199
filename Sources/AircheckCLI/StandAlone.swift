internal import AircheckDaemon
internal import Configuration
internal import Ingest
internal import Platform
internal import Transfers

/// What a command needs to receive stations by itself: the transfers' thread and the feeds.
struct StandAlone: Sendable {
    let engine: TransferEngine
    let hub: IngestHub

    init(_ configuration: Settings) {
        engine = TransferEngine(IngestWiring.engineSettings(configuration))
        hub = IngestHub(engine: engine, settings: IngestWiring.settings(configuration))
    }

    func stop() {
        hub.stop()
        engine.stop()
    }
}
