internal import Catalogue
internal import Ingest
internal import Platform
internal import Relay
internal import Transfers

/// Brings what has changed in the catalogue to the rooms that hold stations: feeds that are running are read anew where
/// that is needed, mounts that are always on are opened, pushes begin and end. Nobody who listens is dropped. Any thread.
final class CatalogueFollower: Sendable {
    private let hub: IngestHub
    /// Filled in when they are there; both need this first.
    let catalogue: Lock<StationCatalogue?>
    let relay = Lock<RelayService?>(nil)
    let pushes: PushDesk
    private let targets = Lock<[PushTarget]>([])

    init(hub: IngestHub, engine: TransferEngine, time: any TimeSource) {
        let catalogue = Lock<StationCatalogue?>(nil)
        self.hub = hub
        self.catalogue = catalogue
        pushes = PushDesk(engine: engine, time: time) { id in
            catalogue.withLock { $0 }?.snapshot[id].map { hub.feed(for: $0.station) }
        }
    }

    func follow(_ difference: CatalogueDifference) {
        guard let catalogue = catalogue.withLock({ $0 }) else { return }
        let snapshot = catalogue.snapshot
        // One that was gone and is back may still be heard, from where it was before.
        for id in difference.changed + difference.added {
            if let station = snapshot[id]?.station { hub.stationChanged(station) }
        }
        // Who still hears a station that is gone hears it to the end.
        for id in difference.removed { hub.abandon(id: id) }
        relay.withLock { $0 }?.openPermanentMounts()
        push(targets.withLock { $0 })
    }

    /// Sends stations to these servers from now on. One whose station is not known yet begins when it is.
    func push(_ wanted: [PushTarget]) {
        targets.withLock { $0 = wanted }
        for target in pushes.set(wanted) {
            Log.warning(
                "relay", "a push has no station", ["station": target.station, "to": target.place])
        }
    }
}
