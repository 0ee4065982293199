package import Reactor

/// What is noted about a listener when it comes: for the administrator, the log, and to count it out again.
package struct ListenerFacts: Sendable {
    /// Grows with every listener of the process.
    package var id: Int64
    package var peer: PeerAddress
    /// As it called itself, cut to 128 bytes.
    package var userAgent: String
    /// Bits a second it was counted in with.
    package var bitRate: Int

    package init(id: Int64, peer: PeerAddress, userAgent: String, bitRate: Int) {
        self.id = id
        self.peer = peer
        self.userAgent = userAgent
        self.bitRate = bitRate
    }
}

/// One listener as `/admin/listclients` shows it.
package struct ListenerStatus: Sendable {
    package var facts: ListenerFacts
    package var connectedSeconds: Double
    package var sentBytes: Int64
    /// Seconds it lags behind the live edge, beyond what the kernel holds for it.
    package var behindSeconds: Double
    package var skips: Int
}
