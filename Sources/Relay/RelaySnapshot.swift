package import Platform
package import StreamFormats

/// How the relay stands, for the status pages, `/metrics` and the API.
package struct RelaySnapshot: Sendable {
    /// One mount with an open stream or a past.
    package struct Mount: Sendable {
        package var name: String
        package var station: Station
        /// Nil while there is no audio for it.
        package var facts: MountFacts?
        package var openedAt: WallTime?
        package var counts: MountCounts
        package var title: TitleText?
        /// Where it is heard upstream, without credentials.
        package var upstream: String?
        package var receivedBytes: Int64
        /// The name of the mount that its listeners hear while its station is away.
        package var fallback: String?

        package var isOpen: Bool { facts != nil }
    }

    package var mounts: [Mount]
    /// Listeners on all mounts, probes included.
    package var connected: Int
    /// How often each limit turned somebody away.
    package var refused: [RelayLimit: Int64]
    package var startedAt: WallTime
    package var now: WallTime

    package var openMounts: [Mount] { mounts.filter(\.isOpen) }

    var listeners: Int { mounts.reduce(0) { $0 + $1.counts.listeners } }
    var connections: Int64 { mounts.reduce(0) { $0 + $1.counts.connections } }
}
