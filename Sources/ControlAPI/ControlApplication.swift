package import HTTPServer
internal import HTTPWire
package import JSONText
internal import Platform

/// The `control` role: makes the server's routes from the API's, checks bodies, and lets workers answer.
package final class ControlApplication: Sendable {
    /// First path segments that belong to this role.
    package static let firstSegments: Set<String> = ["api", "healthz", "rb", "readyz", "metrics", "player"]

    private let workers = APIWorkers()
    private let callers: CallerCheck
    private let events: EventHub
    private let greeting: @Sendable () -> JSONValue

    /// - Parameter greeting: what a new follower of the events is told first. Any thread.
    package init(callers: CallerCheck, events: EventHub, greeting: @escaping @Sendable () -> JSONValue) {
        self.callers = callers
        self.events = events
        self.greeting = greeting
    }

    /// What answers the requests of this role.
    /// - Parameter pages: the page's own routes.
    package func router(_ routes: [APIRoute], pages: [Route] = []) -> Router {
        let (told, events) = (Self.eventStream, events)
        let stream = Route(told.method, told.pattern, role: told.role, summary: told.summary) {
            [greeting] _, exchange in
            guard let stream = exchange.openEvents() else { return }
            events.add(stream, greeting: greeting())
        }
        return Router([stream] + pages + routes.map(served)) { [callers] head, peer, role in
            callers.refusal(of: head, from: peer, needing: role)
        }
    }

    /// The events as the description of the API has them; they are answered without a worker.
    package static let eventStream = APIRoute(
        "GET", "/api/v1/events", .viewer, "follow what happens, as server-sent events",
        result: .text(["text/event-stream"])
    ) { _ in throw APIFailure(.software, "the events are answered elsewhere") }

    private func served(_ route: APIRoute) -> Route {
        Route(
            route.method, route.pattern, role: route.role, summary: route.summary,
            plan: .collect(limit: route.bodyLimit)
        ) { [self] request, exchange in
            let caller = caller(request)
            let isAccepted = workers.submit { Self.answer(route, request, caller, exchange) }
            if !isAccepted {
                let failure = APIFailure(
                    .unavailable, "too many calls wait already", remedy: "Come back in a second.")
                exchange.send(failure.response.adding("Retry-After", "1"))
            }
        }
    }

    private func caller(_ request: RoutedRequest) -> APICaller {
        var caller = APICaller()
        if case .role(let role) = callers.verdict(on: request.head, from: request.peer) { caller.role = role }
        caller.session = callers.session(of: request.head)
        caller.address = request.peer.limitKey.text
        if let authority = request.head.authority { caller.root = "http://\(authority)" }
        caller.isEncrypted = request.head.headers["origin"]?.hasPrefix("https://") ?? false
        return caller
    }

    /// On a worker.
    private static func answer(
        _ route: APIRoute, _ request: RoutedRequest, _ caller: APICaller, _ exchange: HTTPExchange
    ) {
        do {
            let body =
                request.body.isEmpty
                ? JSONValue.null : try JSONValue.parse(request.body, limit: route.bodyLimit)
            try BodyCheck.check(body, against: route.body)
            let query = request.query.parameters.map { ($0.name, $0.value) }
            var call = APIRequest(
                path: request.parameters, query: Dictionary(query, uniquingKeysWith: { first, _ in first }),
                body: body)
            call.caller = caller
            send(try route.answer(call), on: exchange)
        } catch let failure as APIFailure {
            exchange.send(failure.response)
        } catch let error as JSONValue.ParseError {
            exchange.send(APIFailure(.badRequest, error.description).response)
        } catch {
            Log.error(
                "api", "a call failed", ["route": "\(route.method) \(route.pattern)", "error": "\(error)"])
            exchange.send(APIFailure(.software, "the service could not do this; its log says why").response)
        }
    }

    private static func send(_ answer: APIAnswer, on exchange: HTTPExchange) {
        switch answer {
        case .json(let value): exchange.send(.json(value.text()))
        case .created(let value): exchange.send(.json(value.text(), status: 201))
        case .nothing: exchange.send(HTTPResponse(status: 204))
        case .whole(let response): exchange.send(response)
        case .cookie(let value, let cookie):
            exchange.send(.json(value.text(), status: 201).adding("Set-Cookie", cookie))
        case .text(let text, let type):
            exchange.send(HTTPResponse(status: 200, type: type, body: Array(text.utf8)))
        case .foreign(let status, let text, let type):
            exchange.send(HTTPResponse(status: status, type: type, body: Array(text.utf8)))
        case .file(let descriptor, let size, let type, let name):
            var file = FileAnswer(type: type, size: size)
            file.add("Content-Disposition", "inline; filename*=UTF-8''\(PercentCoding.encode(name))")
            exchange.sendFile(FileDescriptor(owning: descriptor), file)
        }
    }
}

extension APIFailure {
    /// The failure as the server sends it.
    package var response: HTTPResponse { .json(json.text(), status: kind.rawValue) }
}
