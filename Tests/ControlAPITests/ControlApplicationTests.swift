import ControlAPI
import Foundation
import HTTPServer
import HTTPWire
import JSONText
import Platform
import Reactor
import Store
import TestPrograms
import Testing

/// A control role on a real server, with one route a role.
private final class Rig {
    let folder: TemporaryFolder
    let book: TokenBook
    let events = EventHub()
    private let loops: LoopGroup
    private let server: HTTPServer
    private let port: UInt16
    private let socket: String

    init(loopbackReads: Bool = true) throws {
        folder = try TemporaryFolder("api")
        let database = try Database.open(folder.path("test.db"), schemas: [TokenBook.schema])
        book = try TokenBook(database: database)
        loops = try LoopGroup(count: 1, name: "test")
        server = HTTPServer(loops: loops)
        let control = ControlApplication(
            callers: CallerCheck(tokens: book, loopbackReads: loopbackReads), events: events,
            greeting: { ["version": "test"] })
        let router = control.router(Self.routes)
        port = try server.listen(on: .tcp(host: "127.0.0.1", port: 0), application: router).port ?? 0
        socket = folder.path("control.sock")
        try server.listen(on: .unix(path: socket), application: router)
    }

    deinit { loops.stop() }

    static let routes: [APIRoute] = [
        APIRoute("GET", "/api/v1/seen", .viewer, "see") { _ in .json(["seen": true]) },
        APIRoute(
            "POST", "/api/v1/played", .operator, "play",
            body: [
                APIRoute.Field("station", .string, required: true, "which"),
                APIRoute.Field("volume", .integer, "how loud"),
            ]
        ) { .json(["station": $0.body["station"] ?? .null]) },
        APIRoute(
            "PUT", "/api/v1/choice", .operator, "choose",
            body: [APIRoute.Field("value", .boolean, .nullable, "null takes the choice back")]
        ) { .json(["value": $0.body["value"] ?? "missing"]) },
        APIRoute("DELETE", "/api/v1/things/{id}", .admin, "delete") { .json(["id": .string($0.name("id"))]) },
        APIRoute("GET", "/api/v1/broken", .viewer, "fail") { _ in throw StartFailure("secret detail") },
    ]

    /// Status and body of an answer, by curl.
    func call(
        _ method: String, _ path: String, token: String? = nil, body: String? = nil, overSocket: Bool = false,
        headers: [String] = []
    ) throws -> (status: Int, body: JSONValue) {
        var words = ["-s", "-X", method, "-w", "\n%{http_code}"]
        if let token { words += ["-H", "Authorization: Bearer \(token)"] }
        if let body { words += ["-H", "Content-Type: application/json", "-d", body] }
        for header in headers { words += ["-H", header] }
        if overSocket { words += ["--unix-socket", socket] }
        let answer = try RunningProgram.run(
            "curl", words + ["http://127.0.0.1:\(port)\(path)"], in: folder, within: 10)
        let lines = answer.output.split(separator: "\n", omittingEmptySubsequences: false)
        let text = lines.dropLast().joined(separator: "\n")
        return (Int(lines.last ?? "") ?? 0, text.isEmpty ? .null : try JSONValue.parse(text))
    }

    func follow() throws -> RunningProgram {
        try RunningProgram(
            "curl", ["-s", "-N", "http://127.0.0.1:\(port)/api/v1/events"], in: folder, name: "events")
    }
}

@Suite("Control role")
struct ControlApplicationTests {
    private static let calls: [(method: String, path: String, body: String?, role: AccessRole)] = [
        ("GET", "/api/v1/seen", nil, .viewer),
        ("POST", "/api/v1/played", #"{"station":"demo"}"#, .operator),
        ("DELETE", "/api/v1/things/7", "{}", .admin),
    ]

    @Test("every route lets in its role and those above it, and nobody below", arguments: AccessRole.ofTokens)
    func roles(role: AccessRole) throws {
        let rig = try Rig(loopbackReads: false)
        let token = try rig.book.create(name: "t", role: role).token
        for call in Self.calls {
            let answer = try rig.call(call.method, call.path, token: token, body: call.body)
            #expect(
                answer.status == (role >= call.role ? 200 : 403),
                "\(call.method) \(call.path) as \(role.name)")
            let without = try rig.call(
                call.method, call.path, body: call.body, headers: ["Origin: http://127.0.0.1"])
            #expect([401, 403].contains(without.status))
        }
    }

