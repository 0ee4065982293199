internal import ControlAPI
internal import HTTPServer
internal import JSONText
internal import Platform

/// Pairing a browser: a one-time code becomes a session, which the browser keeps as a cookie that no script can read.
struct SessionRoutes {
    let rooms: Rooms

    var all: [APIRoute] { own + others }

    /// What the caller's own browser may do.
    private var own: [APIRoute] {
        [
            APIRoute("GET", "/api/v1/session", .anyone, "who the caller is, and what that allows") { call in
                .json([
                    "role": .string(call.caller.role.name), "id": JSONValue(call.caller.session?.id),
                    "device": JSONValue(call.caller.session?.name),
                ])
            },
            APIRoute(
                "POST", "/api/v1/session", .anyone, "pair this browser with a one-time code",
                body: [
                    .init("code", .string, required: true, "as `aircheck pair` shows it"),
                    .init("name", .string, "what to call the device"),
                ]
            ) { try pair($0) },
            APIRoute("DELETE", "/api/v1/session", .anyone, "forget this browser") { call in
                if let session = call.caller.session { _ = try rooms.sessions.revoke(id: session.id) }
                return .nothing
            },
        ]
    }

    private var others: [APIRoute] {
        [
            APIRoute(
                "POST", "/api/v1/pairing", .admin, "make a one-time code for a browser",
                body: [
                    .init(
                        "role", .string, "listener, viewer, operator or admin; operator where it is missing")
                ]
            ) { try offer($0) },
            APIRoute("GET", "/api/v1/sessions", .admin, "list the paired browsers") { _ in
                .json(["sessions": .array(rooms.sessions.entries.map(Self.json))])
            },
            APIRoute("DELETE", "/api/v1/sessions/{id}", .admin, "forget a paired browser") { call in
                guard try rooms.sessions.revoke(id: call.name("id")) else {
                    throw APIFailure(.notFound, "there is no session of that id")
                }
                return .nothing
            },
        ]
    }

    private func offer(_ call: APIRequest) throws -> APIAnswer {
        guard let role = AccessRole(name: call.body["role"]?.string ?? "operator") else {
            throw APIFailure(.badRequest, "role must be listener, viewer, operator or admin")
        }
        let offer = rooms.pairing.offer(role)
        let address = rooms.addresses.withLock { $0.control }
        return .created([
            "code": .string(offer.code), "role": .string(role.name), "seconds": .number(PairingDesk.lasts),
            // Behind the # it is never sent, and so never logged.
            "address": .string("\(address)/player/#pair=\(offer.code)"),
        ])
    }

    private func pair(_ call: APIRequest) throws -> APIAnswer {
        // First: a code that cannot be used must not be used up.
        guard rooms.sessions.entries.count < Self.limit else {
            throw APIFailure(.conflict, "too many browsers are paired", remedy: "Forget one in the settings.")
        }
        var role: AccessRole?
        let verdict = rooms.callers.guess(from: call.caller.address) {
            role = rooms.pairing.take(call.body["code"]?.string ?? "")
            return role != nil
        }
        guard verdict == nil, let role else {
            guard verdict == .tooMany else {
                throw APIFailure(
                    .forbidden, "this code is wrong, or too old", remedy: "`aircheck pair` shows a new one.")
            }
            throw APIFailure(.tooMany, "too many wrong codes from this address", remedy: "Wait ten seconds.")
        }
        let name = String((call.body["name"]?.string ?? "browser").prefix(TokenBook.nameLimit))
        let made = try rooms.sessions.create(name: name, role: role)
        return .cookie(
            ["role": .string(role.name), "id": .string(made.entry.id), "device": .string(name)],
            cookie: Self.cookie(made.token, isEncrypted: call.caller.isEncrypted))
    }

    /// Browsers that can be paired at a time.
    private static let limit = 200

    /// No script reads it, no other site's request carries it.
    private static func cookie(_ token: String, isEncrypted: Bool) -> String {
        "\(CallerCheck.cookie)=\(token); Path=/; Max-Age=7776000; HttpOnly; SameSite=Strict"
            + (isEncrypted ? "; Secure" : "")
    }

    private static func json(_ entry: TokenEntry) -> JSONValue {
        [
            "id": .string(entry.id), "name": .string(entry.name), "role": .string(entry.role.name),
            "created": .string(LocalTime.iso(entry.created)),
        ]
    }
}
