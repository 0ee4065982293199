/// What happens to a listener that does not keep up. It costs the others nothing either way.
package struct SlowRule: Sendable, Hashable {
    /// Bytes behind the live edge at which it has lost its place.
    package var lag: Int
    /// How often it may skip to the live edge before it is dropped.
    package var skips: Int

    package init(lag: Int, skips: Int = 3) {
        self.lag = lag
        self.skips = skips
    }

    package enum Verdict: Sendable, Hashable {
        case keep
        /// Finish the frame it is in, then go on at the live edge.
        case skip
        case drop
    }

    package func verdict(behind: Int64, skipsTaken: Int) -> Verdict {
        guard behind > Int64(lag) else { return .keep }
        return skipsTaken < skips ? .skip : .drop
    }
}
