import Feed
import Platform
import Transfers

/// All pulls of a hub, by station. Lives on the engine's thread.
final class PullTable: @unchecked Sendable {
    // Sendable because every function is called in jobs of the engine, on its one thread.
    private let context: PullContext
    private var pulls: [String: StationPull] = [:]
    private var lingering: [String: TimerID] = [:]
    /// Stations that are connected, or try to be.
    private var admitted: Set<String> = []
    /// Stations that somebody reads and that are too many, in the order in which they came.
    private var queue: [String] = []
    private var suspend = SuspendWatch()
    private var isStopped = false
    /// Feeds of stations that the catalogue has no more, and what is done once nobody reads them.
    private var abandoned: [String: (feed: Feed, forget: () -> Void)] = [:]

    init(_ context: PullContext) { self.context = context }

    func add(_ feed: Feed) {
        guard !isStopped, pulls[feed.station.id] == nil else { return }
        pulls[feed.station.id] = StationPull(feed: feed, context: context)
        demandChanged(feed.station.id)
    }

    func abandon(_ feed: Feed, forget: @escaping () -> Void) { abandoned[feed.station.id] = (feed, forget) }

    /// The catalogue has it again.
    func keep(_ id: String) { abandoned[id] = nil }

    func remove(_ id: String) {
        keep(id)
        stopLingering(id)
        pulls.removeValue(forKey: id)?.stop()
        leave(id)
    }

    func stop() {
        isStopped = true
        for id in Array(pulls.keys) { remove(id) }
    }

    func stationChanged(_ id: String) { pulls[id]?.stationChanged() }

    /// The feed has got its first reader, or lost its last one. What counts is how many it has now.
    func demandChanged(_ id: String) {
        guard let pull = pulls[id] else { return }
        stopLingering(id)
        if pull.feed.readerCount > 0 {
            admit(id)
        } else if !admitted.contains(id) {
            leave(id)
            pull.want(false)
        } else {
            lingering[id] = context.engine.after(context.settings.linger) { [weak self, weak pull] in
                self?.lingering[id] = nil
                guard let self, let pull, pull.feed.readerCount == 0 else { return }
                pull.want(false)
                leave(id)
            }
        }
    }

    private func admit(_ id: String) {
        if admitted.contains(id) || admitted.count < context.settings.most {
            admitted.insert(id)
            pulls[id]?.want(true)
        } else {
            if !queue.contains(id) { queue.append(id) }
            pulls[id]?.decline(
                "\(context.settings.most) stations are connected already, which is ingest.max_stations")
        }
    }

    /// Its place is free for the next.
    private func leave(_ id: String) {
        queue.removeAll { $0 == id }
        guard admitted.remove(id) != nil, !isStopped, !queue.isEmpty else { return }
        admit(queue.removeFirst())
    }

    /// Reads what has come of a station and waits to be read.
    func catchUp(_ id: String) { pulls[id]?.catchUp() }

    /// Somebody wants to hear a station now. One that has no place waits for it as before.
    func hurry(_ id: String) {
        if admitted.contains(id) { pulls[id]?.hurry() }
    }

    func resumeAll() {
        for pull in pulls.values { pull.resume() }
    }

    /// Looks after what is nobody else's business, every other second.
    func watch() {
        guard !isStopped else { return }
        if suspend.tick(at: context.time.now) {
            Log.info("ingest", "the machine was asleep; connecting anew")
            resumeAll()
        }
        for pull in pulls.values { pull.refreshStatus() }
        for (feed, forget) in abandoned.values where feed.readerCount == 0 { forget() }
        context.engine.after(SuspendWatch.interval) { [weak self] in self?.watch() }
    }

    private func stopLingering(_ id: String) {
        if let timer = lingering.removeValue(forKey: id) { context.engine.cancel(timer) }
    }
}
