import Feed
import Platform
import Transfers

/// All pulls of a hub, by station. Lives on the engine's thread.
final class PullTable: @unchecked Sendable {
    // Sendable because every function is called in jobs of the engine, on its one thread.
    private let context: PullContext
    private var pulls: [String: StationPull] = [:]
    private var lingering: [String: TimerID] = [:]
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
            pull.want(true)
        } else {
            lingering[id] = context.engine.after(context.settings.linger) { [weak self, weak pull] in
                self?.lingering[id] = nil
                if let pull, pull.feed.readerCount == 0 { pull.want(false) }
            }
        }
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
