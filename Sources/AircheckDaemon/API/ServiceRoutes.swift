internal import ControlAPI
internal import JSONText
internal import Platform

/// Whether the service lives, what it does, and its description.
struct ServiceRoutes {
    let rooms: Rooms

    var all: [APIRoute] {
        [
            APIRoute("GET", "/healthz", .anyone, "whether the service lives") { _ in .json(["status": "ok"])
            },
            APIRoute("GET", "/readyz", .anyone, "whether the service does its work") { _ in
                .json(["status": "ready"])
            },
            APIRoute("GET", "/api/v1/status", .viewer, "what the service is doing") { [rooms] _ in
                .json(StatusJSON.object(rooms))
            },
            APIRoute("GET", "/metrics", .viewer, "figures for Prometheus", result: .text(["text/plain"])) {
                [rooms] _ in
                .text(Metrics.text(rooms), type: Metrics.type)
            },
        ]
    }

    /// The description of all routes, which is one of them.
    static func description(of routes: [APIRoute]) -> APIRoute {
        APIRoute("GET", "/api/v1/openapi.json", .viewer, "this description, for programs") { _ in
            .json(OpenAPIDocument.make(routes + [ControlApplication.eventStream], version: Product.version))
        }
    }
}
