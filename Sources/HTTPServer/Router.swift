package import HTTPWire
package import Reactor

/// Finds the route for a request, asks whether it is allowed, and lets it answer. The table can be read by whoever
/// describes the API or tests that every route is guarded.
package final class Router: HTTPApplication {
    /// Says no with an answer, or yes with nil. Called on the loop's thread for every route that needs a role above `anyone`.
    package typealias Guardian =
        @Sendable (_ head: RequestHead, _ peer: PeerAddress, _ role: AccessRole) -> HTTPResponse?

    private struct Entry: Sendable {
        let route: Route
        let pattern: RoutePattern
    }

    /// Every route, in the order given.
    package let routes: [Route]
    /// By the first part of the path; routes that begin with a parameter stand under the empty word.
    private let table: [String: [Entry]]
    private let guardian: Guardian
    private let fallback: (any HTTPApplication)?

    /// - Parameters:
    ///   - guardian: decides who may; without a route nobody is asked.
    ///   - fallback: gets what no route's pattern fits; without it the answer is 404.
    package init(_ routes: [Route], guardian: @escaping Guardian, fallback: (any HTTPApplication)? = nil) {
        self.routes = routes
        self.guardian = guardian
        self.fallback = fallback
        let entries = routes.map { Entry(route: $0, pattern: RoutePattern($0.pattern)) }
        table = Dictionary(grouping: entries) { $0.pattern.firstLiteral ?? "" }
            .mapValues { $0.sorted { RoutePattern.isMoreSpecific($0.pattern, $1.pattern) } }
    }

    package func plan(for head: RequestHead, from peer: PeerAddress) -> RequestPlan {
        switch find(head) {
        case .found(let route, _):
            if route.role > .anyone, let refusal = guardian(head, peer, route.role) {
                return .refuse(refusal)
            }
            return route.plan
        case .otherMethods(let allowed): return .refuse(Self.wrongMethod(head, allowed))
        case .nothing: return fallback?.plan(for: head, from: peer) ?? .refuse(.notFound)
        }
    }

    package func respond(to request: HTTPRequest, on exchange: HTTPExchange) {
        guard case .found(let route, let parameters) = find(request.head) else {
            guard let fallback else { return exchange.send(.notFound) }
            return fallback.respond(to: request, on: exchange)
        }
        route.handler(RoutedRequest(request: request, parameters: parameters), exchange)
    }

    // MARK: Finding

    enum Finding {
        case found(Route, [String: String])
        /// The path is known, but not with this method.
        case otherMethods([String])
        case nothing
    }

    func find(_ head: RequestHead) -> Finding {
        var others: [String] = []
        for entry in (table[head.segments.first ?? ""] ?? []) + (head.segments.isEmpty ? [] : table[""] ?? [])
        {
            guard let parameters = entry.pattern.match(head.segments) else { continue }
            let method = entry.route.method
            if method == head.method || (method == "GET" && head.method == "HEAD") {
                return .found(entry.route, parameters)
            }
            others.append(method)
        }
        return others.isEmpty ? .nothing : .otherMethods(others)
    }

    private static func wrongMethod(_ head: RequestHead, _ allowed: [String]) -> HTTPResponse {
        let list = (allowed + (allowed.contains("GET") ? ["HEAD"] : []) + ["OPTIONS"]).joined(separator: ", ")
        if head.method == "OPTIONS" { return HTTPResponse(status: 204).adding("Allow", list) }
        return HTTPResponse.problem(
            405, code: "method_not_allowed", message: "This address does not take that method.", remedy: nil
        ).adding("Allow", list)
    }
}