    @Test("the owner needs no token on the socket, and loopback may read without one")
    func vouchedFor() throws {
        let rig = try Rig()
        for call in Self.calls {
            #expect(try rig.call(call.method, call.path, body: call.body, overSocket: true).status == 200)
        }
        #expect(try rig.call("GET", "/api/v1/seen").status == 200)
        for header in [
            "X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.1", "Via: 1.1 proxy",
            "X-Real-IP: 192.0.2.1",
            "X-Forwarded-Proto: https", "X-Forwarded-Host: radio.example",
        ] {
            #expect(try rig.call("GET", "/api/v1/seen", headers: [header]).status == 401, "\(header)")
        }
    }

    @Test(
        "a body that does not fit the route is refused, and the answer says which member",
        arguments: [
            (#"{}"#, "station"), (#"{"station":1}"#, "station"), (#"{"station":null}"#, "station"),
            (#"{"station":"a","volume":"loud"}"#, "volume"),
            (#"{"station":"a","extra":1}"#, "member"), (#"[]"#, "object"), (#"{"#, "JSON"),
        ])
    func bodies(body: String, word: String) throws {
        let answer = try Rig().call("POST", "/api/v1/played", body: body, overSocket: true)
        #expect(answer.status == 400)
        #expect(answer.body["error"]?["message"]?.string?.contains(word) == true)
    }

    @Test(
        "where null is a value it is taken, and nothing at all is not",
        arguments: [(#"{"value":null}"#, 200), ("{}", 400)])
    func nullable(body: String, status: Int) throws {
        let answer = try Rig().call("PUT", "/api/v1/choice", body: body, overSocket: true)
        #expect(answer.status == status)
        #expect(status != 200 || answer.body["value"]?.isNull == true)
    }

    @Test("a route that fails answers 500 and keeps the reason to the log")
    func failures() throws {
        let answer = try Rig().call("GET", "/api/v1/broken")
        #expect(answer.status == 500)
        #expect(!answer.body.text().contains("secret"))
    }

    @Test("wrong tokens are answered alike, and after a few the address waits")
    func guessing() throws {
        let rig = try Rig()
        let statuses = try (0..<8).map { _ in
            try rig.call("GET", "/api/v1/seen", token: "ac_11111111.00").status
        }
        #expect(statuses.prefix(5) == [401, 401, 401, 401, 401])
        #expect(statuses.suffix(2) == [429, 429])
    }

    @Test("whoever follows the events is greeted and told what happens")
    func events() throws {
        let rig = try Rig()
        let follower = try rig.follow()
        #expect(eventually(within: 5) { follower.output.contains("event: hello") })
        rig.events.publish("title", ["text": "A - B"])
        #expect(eventually(within: 5) { follower.output.contains(#"data: {"text":"A - B"}"#) })
    }

    @Test("the OpenAPI document names every route with its parameters and body")
    func openAPI() {
        let document = OpenAPIDocument.make(Rig.routes, version: "1")
        #expect(document["paths"]?.members?.map(\.key).sorted() == Rig.routes.map(\.pattern).sorted())
        #expect(document["components"]?["securitySchemes"]?["session"]?["name"]?.string == "aircheck_session")
        let played = document["paths"]?["/api/v1/played"]?["post"]?["requestBody"]?["content"]
        let members = played?["application/json"]?["schema"]?["properties"]
        #expect(members?["station"]?["type"] == "string")
        #expect(members?["volume"]?["type"] == ["integer", "null"])
        let choice = document["paths"]?["/api/v1/choice"]?["put"]?["requestBody"]?.text() ?? ""
        #expect(choice.contains(#"["boolean","null"]"#) && choice.contains(#""required":["value"]"#))
        let events = OpenAPIDocument.make([ControlApplication.eventStream], version: "1")
        #expect(events.text().contains(#""text/event-stream""#))
        let body = document["paths"]?["/api/v1/played"]?["post"]?["requestBody"]?.text() ?? ""
        #expect(body.contains(#""required":["station"]"#))
        let parameter = document["paths"]?["/api/v1/things/{id}"]?["delete"]?["parameters"]?.array?.first
        #expect(parameter?["name"]?.string == "id")
    }
}
