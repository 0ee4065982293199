/// How many listeners, from where, how fast, and how long. Zero means no limit; each has a counter of its own.
package struct RelayLimits: Sendable, Hashable {
    /// Listeners at once, over all mounts.
    package var listeners: Int
    /// Listeners at once on one mount.
    package var listenersPerMount: Int
    /// Listeners at once from one address (IPv6: one /64).
    package var listenersPerAddress: Int
    /// New listeners a second, over all mounts; a second's worth may come at once.
    package var connectsPerSecond: Int
    /// Bits a second to all listeners together, counted by the mounts' measured rates.
    package var bitsPerSecond: Int
    /// Seconds after which a listener is closed.
    package var duration: Double

    package init(
        listeners: Int = 12_000, listenersPerMount: Int = 0, listenersPerAddress: Int = 0,
        connectsPerSecond: Int = 0, bitsPerSecond: Int = 0, duration: Double = 0
    ) {
        self.listeners = listeners
        self.listenersPerMount = listenersPerMount
        self.listenersPerAddress = listenersPerAddress
        self.connectsPerSecond = connectsPerSecond
        self.bitsPerSecond = bitsPerSecond
        self.duration = duration
    }
}

/// Which limit turned a listener away or ended it.
package enum RelayLimit: String, Sendable, Hashable, CaseIterable {
    case listeners, mount, address, rate, bandwidth, duration

    /// For the listener and the log.
    package var reason: String {
        switch self {
        case .listeners: "this server has all the listeners it may have"
        case .mount: "this mount has all the listeners it may have"
        case .address: "too many listeners from your address"
        case .rate: "too many new listeners at once, try again in a moment"
        case .bandwidth: "all the bandwidth for listeners is in use"
        case .duration: "listened as long as a listener may"
        }
    }
}
