internal import Platform

/// Which stations are held because somebody is about to listen, and until when. Bounded, because a hand that runs down a
/// list of stations must not connect them all.
struct WarmList {
    /// Stations held at a time; beyond it the one that was asked for longest ago is left.
    static let most = 8
    /// Seconds that one is held after it was asked for last.
    static let lasts = 15.0
    /// Seconds between looks at whose time is over.
    static let look = 3.0
    /// Stations connected for this alone within `span` seconds.
    static let mostConnects = 12
    static let span = 60.0

    /// What is to be done about a station that was asked for.
    enum Answer: Equatable {
        /// It is held already, and longer now.
        case kept
        /// It is to be held from now on, and another one, where there is one, no longer.
        case hold(dropping: String?)
        /// Too many were connected lately. Who listens connects it.
        case declined
    }

    private var held: [(id: String, until: MonotonicTime)] = []
    private var connects: [MonotonicTime] = []

    var ids: [String] { held.map(\.id) }

    /// - Parameter isConnected: somebody reads it already; holding it costs nothing.
    mutating func want(_ id: String, isConnected: Bool, at now: MonotonicTime) -> Answer {
        let until = now.advanced(bySeconds: Self.lasts)
        if let index = held.firstIndex(where: { $0.id == id }) {
            held.remove(at: index)
            held.append((id, until))
            return .kept
        }
        guard isConnected || mayConnect(at: now) else { return .declined }
        held.append((id, until))
        return .hold(dropping: held.count > Self.most ? held.removeFirst().id : nil)
    }

    private mutating func mayConnect(at now: MonotonicTime) -> Bool {
        connects.removeAll { now.seconds(since: $0) >= Self.span }
        guard connects.count < Self.mostConnects else { return false }
        connects.append(now)
        return true
    }

    /// Forgets those whose time is over, and names them.
    mutating func expire(at now: MonotonicTime) -> [String] {
        let over = held.filter { $0.until <= now }.map(\.id)
        held.removeAll { $0.until <= now }
        return over
    }
}
