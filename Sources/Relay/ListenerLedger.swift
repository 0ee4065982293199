package import Platform
package import Reactor

/// Who is listening, by count: the one place where all loops meet, asked once when a listener comes and once when it
/// goes. A plain value; the service puts a lock around it.
package struct ListenerLedger: Sendable {
    package var limits: RelayLimits
    package private(set) var total = 0
    /// How often each limit was hit.
    package private(set) var refused: [RelayLimit: Int64] = [:]
    private var byMount: [String: Int] = [:]
    private var byAddress: [PeerAddress: Int] = [:]
    private var bitsInUse = 0
    private var allowance: Double = 0
    private var refilled: MonotonicTime?

    package init(limits: RelayLimits) { self.limits = limits }

    /// Counts a listener in, or says which limit keeps it out.
    /// - Parameter address: the peer's `limitKey`.
    package mutating func admit(
        mount: String, address: PeerAddress, bitRate: Int, now: MonotonicTime
    ) -> RelayLimit? {
        if let limit = limitHit(mount: mount, address: address, bitRate: bitRate, now: now) {
            count(limit)
            return limit
        }
        total += 1
        byMount[mount, default: 0] += 1
        byAddress[address, default: 0] += 1
        bitsInUse += bitRate
        return nil
    }

    /// Counts in a listener who was here before, whatever the limits say now.
    package mutating func readmit(mount: String, address: PeerAddress, bitRate: Int) {
        total += 1
        byMount[mount, default: 0] += 1
        byAddress[address, default: 0] += 1
        bitsInUse += bitRate
    }

    /// Counts a listener out; the same facts it was admitted with.
    package mutating func leave(mount: String, address: PeerAddress, bitRate: Int) {
        total -= 1
        bitsInUse -= bitRate
        byMount[mount] = byMount[mount].flatMap { $0 > 1 ? $0 - 1 : nil }
        byAddress[address] = byAddress[address].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    /// Counts a limit that was found elsewhere: the duration.
    package mutating func count(_ limit: RelayLimit) { refused[limit, default: 0] += 1 }

    private mutating func limitHit(
        mount: String, address: PeerAddress, bitRate: Int, now: MonotonicTime
    ) -> RelayLimit? {
        if reached(total, limits.listeners) { return .listeners }
        if reached(byMount[mount] ?? 0, limits.listenersPerMount) { return .mount }
        if reached(byAddress[address] ?? 0, limits.listenersPerAddress) { return .address }
        if limits.bitsPerSecond > 0, bitsInUse + bitRate > limits.bitsPerSecond { return .bandwidth }
        return takeFromRate(now: now) ? nil : .rate
    }

    private func reached(_ count: Int, _ limit: Int) -> Bool { limit > 0 && count >= limit }

    /// A bucket that holds one second's worth.
    private mutating func takeFromRate(now: MonotonicTime) -> Bool {
        guard limits.connectsPerSecond > 0 else { return true }
        let most = Double(limits.connectsPerSecond)
        let earned = refilled.map { now.seconds(since: $0) * most } ?? most
        allowance = min(most, allowance + max(0, earned))
        refilled = now
        guard allowance >= 1 else { return false }
        allowance -= 1
        return true
    }
}
