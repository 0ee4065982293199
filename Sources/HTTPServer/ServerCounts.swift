/// What a server has done and what it has refused, for `/metrics`.
package struct ServerCounts: Sendable, Hashable {
    /// A limit or rule that a client met.
    package enum Refusal: String, Sendable, Hashable, CaseIterable {
        /// The head could not be read, or was too large.
        case badRequest = "bad_request"
        case headDeadline = "head_deadline"
        case idleDeadline = "idle_deadline"
        case bodyDeadline = "body_deadline"
        case bodySize = "body_size"
        /// The client took none of its answer.
        case stalled
        case waiting
        case waitingPerAddress = "waiting_per_address"
        case connections
        case eventStreams = "event_streams"
        /// Events dropped for one `resync`; counted once a drop.
        case eventQueue = "event_queue"
        case host
        case origin
    }

    package var accepted: UInt64 = 0
    package var requests: UInt64 = 0
    /// Answers by the first digit of their status, 1 to 5.
    package var answers: [Int: UInt64] = [:]
    /// Sockets given away to a relay or a source.
    package var handedOver: UInt64 = 0
    /// Connections held now.
    package var open = 0
    /// Event streams open now.
    package var eventStreams = 0
    package var refusals: [Refusal: UInt64] = [:]
    /// Times that accepting rested because the process had no descriptor left.
    package var exhaustions: UInt64 = 0

    package init() {}
}
