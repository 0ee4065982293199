internal import AircheckDaemon
internal import ControlAPI
internal import HTTPServer
internal import JSONText
internal import Platform

/// `aircheck token create|list|revoke`: with the service through its socket, without it in its database.
enum TokenCommands {
    static let all: [CommandSpec] = [
        CommandSpec(
            "token create", "make a token for the API; it is shown once",
            operands: [.required("NAME", "what it is for: `phone`, `home-assistant`")],
            options: [
                .value(
                    "role", "ROLE",
                    "listener (hear), viewer (see, too), operator (play, record) or admin; viewer by default",
                    completion: .words(["listener", "viewer", "operator", "admin"]))
            ]
        ) { try create($0) },
        CommandSpec("token list", "list the tokens") { try list($0) },
        CommandSpec(
            "token revoke", "take a token back", operands: [.required("ID", "as `token list` shows it")]
        ) {
            try revoke($0)
        },
    ]

    private static func create(_ invocation: Invocation) throws {
        let name = try invocation.required(0)
        let role = invocation.text("role") ?? "viewer"
        guard AccessRole(name: role) != nil else {
            throw invocation.usage("--role \(role): write listener, viewer, operator or admin")
        }
        let made: JSONValue
        if let client = try ServiceClient.find(invocation) {
            made = try client.send(
                "POST", "/api/v1/tokens", ["name": .string(name), "role": .string(role)])
        } else {
            made = try OfflineTokens.create(invocation, name: name, role: role)
        }
        if invocation.json { return Terminal.print(made) }
        Terminal.print(made["token"]?.string ?? "")
        Terminal.note("Keep it: it is not shown again. Use it as --token or in AIRCHECK_TOKEN.")
    }

    private static func list(_ invocation: Invocation) throws {
        let found: JSONValue
        if let client = try ServiceClient.find(invocation) {
            found = try client.get("/api/v1/tokens")
        } else {
            found = try OfflineTokens.list(invocation)
        }
        let tokens = found["tokens"]?.array ?? []
        if invocation.json { return tokens.forEach { Terminal.print($0) } }
        if tokens.isEmpty {
            return Terminal.note("There are no tokens. `aircheck token create NAME` makes one.")
        }
        Terminal.table(
            tokens.map { token in
                [
                    token["id"]?.string ?? "", token["role"]?.string ?? "", token["created"]?.string ?? "",
                    token["name"]?.string ?? "",
                ]
            })
    }

    private static func revoke(_ invocation: Invocation) throws {
        let id = try invocation.required(0)
        if let client = try ServiceClient.find(invocation) {
            try client.send("DELETE", "/api/v1/tokens/\(ServiceClient.encoded(id))")
        } else {
            try OfflineTokens.revoke(invocation, id: id)
        }
        if !invocation.quiet { Terminal.note("revoked") }
    }
}
