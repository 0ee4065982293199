package import Feed
package import Platform
package import Transfers

/// All pushes to other servers. Any thread.
package final class PushDesk: Sendable {
    private let engine: TransferEngine
    private let time: any TimeSource
    private let feed: @Sendable (_ station: String) -> Feed?
    private let pushes = Lock<[IcecastPush]>([])

    /// - Parameter feed: of a station by its id; nil for one that is not known.
    package init(
        engine: TransferEngine, time: any TimeSource = SystemTime(),
        feed: @escaping @Sendable (_ station: String) -> Feed?
    ) {
        self.engine = engine
        self.time = time
        self.feed = feed
    }

    /// Sends these from now on, and no others. What goes on is not touched.
    /// - Returns: the targets whose station is not known.
    @discardableResult
    package func set(_ targets: [PushTarget]) -> [PushTarget] {
        let wanted = targets.map { ($0, feed($0.station)) }
        let (ended, begun) = pushes.withLock { pushes -> ([IcecastPush], [IcecastPush]) in
            var (kept, begun): ([IcecastPush], [IcecastPush]) = ([], [])
            for (target, feed) in wanted where !kept.contains(where: { $0.target == target }) {
                guard let feed else { continue }
                if let known = pushes.first(where: { $0.target == target && $0.feed === feed }) {
                    kept.append(known)
                } else {
                    let push = IcecastPush(target, feed: feed, engine: engine, time: time)
                    kept.append(push)
                    begun.append(push)
                }
            }
            defer { pushes = kept }
            return (pushes.filter { push in !kept.contains { $0 === push } }, begun)
        }
        for push in ended { push.end() }
        for push in begun { push.begin() }
        return wanted.filter { $0.1 == nil }.map(\.0)
    }

    /// How all of them stand, in the order of the settings.
    package var statuses: [PushStatus] { pushes.withLock { $0.map(\.status) } }

    /// Ends all of them.
    package func close() { set([]) }
}
