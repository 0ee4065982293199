/// What a mount has done, for `/metrics` and the status pages.
package struct MountCounts: Sendable, Hashable {
    /// Connected now, those included that have only just come.
    package var connected = 0
    /// Connected now for so long that it is no probe.
    package var listeners = 0
    package var peak = 0
    package var connections: Int64 = 0
    package var sentBytes: Int64 = 0
    package var writes: Int64 = 0
    /// Skips to the live edge of listeners that did not keep up.
    package var skips: Int64 = 0
    /// Listeners dropped because they did not keep up.
    package var dropped: Int64 = 0
    /// Listeners told that there is no audio.
    package var unserved: Int64 = 0

    package init() {}

    static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.connected += right.connected
        sum.listeners += right.listeners
        // Of loops, whose peaks need not fall together: an upper bound, as the sum of now is a lower one.
        sum.peak = max(left.peak + right.peak, sum.listeners)
        sum.connections += right.connections
        sum.sentBytes += right.sentBytes
        sum.writes += right.writes
        sum.skips += right.skips
        sum.dropped += right.dropped
        sum.unserved += right.unserved
        return sum
    }
}
