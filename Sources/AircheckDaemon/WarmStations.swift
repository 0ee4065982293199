internal import Feed
internal import Ingest
internal import Platform
internal import StreamFormats
internal import Transfers

/// Connects stations before they are played, where a pointer rests on a row or a finger comes down: a station's own server
/// takes a third of a second to send its first audio, and then that time is over when somebody plays it.
final class WarmStations: Sendable {
    private let hub: IngestHub
    private let engine: TransferEngine
    private let time: any TimeSource
    /// False where data is to be saved: nothing is connected that nobody hears.
    private let isAllowed: Bool
    /// Stations that may be connected at all, `ingest.max_stations`.
    private let mostConnected: Int
    private let state = Lock(State())

    private struct State {
        var list = WarmList()
        var readers: [String: FeedReader] = [:]
        /// A look at what is over is on its way: one, however often somebody asks.
        var isWatched = false
    }

    init(
        hub: IngestHub, engine: TransferEngine, isAllowed: Bool, mostConnected: Int, time: any TimeSource
    ) {
        self.hub = hub
        self.engine = engine
        self.isAllowed = isAllowed
        self.mostConnected = mostConnected
        self.time = time
    }

    /// Holds a station for `WarmList.lasts` seconds; false where it is not held. Any thread.
    func warm(_ station: Station) -> Bool {
        guard isAllowed else { return false }
        // Who reads it already keeps it connected; one that only lingers would be left.
        let isConnected = (hub.feed(id: station.id)?.readerCount ?? 0) > 0
        guard isConnected || hasRoom else { return false }
        let answer = state.withLock { $0.list.want(station.id, isConnected: isConnected, at: time.now) }
        switch answer {
        case .declined: return false
        case .kept: break
        case .hold(let dropped): hold(station, dropping: dropped)
        }
        lookLater()
        return true
    }

    /// Half of what may be connected is left to those who listen and record.
    private var hasRoom: Bool { hub.allFeeds.count { $0.status.state != .idle } < mostConnected / 2 }

    private func hold(_ station: Station, dropping dropped: String?) {
        let reader = hub.feed(for: station).open(name: "about to be heard")
        let left = state.withLock { state in
            let left = [dropped.flatMap { state.readers.removeValue(forKey: $0) }]
            // It may be over already, or two asked at once.
            guard state.list.ids.contains(station.id), state.readers[station.id] == nil else {
                return left + [reader]
            }
            state.readers[station.id] = reader
            return left
        }
        for reader in left { reader?.close() }
    }

    private func lookLater() {
        let isFirst = state.withLock { state in
            defer { state.isWatched = true }
            return !state.isWatched
        }
        guard isFirst else { return }
        engine.run { [weak self, engine] in
            engine.after(WarmList.look) { self?.leaveOld() }
        }
    }

    private func leaveOld() {
        let (left, isEmpty) = state.withLock { state in
            let left = state.list.expire(at: time.now).compactMap { state.readers.removeValue(forKey: $0) }
            state.isWatched = false
            return (left, state.list.ids.isEmpty)
        }
        for reader in left { reader.close() }
        if !isEmpty { lookLater() }
    }
}
