package import ControlAPI
internal import HTTPServer
package import JSONText
internal import Platform

/// The tokens that open the API.
struct TokenRoutes {
    let tokens: TokenBook

    var all: [APIRoute] {
        [
            APIRoute("GET", "/api/v1/tokens", .admin, "list the tokens; their secrets are nowhere") {
                [tokens] _ in
                .json(TokenJSON.list(tokens.entries))
            },
            APIRoute(
                "POST", "/api/v1/tokens", .admin, "make a token; it is said this once",
                body: [
                    .init("name", .string, required: true, "what it is for"),
                    .init("role", .string, "listener, viewer, operator or admin; viewer where it is missing"),
                ]
            ) { [tokens] call in
                let name = call.body["name"]?.string ?? ""
                guard (1...TokenBook.nameLimit).contains(name.count) else {
                    throw APIFailure(.badRequest, "name must have 1 to \(TokenBook.nameLimit) characters")
                }
                guard let role = AccessRole(name: call.body["role"]?.string ?? "viewer") else {
                    throw APIFailure(.badRequest, "role must be listener, viewer, operator or admin")
                }
                return .created(TokenJSON.made(try tokens.create(name: name, role: role)))
            },
            APIRoute("DELETE", "/api/v1/tokens/{id}", .admin, "take a token back") { [tokens] call in
                guard try tokens.revoke(id: call.name("id")) else {
                    throw APIFailure(.notFound, "there is no token of that id")
                }
                return .nothing
            },
        ]
    }
}

/// Tokens as the API writes them.
package enum TokenJSON {
    package static func list(_ entries: [TokenEntry]) -> JSONValue {
        ["tokens": .array(entries.map(entry))]
    }

    package static func made(_ made: (entry: TokenEntry, token: String)) -> JSONValue {
        guard case .object(let members) = entry(made.entry) else { return .null }
        return .object(members + [.init("token", .string(made.token))])
    }

    private static func entry(_ entry: TokenEntry) -> JSONValue {
        [
            "id": .string(entry.id), "name": .string(entry.name), "role": .string(entry.role.name),
            "created": .string(LocalTime.iso(entry.created)),
        ]
    }
}
