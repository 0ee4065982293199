package import HTTPWire
package import Reactor

/// What somebody must be allowed to, to use a route; each includes those before it.
package enum AccessRole: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Anybody who reaches the port: health, the login page.
    case anyone
    /// Mounts and playlists.
    case listener
    /// See everything.
    case viewer
    /// Record, play, schedule.
    case `operator`
    /// Addresses, paths, tokens, deleting.
    case admin

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// One method on one pattern of paths: `GET /api/v1/stations/{id}`.
package struct Route: Sendable {
    package typealias Handler = @Sendable (RoutedRequest, HTTPExchange) -> Void

    package let method: String
    /// Parts between slashes; `{name}` stands for one non-empty part, `{name...}` at the end for one or more.
    package let pattern: String
    package let role: AccessRole
    /// One line for the API's description.
    package let summary: String
    /// What becomes of the body.
    package let plan: RequestPlan
    package let handler: Handler

    package init(
        _ method: String, _ pattern: String, role: AccessRole, summary: String,
        plan: RequestPlan = .collect(),
        handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.role = role
        self.summary = summary
        self.plan = plan
        self.handler = handler
    }
}

/// A request that a route was found for.
package struct RoutedRequest: Sendable {
    package var request: HTTPRequest
    /// By the names in the pattern, decoded.
    package var parameters: [String: String]

    package var head: RequestHead { request.head }
    package var body: [UInt8] { request.body }
    package var peer: PeerAddress { request.peer }
    package var query: QueryParameters { request.head.query }

    /// The value of a parameter that the pattern has.
    package subscript(name: String) -> String { parameters[name] ?? "" }
}
