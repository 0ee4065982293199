/// How mounts are run; the `[relay]` table of the configuration.
package struct RelaySettings: Sendable, Hashable {
    /// Seconds between two batches of writes: the number of writes is the cost, and the delay.
    package var batch: Double
    package var burst: Burst
    /// Bytes of the ring of each mount, rounded up to a power of two. It holds the burst and those who lag.
    package var ringBytes: Int
    /// Seconds a listener may lag before it skips to the live edge; the ring's length limits it too.
    package var lagSeconds: Double
    /// How often it may skip before it is dropped.
    package var skips: Int
    /// Seconds a listener waits for the first audio of a station before it is told that there is none.
    package var patience: Double
    /// Seconds a mount without listeners keeps its station.
    package var linger: Double
    /// Bytes the kernel may hold for one listener (SO_SNDBUF; it doubles them).
    package var sendBuffer: Int32
    /// Milliseconds that sent bytes may stay unacknowledged before a listener is taken for dead (TCP_USER_TIMEOUT).
    package var userTimeoutMilliseconds: Int32
    /// Listeners of a mount on one loop before the next loop opens a ring of its own for it.
    package var spread: Int
    /// Audio bytes between two metadata blocks, for listeners that ask for titles.
    package var metaint: Int32
    package var limits: RelayLimits
    package var rangeRule: RangeRule
    /// `Access-Control-Allow-Origin` of all that listeners get; nil for none.
    package var corsOrigin: String?

    package init(
        batch: Double = 0.25, burst: Burst = Burst(), ringBytes: Int = 512 << 10, lagSeconds: Double = 30,
        skips: Int = 3, patience: Double = 10, linger: Double = 10, sendBuffer: Int32 = 128 << 10,
        userTimeoutMilliseconds: Int32 = 20_000, spread: Int = 500, metaint: Int32 = IcyCursor.usualInterval,
        limits: RelayLimits = RelayLimits(),
        rangeRule: RangeRule = .auto, corsOrigin: String? = "*"
    ) {
        self.batch = min(max(batch, Self.batchBounds.lowerBound), Self.batchBounds.upperBound)
        self.burst = burst
        self.ringBytes = min(max(ringBytes, 2 * burst.limit), Self.mostRingBytes)
        self.lagSeconds = max(lagSeconds, 1)
        self.skips = min(max(skips, 0), 250)
        self.patience = max(patience, 0)
        self.linger = max(linger, 0)
        self.sendBuffer = sendBuffer
        self.userTimeoutMilliseconds = userTimeoutMilliseconds
        self.spread = max(spread, 1)
        self.metaint = min(max(metaint, Self.metaintBounds.lowerBound), Self.metaintBounds.upperBound)
        self.limits = limits
        self.rangeRule = rangeRule
        self.corsOrigin = corsOrigin
    }

    /// Under 50 ms the writes cost more than they bring; over 1 s players notice.
    package static let batchBounds = 0.05...1.0
    private static let metaintBounds: ClosedRange<Int32> = 256...1_048_576
    private static let mostRingBytes = 16 << 20
}

/// What a listener that asks for a range of an endless stream gets; see `RangeAnswer`.
package enum RangeRule: String, Sendable, Hashable, CaseIterable {
    /// Two bytes for Safari's probe, the stream for all others.
    case auto
    case always200 = "always-200"
    case always206 = "always-206"
}
