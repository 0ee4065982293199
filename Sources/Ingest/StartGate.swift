import Platform

/// Spaces out new connections, so that a thousand stations that lost their network do not storm it when it is back. Pure.
struct StartGate: Sendable {
    /// Connections begun a second, on average.
    static let rate = 50.0
    /// So many may begin at once after a quiet time.
    static let burst = 25.0

    private var next: MonotonicTime?

    /// Takes a place in the row.
    /// - Parameter chance: from 0 up to 1; spreads the places.
    /// - Returns: seconds to wait; usually 0.
    mutating func delay(at now: MonotonicTime, chance: Double) -> Double {
        let interval = 1 / Self.rate
        let earliest = now.advanced(bySeconds: -Self.burst * interval)
        let place = max(next ?? earliest, earliest)
        next = place.advanced(bySeconds: interval * (0.5 + chance))
        return max(0, place.seconds(since: now))
    }
}

/// Notices that the machine slept, or that this process was stopped: a tick that comes far too late. Pure.
struct SuspendWatch: Sendable {
    /// Seconds between ticks.
    static let interval = 2.0
    /// A tick so much too late was no mere load.
    static let lateness = 8.0

    private var last: MonotonicTime?

    /// True when there was a pause between the last tick and this one.
    mutating func tick(at now: MonotonicTime) -> Bool {
        defer { last = now }
        guard let last else { return false }
        return now.seconds(since: last) > Self.interval + Self.lateness
    }
}
