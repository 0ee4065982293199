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
    private let state = Lock(State())

    private struct State {
        var list = WarmList()
        var readers: [String: FeedReader] = [:]
    }

    init(hub: IngestHub, engine: TransferEngine, isAllowed: Bool, time: any TimeSource) {
        self.hub = hub
        self.engine = engine
        self.isAllowed = isAllowed
        self.time = time
    }

    /// Holds a station for `WarmList.lasts` seconds; false where it is not held. Any thread.
    func warm(_ station: Station) -> Bool {
        guard isAllowed else { return false }
        let isConnected = hub.feed(id: station.id).map { $0.status.state == .live } ?? false
        let (isHeld, left) = state.withLock { state -> (Bool, FeedReader?) in
            switch state.list.want(station.id, isConnected: isConnected, at: time.now) {
            case .kept: return (true, nil)
            case .declined: return (false, nil)
            case .hold(let dropped):
                state.readers[station.id] = hub.feed(for: station).open(name: "about to be heard")
                return (true, dropped.flatMap { state.readers.removeValue(forKey: $0) })
            }
        }
        left?.close()
        if isHeld { lookLater() }
        return isHeld
    }

    private func lookLater() {
        engine.run { [weak self, engine] in
            engine.after(WarmList.lasts + 0.1) { self?.leaveOld() }
        }
    }

    private func leaveOld() {
        let left = state.withLock { state in
            state.list.expire(at: time.now).compactMap { state.readers.removeValue(forKey: $0) }
        }
        for reader in left { reader.close() }
    }
}
