internal import Reactor

/// Who may wait for its turn to speak: the connections that have not sent a whole head yet.
///
/// They are what a slow attacker piles up. When there are too many, the one that has waited longest goes. A connection of
/// less than a second is not counted as piled up, so that a storm of honest players gets in; only the hard limit, eight times
/// the soft one, holds for those.
struct Admission {
    private struct Waiting {
        var key: AddressKey
        var since: Int64
    }

    enum Breach: Equatable {
        case total, perAddress
    }

    /// A peer's `limitKey`, by which it is counted.
    typealias AddressKey = PeerAddress

    let limit: Int
    let limitPerAddress: Int
    /// Nanoseconds a connection is too young to be piled up.
    private static let grace: Int64 = 1_000_000_000
    private static let hardFactor = 8

    private var waiting: [UInt64: Waiting] = [:]
    private var perAddress: [AddressKey: Int] = [:]

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
        let victim = victim(for: peer.isLoopback ? nil : key, now: now)
        if let victim { left(victim.id) }
        waiting[id] = Waiting(key: key, since: now)
        perAddress[key, default: 0] += 1
        return victim
    }

    /// It speaks, or it has gone.
    mutating func left(_ id: UInt64) {
        guard let gone = waiting.removeValue(forKey: id) else { return }
        let rest = (perAddress[gone.key] ?? 1) - 1
        perAddress[gone.key] = rest == 0 ? nil : rest
    }

    private func victim(for key: AddressKey?, now: Int64) -> (id: UInt64, breach: Breach)? {
        if let key, let count = perAddress[key], count >= limitPerAddress,
            let oldest = oldest(of: key, now: now, isHard: count >= limitPerAddress * Self.hardFactor)
        {
            return (oldest, .perAddress)
        }
        if waiting.count >= limit,
            let oldest = oldest(of: nil, now: now, isHard: waiting.count >= limit * Self.hardFactor)
        {
            return (oldest, .total)
        }
        return nil
    }

    private func oldest(of key: AddressKey?, now: Int64, isHard: Bool) -> UInt64? {
        let candidates = key.map { key in waiting.filter { $0.value.key == key } } ?? waiting
        guard let oldest = candidates.min(by: { $0.value.since < $1.value.since }) else { return nil }
        return isHard || now - oldest.value.since >= Self.grace ? oldest.key : nil
    }
}
