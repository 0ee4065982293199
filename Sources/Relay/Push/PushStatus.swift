package import Platform

/// How one push stands.
package struct PushStatus: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// The station has no audio yet.
        case silent
        case connecting
        case sending
        /// Until the next try.
        case waiting
    }

    package var station: String
    /// Where it goes, without credentials.
    package var place: String
    package var state: State
    /// Since when `state` holds.
    package var since: WallTime
    package var sentBytes: Int64 = 0
    /// How often the server was reached.
    package var connections: Int64 = 0
    package var titles: Int64 = 0
    /// Bytes that were thrown away because the server did not take them.
    package var lostBytes: Int64 = 0
    /// Why it broke the last time.
    package var reason: String?
}
