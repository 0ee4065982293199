package import Platform

/// Slows down whoever guesses tokens: a few wrong ones are free, then one look in ten seconds per address, and never
/// more than a fixed number a second in all. A plain value.
package struct GuessLimiter: Sendable {
    /// Wrong tokens an address may send before it has to wait.
    private static let free = 5
    private static let wait = 10.0
    private static let perSecond = 20
    /// Addresses remembered; beyond it the oldest is forgotten.
    private static let addresses = 4096

    private var failures: [String: (count: Int, last: MonotonicTime)] = [:]
    private var second = MonotonicTime(nanoseconds: 0)
    private var inSecond = 0

    package init() {}

    /// False where the token must not even be looked at. `address` is the peer, or its /64 for IPv6.
    package mutating func mayTry(_ address: String, at now: MonotonicTime) -> Bool {
        if now.seconds(since: second) >= 1 { (second, inSecond) = (now, 0) }
        guard inSecond < Self.perSecond else { return false }
        guard let known = failures[address], known.count >= Self.free else { return true }
        return now.seconds(since: known.last) >= Self.wait
    }

    package mutating func failed(_ address: String, at now: MonotonicTime) {
        inSecond += 1
        failures[address] = (count: (failures[address]?.count ?? 0) + 1, last: now)
        guard failures.count > Self.addresses,
            let oldest = failures.min(by: { $0.value.last < $1.value.last })
        else { return }
        failures[oldest.key] = nil
    }

    package mutating func succeeded(_ address: String) { failures[address] = nil }
}
