package import Feed
package import Platform
package import StreamFormats
internal import Synchronization

/// One station as the network hears it: its feed, and an outlet on every loop that has listeners of it.
///
/// The first listeners share the loop that the mount was given; when there are many, the next loop opens a ring of its
/// own, fed by its own reader. Loops share nothing, so nothing is locked while audio is sent. Any thread.
package final class Mount: Sendable {
    /// The path without the slash: the station's id, or the alias it was asked for by.
    package let name: String
    package let feed: Feed
    private let outlets: [Outlet]
    private let home: Int
    private let spread: Int
    /// When somebody last asked for it, in nanoseconds of the monotonic clock.
    private let askedAt = Atomic<Int64>(.min)
    /// How long one who has asked may be on the way to an outlet, in seconds.
    private static let longestWay = 30.0

    /// - Parameter fallback: what its listeners hear while its own station is away; asked for when it is.
    init(
        name: String, feed: Feed, fallback: @escaping @Sendable () -> Feed?, home: Int, loops: [RelayLoop],
        context: RelayContext
    ) {
        self.name = name
        self.feed = feed
        self.home = home
        spread = context.settings.spread
        outlets = loops.map {
            Outlet(name: name, feed: feed, fallback: fallback, host: $0, context: context)
        }
    }

    /// Sends a listener to the outlet that shall have it.
    /// - Parameter socket: non-blocking, watched by nobody; the outlet's from now on.
    func join(socket: Int32, request: ListenerRequest, facts: ListenerFacts) {
        let outlet = outlets[placeForNext()]
        outlet.expect()
        outlet.host.loop.run { outlet.join(socket: socket, request: request, facts: facts) }
    }

    /// The home loop until it has `spread` listeners, then the loop with the fewest.
    private func placeForNext() -> Int {
        let counts = outlets.map(\.load)
        guard counts[home] >= spread else { return home }
        return counts.indices.min { counts[$0] < counts[$1] } ?? home
    }

    package var station: Station { feed.station }

    /// Somebody is about to join: between the question and the outlet nothing else says so.
    func isAsked(at now: MonotonicTime) { askedAt.store(now.nanoseconds, ordering: .relaxed) }

    /// Nobody listens, or is on the way, and the station is not held for it.
    func isIdle(at now: MonotonicTime) -> Bool {
        let asked = MonotonicTime(nanoseconds: askedAt.load(ordering: .relaxed))
        return asked.advanced(bySeconds: Self.longestWay) < now && openedAt == nil
            && outlets.allSatisfy { $0.load == 0 }
    }

    package var counts: MountCounts { outlets.map(\.counts).reduce(MountCounts(), +) }

    /// What it says of itself; nil while its station has no audio for it.
    package var facts: MountFacts? { outlets.lazy.compactMap(\.publishedFacts).first }

    /// Since when it has had audio without a break of its own; nil while it has none.
    package var openedAt: WallTime? { outlets.compactMap(\.openedAt).min() }

    /// Collects the listeners of all loops, then calls `done` on one of the loops' threads.
    package func listListeners(_ done: @escaping @Sendable ([ListenerStatus]) -> Void) {
        collect({ $0.listeners() }, done)
    }

    /// Takes all listeners out, each at the end of a frame, for another mount or process.
    func takeAll(_ done: @escaping @Sendable ([HandedListener]) -> Void) { collect({ $0.handOver() }, done) }

    /// Asks all loops, then calls `done` on one of the loops' threads.
    private func collect<Item: Sendable>(
        _ ask: @escaping @Sendable (Outlet) -> [Item], _ done: @escaping @Sendable ([Item]) -> Void
    ) {
        let found = Lock((left: outlets.count, listeners: [Item]()))
        for outlet in outlets {
            outlet.host.loop.run {
                let here = ask(outlet)
                let all: [Item]? = found.withLock { state in
                    state.listeners += here
                    state.left -= 1
                    return state.left == 0 ? state.listeners : nil
                }
                if let all { done(all) }
            }
        }
    }

    /// Ends one listener; `done` is told whether there was such a one.
    package func kill(listener id: Int64, _ done: @escaping @Sendable (Bool) -> Void) {
        let found = Lock((left: outlets.count, killed: false))
        for outlet in outlets {
            outlet.host.loop.run {
                let killed = outlet.kill(id)
                let answer: Bool? = found.withLock { state in
                    state.left -= 1
                    state.killed = state.killed || killed
                    return state.left == 0 ? state.killed : nil
                }
                if let answer { done(answer) }
            }
        }
    }

    /// Keeps the mount open whether or not anybody listens, or no longer does.
    func pin(_ isPinned: Bool) {
        let outlet = outlets[home]
        outlet.host.loop.run { outlet.pin(isPinned) }
    }

    /// Ends every listener of this mount. One that is always on stays open.
    package func killAll() {
        for outlet in outlets { outlet.host.loop.run { outlet.sendAllAway() } }
    }
}

/// What all mounts share.
final class RelayContext: Sendable {
    private let current: Lock<RelaySettings>
    private let server: String
    let ledger: Lock<ListenerLedger>

    init(settings: RelaySettings, server: String) {
        current = Lock(settings)
        self.server = server
        ledger = Lock(ListenerLedger(limits: settings.limits))
    }

    /// As they are now; never asked for while audio is sent.
    var settings: RelaySettings { current.withLock { $0 } }

    var identity: ListenerIdentity {
        ListenerIdentity(server: server, crossOrigin: CrossOrigin(origin: settings.corsOrigin))
    }

    func change(to settings: RelaySettings) {
        current.withLock { $0 = settings }
        ledger.withLock { $0.limits = settings.limits }
    }
}
