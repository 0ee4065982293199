internal import Reactor

/// Who may wait for its turn to speak: the connections that have not sent a whole head yet.
///
/// They are what a slow attacker piles up. When there are too many, the one that has waited longest goes. A connection
/// of less than three seconds is not counted as piled up, so that a storm of honest players gets in, on a busy machine
/// too; only the hard limit, sixteen times the soft one, holds for those.
struct Admission {
    enum Breach: Equatable {
        case total, perAddress
    }

    fileprivate struct Waiting {
        var key: PeerAddress
        var since: Int64
    }

    let limit: Int
    let limitPerAddress: Int
    /// Nanoseconds a connection is too young to be piled up.
    private static let grace: Int64 = 3_000_000_000
    private static let hardFactor = 16

    private var waiting: [UInt64: Waiting] = [:]
    private var line = WaitingLine()
    /// By the peers' `limitKey`.
    private var lines: [PeerAddress: WaitingLine] = [:]

    init(limit: Int, limitPerAddress: Int) {
        self.limit = limit
        self.limitPerAddress = limitPerAddress
    }

    var count: Int { waiting.count }

    /// A connection begins to wait.
    /// - Parameters:
    ///   - peer: peers on this machine are counted in the total only.
    ///   - now: nanoseconds.
    /// - Returns: whom to close for it.
    mutating func arrived(_ id: UInt64, from peer: PeerAddress, now: Int64) -> (id: UInt64, breach: Breach)? {
        let key = peer.limitKey
        let victim = victim(of: peer.isLoopback ? nil : key, now: now)
        if let victim { left(victim.id) }
        waiting[id] = Waiting(key: key, since: now)
        line.add(id, since: now, among: waiting)
        lines[key, default: WaitingLine()].add(id, since: now, among: waiting)
        return victim
    }

    /// It speaks, or it has gone.
    mutating func left(_ id: UInt64) {
        guard let gone = waiting.removeValue(forKey: id) else { return }
        line.oneLeft()
        lines[gone.key]?.oneLeft()
        if lines[gone.key]?.count == 0 { lines[gone.key] = nil }
    }

    private mutating func victim(of key: PeerAddress?, now: Int64) -> (id: UInt64, breach: Breach)? {
        if let key, let count = lines[key]?.count, count >= limitPerAddress,
            let oldest = lines[key]?.oldest(among: waiting),
            mustGo(oldest.since, now: now, isHard: count >= limitPerAddress * Self.hardFactor)
        {
            return (oldest.id, .perAddress)
        }
        if line.count >= limit, let oldest = line.oldest(among: waiting),
            mustGo(oldest.since, now: now, isHard: line.count >= limit * Self.hardFactor)
        {
            return (oldest.id, .total)
        }
        return nil
    }

    private func mustGo(_ since: Int64, now: Int64, isHard: Bool) -> Bool {
        isHard || now - since >= Self.grace
    }
}

/// Connections in the order they began to wait. Those who left are skipped when they come to the front, and thrown out
/// when they are more than those who wait; so every step takes the same time, however long the line is.
private struct WaitingLine {
    private struct Place {
        var id: UInt64
        var since: Int64

        /// False when it was left, or left and taken again later.
        func isTaken(_ waiting: [UInt64: Admission.Waiting]) -> Bool { waiting[id]?.since == since }
    }

    private var places: ContiguousArray<Place> = []
    private var front = 0
    /// Those who wait.
    private(set) var count = 0

    /// Places that may stand empty before they are thrown out.
    private static let slack = 32

    mutating func add(_ id: UInt64, since: Int64, among waiting: [UInt64: Admission.Waiting]) {
        places.append(Place(id: id, since: since))
        count += 1
        if places.count > 2 * count + Self.slack {
            places = ContiguousArray(places[front...].filter { $0.isTaken(waiting) })
            front = 0
        }
    }

    mutating func oneLeft() { count -= 1 }

    /// The one that has waited longest.
    mutating func oldest(among waiting: [UInt64: Admission.Waiting]) -> (id: UInt64, since: Int64)? {
        while front < places.count, !places[front].isTaken(waiting) { front += 1 }
        return front < places.count ? (places[front].id, places[front].since) : nil
    }
}
