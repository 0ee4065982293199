package import JSONText

/// Finds the route of a path, and checks a body against the route's fields.
package struct APIRouteTable: Sendable {
    package let routes: [APIRoute]
    /// Patterns cut at the slashes, once.
    private let segments: [[Substring]]

    package init(_ routes: [APIRoute]) {
        self.routes = routes
        segments = routes.map {
            $0.pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(\.self)
        }
    }

    package enum Match: Sendable {
        case found(APIRoute, names: [String: String])
        /// The path exists, under these methods.
        case otherMethods([String])
        case none
    }

    /// - Parameter path: split at the slashes, each segment percent-decoded; `["api", "v1", "status"]`.
    package func match(_ method: String, _ path: [String]) -> Match {
        var methods: [String] = []
        for (route, pattern) in zip(routes, segments) {
            guard let names = Self.names(path, pattern) else { continue }
            if route.method == method { return .found(route, names: names) }
            methods.append(route.method)
        }
        return methods.isEmpty ? .none : .otherMethods(methods)
    }

    private static func names(_ path: [String], _ pattern: [Substring]) -> [String: String]? {
        guard path.count == pattern.count else { return nil }
        var names: [String: String] = [:]
        for (segment, expected) in zip(path, pattern) {
            if expected.hasPrefix("{") {
                guard !segment.isEmpty else { return nil }
                names[String(expected.dropFirst().dropLast())] = segment
            } else if segment != expected {
                return nil
            }
        }
        return names
    }

    /// Refuses members that the route does not know, lacks, or takes in another kind.
    package static func check(_ body: JSONValue, against fields: [APIRoute.Field]) throws(APIFailure) {
        guard let members = body.members else {
            if body.isNull, !fields.contains(where: \.isRequired) { return }
            throw APIFailure(.badRequest, "the body must be a JSON object")
        }
        for field in fields where field.isRequired && body[field.name] == nil {
            throw APIFailure(.badRequest, "\(field.name) is missing: \(field.help)")
        }
        for member in members {
            guard let field = fields.first(where: { $0.name == member.key }) else {
                let known = fields.map(\.name).joined(separator: ", ")
                throw APIFailure(
                    .badRequest, "the body has a member that this call does not take",
                    remedy: known.isEmpty ? "It takes none." : "It takes \(known).")
            }
            guard field.kind.accepts(member.value) else {
                throw APIFailure(.badRequest, "\(field.name) must be of type \(field.kind.rawValue)")
            }
        }
    }
}

extension APIRoute.Field.Kind {
    fileprivate func accepts(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.string, .string), (.boolean, .bool), (.array, .array), (.object, .object), (_, .null): true
        case (.integer, _): value.int != nil
        case (.number, _): value.double != nil
        default: false
        }
    }
}
