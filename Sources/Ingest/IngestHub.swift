internal import CLinux
package import Feed
package import Platform
package import StreamFormats
package import Transfers

/// Every station's feed, and whoever pulls it: one upstream connection a station, whatever reads it.
///
/// A station is connected when its feed gets the first reader and left a while after the last one has gone. All
/// functions may be called from any thread.
package final class IngestHub: Sendable {
    private let engine: TransferEngine
    private let time: any TimeSource
    private let settings: IngestSettings
    private let pulls: PullTable
    private let feeds = Lock([String: Feed]())

    /// - Parameter charsets: what is known of stations' titles from earlier runs, and who keeps what is learned in this one.
    package init(
        engine: TransferEngine, time: any TimeSource = SystemTime(),
        settings: IngestSettings = IngestSettings(), charsets: CharsetMemory = CharsetMemory()
    ) {
        _ = Self.memoryIsReady
        self.engine = engine
        self.time = time
        self.settings = settings
        pulls = PullTable(PullContext(engine: engine, time: time, settings: settings, charsets: charsets))
        engine.run { [pulls] in pulls.watch() }
    }

    /// A feed's old audio is in pieces that come and go, and so much small is made beside them that heaps would be torn: they
    /// get pages of their own.
    private static let memoryIsReady: Void = aircheck_large_pieces_apart(30 << 10, 1 << 20)

    /// The feed of a station; made on the first call for its id, the same ever after.
    package func feed(for station: Station) -> Feed {
        feeds.withLock { feeds in
            if let known = feeds[station.id] { return known }
            // What a source client sends is pulled from nowhere; the relay publishes it here.
            if station.sourceMount != nil {
                let feed = Feed(station: station, limits: settings.window, time: time)
                feeds[station.id] = feed
                return feed
            }
            let feed = Feed(
                station: station, limits: settings.window, time: time,
                demandChanged: { [engine, pulls] _ in engine.run { pulls.demandChanged(station.id) } },
                catchUp: { [engine, pulls] done in
                    engine.run(
                        {
                            pulls.catchUp(station.id)
                            done()
                        }, onDrop: done)
                },
                hurry: { [engine, pulls] in engine.run { pulls.hurry(station.id) } })
            feeds[station.id] = feed
            engine.run { [pulls] in pulls.add(feed) }
            return feed
        }
    }

    /// The feed of a station that was asked for before.
    package func feed(id: String) -> Feed? { feeds.withLock { $0[id] } }

    /// All feeds made so far, by id.
    package var allFeeds: [Feed] {
        feeds.withLock { Array($0.values) }.sorted { $0.station.id < $1.station.id }
    }

    /// The station's description has changed. Where its addresses, headers or rules for titles are other ones, what is
    /// connected connects anew; readers stay. Does nothing for a station without a feed.
    package func stationChanged(_ station: Station) {
        guard let feed = feed(id: station.id) else { return }
        engine.run { [pulls] in pulls.keep(station.id) }
        guard feed.station != station else { return }
        let before = feed.station
        // Pulled now and sent to us before, or the other way round: another feed.
        guard (before.sourceMount == nil) == (station.sourceMount == nil) else {
            return remove(id: station.id)
        }
        feed.update(station: station)
        guard !before.isPulled(like: station) else { return }
        engine.run { [pulls] in pulls.stationChanged(station.id) }
    }

    /// The catalogue has it no more. Who reads it reads it to the end; then it is left, and its feed forgotten.
    package func abandon(id: String) {
        guard let feed = feed(id: id) else { return }
        guard feed.readerCount > 0 else { return remove(id: id) }
        engine.run { [weak self, pulls] in pulls.abandon(feed) { self?.remove(id: id) } }
    }

    /// Leaves a station and forgets its feed. Readers that are still there get nothing more.
    package func remove(id: String) {
        feeds.withLock { $0[id] = nil }
        engine.run { [pulls] in pulls.remove(id) }
    }

    /// The network is back, says somebody who knows: whatever waits is tried at once.
    package func retryNow() { engine.run { [pulls] in pulls.resumeAll() } }

    /// Leaves all stations.
    package func stop() {
        feeds.withLock { $0 = [:] }
        engine.run { [pulls] in pulls.stop() }
    }
}
