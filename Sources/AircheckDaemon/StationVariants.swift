internal import Catalogue
internal import Configuration
internal import Feed
internal import Ingest
internal import Platform
internal import Reactor
internal import Recording
internal import StreamFormats
internal import Variants

/// Stations in another form, and the threads that carry them: as MP3, and some time late.
final class StationVariants: Sendable {
    let mp3: MP3Variants
    let delayed: DelayedVariants
    let late: LateMounts
    private let loop: EventLoop
    /// Waits for the disk, so it does nothing else.
    private let pastLoop: EventLoop

    init(
        _ plan: ServicePlan, catalogue: StationCatalogue, hub: IngestHub, past: PastKeeper,
        time: any TimeSource
    ) throws {
        loop = try EventLoop(name: "variants")
        pastLoop = try EventLoop(name: "past")
        let delayed = DelayedVariants(
            limit: plan.configuration.relay.maxDelayed, loop: pastLoop, time: time
        ) { station, start in
            catalogue.station(station).flatMap {
                past.reader(of: $0.station, from: .wall(start), name: "delayed \(station)")
            }.map { HeldPast(reader: $0) }
        }
        self.delayed = delayed
        mp3 = MP3Variants(settings: plan.mp3Settings, loop: loop, time: time) { id in
            delayed.feed(id: id)?.feed ?? catalogue.station(id).map { hub.feed(for: $0.station) }
        }
        late = LateMounts(
            plan.configuration, past: past, catalogue: catalogue, mp3: mp3, variants: delayed, loop: pastLoop,
            time: time)
    }

    /// Ends them all. Waits for the threads.
    func close() {
        mp3.close()
        delayed.close()
        loop.stop()
        pastLoop.stop()
    }
}
