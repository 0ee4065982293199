/// How long to wait before a server is tried again. Pure: chance comes from outside.
struct PushBackOff {
    private var failures = 0

    private static let longest = 60.0
    /// A server that says no says it again a second later.
    private static let refused = 15.0
    private static let jitter = 0.2
    /// Seconds of sending after which the next failure is the first again.
    static let steady = 30.0

    /// - Parameters:
    ///   - wasRefused: the server answered and does not want it (password, mount in use).
    ///   - chance: from 0 up to 1.
    /// - Returns: seconds.
    mutating func wait(wasRefused: Bool, chance: Double) -> Double {
        defer { failures = min(failures + 1, 10) }
        let doubled = min(Double(1 << failures), Self.longest)
        let base = wasRefused ? max(doubled, Self.refused) : doubled
        return base * (1 - Self.jitter + 2 * Self.jitter * chance)
    }

    mutating func reset() { failures = 0 }
}
