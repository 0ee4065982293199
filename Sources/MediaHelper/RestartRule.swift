internal import Platform

/// When a helper that died is started again. Pure.
///
/// One that had worked comes back at once; one that dies before it says a word waits longer each time, as it will most
/// likely die again.
struct RestartRule: Sendable {
    /// Seconds before the second, third, … start in a row that came to nothing.
    private static let delays = [0.1, 0.3, 1, 3, 10]

    private var failures = 0

    /// It has said that it is ready.
    mutating func worked() { failures = 0 }

    /// It is gone, or could not be started. Returns the seconds to wait.
    mutating func died() -> Double {
        defer { failures += 1 }
        return failures == 0 ? 0 : Self.delays[min(failures, Self.delays.count) - 1]
    }
}
