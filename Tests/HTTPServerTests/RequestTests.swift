import Foundation
import HTTPServer
import HTTPWire
import Platform
import Reactor
import TestClients
import Testing

@Suite("Requests")
struct RequestTests {
    @Test("are answered with a length, a date and the headers that keep browsers from guessing")
    func simple() async throws {
        let server = try TestServer(routes: [hello])
        let answer = try #require(Answer(try await server.get("/hello")))
        #expect(answer.status == 200 && answer.body == "hello")
        #expect(answer.headers["content-length"] == "5" && answer.headers["connection"] == "close")
        #expect(
            answer.headers["x-content-type-options"] == "nosniff"
                && answer.headers["cache-control"] == "no-store")
        #expect(answer.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
        #expect(answer.headers["date"] == "Tue, 14 Nov 2023 22:13:20 GMT")
    }

    @Test("a handler's own header replaces the server's")
    func ownHeaders() async throws {
        let server = try TestServer(routes: [
            route("GET", "/page") { _, exchange in
                exchange.send(
                    HTTPResponse.text("x").adding("content-security-policy", "default-src 'self'").adding(
                        "X-A", "a\r\nX-B: b"))
            }
        ])
        let text = try await server.get("/page")
        #expect(
            text.components(separatedBy: "ontent-").count == 5, "policy, nosniff, length and type, each once")
        #expect(Answer(text)?.headers["x-b"] == nil)
    }

    @Test(
        "follow each other on one connection, in pieces or all at once, and are answered in order",
        arguments: [1, 7, 10_000])
    func keepAlive(piece: Int) async throws {
        let server = try TestServer(routes: [hello, echo])
        let post = "POST /echo HTTP/1.1\r\nHost: x\r\n\(trusted)Content-Length: 4\r\n\r\nbody"
            .replacing("Host: x", with: "Host: localhost")
        let text = "GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n" + post + "HEAD /hello HTTP/1.0\r\n\r\n"
        let client = try server.client()
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: piece) {
            client.send(Array(bytes[start..<min(bytes.count, start + piece)]))
        }
        let parts = await client.readToEnd().components(separatedBy: "HTTP/1.1 ")
        #expect(parts.count == 4)
        #expect(parts[1].hasSuffix("hello") && parts[2].hasSuffix("body") && parts[3].hasSuffix("\r\n\r\n"))
        #expect(parts[3].contains("Content-Length: 5"))
    }

    @Test("a thousand of them in one go need no deep stack and wait for their turn")
    func pipelined() async throws {
        let server = try TestServer(routes: [hello])
        let client = try server.client()
        client.send(String(repeating: "GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 1000))
        client.send("GET /hello HTTP/1.0\r\n\r\n")
        #expect(await client.readToEnd().components(separatedBy: "\r\n\r\nhello").count == 1002)
    }

    @Test("are answered from another thread, later, in order")
    func later() async throws {
        let server = try TestServer(routes: [
            route("GET", "/later/{n}") { request, exchange in
                let text = request["n"]
                onAnotherThread {
                    usleep(20_000)
                    exchange.send(.text("<\(text)>"))
                }
            }
        ])
        let client = try server.client()
        client.send("GET /later/1 HTTP/1.1\r\nHost: localhost\r\n\r\nGET /later/2 HTTP/1.0\r\n\r\n")
        let text = await client.readToEnd()
        #expect(text.components(separatedBy: "<1>").count == 2 && text.hasSuffix("<2>"))
    }

    @Test("without an answer get 500 instead of silence")
    func dropped() async throws {
        let server = try TestServer(routes: [route("GET", "/drop") { _, _ in }])
        #expect(Answer(try await server.get("/drop"))?.status == 500)
    }

    @Test("only the first answer counts")
    func twice() async throws {
        let server = try TestServer(routes: [
            route("GET", "/twice") { _, exchange in
                exchange.send(.text("first"))
                exchange.send(.text("second"))
            }
        ])
        #expect(Answer(try await server.get("/twice"))?.body == "first")
    }

    @Test("whose client has left are answered to nobody")
    func left() async throws {
        let waiting = Lock<[HTTPExchange]>([])
        let server = try TestServer(routes: [
            route("GET", "/wait") { _, exchange in waiting.withLock { $0.append(exchange) } }
        ])
        let client = try server.client()
        client.send("GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while waiting.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
        client.close(abruptly: true)
        #expect(await server.wait { $0.open == 0 })
        for exchange in waiting.withLock({ $0 }) { exchange.send(.text("anybody?")) }
        #expect(Answer(try await server.get("/nothing"))?.status == 404)
    }

    @Test("of a client that half-closed are still answered")
    func halfClosed() async throws {
        let server = try TestServer(routes: [
            route("GET", "/later") { _, exchange in
                onAnotherThread {
                    usleep(30_000)
                    exchange.send(.text("for you"))
                }
            }
        ])
        let client = try server.client()
        client.send("GET /later HTTP/1.1\r\nHost: localhost\r\n\r\n")
        client.finishSending()
        #expect(await client.readToEnd().hasSuffix("for you"))
    }

    @Test(
        "that cannot be read are refused as JSON, closed, and nothing after them is taken",
        arguments: [
            ("nonsense\r\n\r\n", 400), ("GET /\(String(repeating: "a", count: 5000)) HTTP/1.0\r\n\r\n", 414),
            ("GET / HTTP/1.1\r\nHost: x\r\nA: \(String(repeating: "a", count: 20_000))\r\n\r\n", 431),
            (
                "POST /echo HTTP/1.1\r\nHost: localhost\r\n\(trusted)Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                400
            ),
            (
                "POST /echo HTTP/1.1\r\nHost: localhost\r\n\(trusted)Transfer-Encoding: chunked\r\n\r\nx\r\n",
                400
            ),
            ("GET / HTTP/3.0\r\n\r\n", 505),
        ])
    func unreadable(request: String, status: Int) async throws {
        let server = try TestServer(routes: [hello, echo])
        let text = try await server.ask(request + "GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let answer = try #require(Answer(text))
        #expect(answer.status == status && answer.headers["connection"] == "close")
        #expect(answer.body.hasPrefix("{\"error\":{\"code\":\"") && !text.contains("hello"))
        #expect(server.server.counts.refusals[.badRequest] == 1)
    }

    @Test(
        "of every smuggling shape close the connection",
        arguments: [
            "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
            "Content-Length: 0\r\nContent-Length: 44\r\n",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
            "Transfer-Encoding : chunked\r\n",
            "X: y\r\n Transfer-Encoding: chunked\r\n", "Content-Length: 0\n", "Content-Length: 0x2c\r\n",
        ])
    func smuggling(header: String) async throws {
        let server = try TestServer(routes: [hello, echo])
        let smuggled = "GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let text = try await server.ask(
            "POST /echo HTTP/1.1\r\nHost: localhost\r\n\(trusted)\(header)\r\n0\r\n\r\n\(smuggled)")
        #expect(Answer(text)?.status == 400 && text.components(separatedBy: "HTTP/1.1").count == 2)
    }
}

@Suite("Bodies")
struct BodyTests {
    @Test(
        "of a known length and in chunks arrive whole",
        arguments: [
            "Content-Length: 11\r\n\r\nhello world",
            "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n",
        ])
    func whole(rest: String) async throws {
        let server = try TestServer(routes: [echo])
        for piece in [1, 1000] {
            let client = try server.client()
            let bytes = Array(
                "POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(trusted)\(rest)".utf8)
            for start in stride(from: 0, to: bytes.count, by: piece) {
                client.send(Array(bytes[start..<min(bytes.count, start + piece)]))
            }
            #expect(Answer(await client.readToEnd())?.body == "hello world")
        }
    }

    @Test(
        "that are too large are refused before or while they come, and the refusal arrives",
        arguments: [
            "Content-Length: 1000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nFFFFF\r\n",
        ])
    func tooLarge(rest: String) async throws {
        let server = try TestServer(routes: [echo])
        let client = try server.client()
        client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\n\(trusted)\(rest)")
        client.send([UInt8](repeating: 65, count: 300_000))
        #expect(Answer(await client.readToEnd())?.status == 413)
        #expect(server.server.counts.refusals[.bodySize] == 1)
    }

    @Test("are asked for when the client waits for that, and not when they are refused")
    func expectation() async throws {
        let server = try TestServer(routes: [echo])
        let client = try server.client()
        client.send(
            "POST /echo HTTP/1.1\r\nHost: localhost\r\n\(trusted)Expect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        )
        #expect(await client.read(until: "HTTP/1.1 100 Continue\r\n\r\n"))
        client.send("ok")
        #expect(await client.read(until: "\r\n\r\nok"))
        let refused = try await server.ask(
            "POST /echo HTTP/1.1\r\nHost: localhost\r\n\(trusted)Expect: 100-continue\r\nContent-Length: 999999\r\n\r\n"
        )
        #expect(refused.hasPrefix("HTTP/1.1 413"))
    }

    @Test("of a PUT without a length are empty, as HTTP says")
    func emptyPut() async throws {
        let server = try TestServer(routes: [
            route("PUT", "/x") { request, exchange in exchange.send(.text("\(request.body.count) bytes")) }
        ])
        #expect(
            Answer(
                try await server.ask(
                    "PUT /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(trusted)\r\n"))?.body
                == "0 bytes")
    }
}

@Suite("Who may ask")
struct AccessTests {
    @Test(
        "a request for a foreign name is refused before any route is looked at",
        arguments: [
            "evil.example", "localhost.evil.example:80", "127.1",
        ])
    func foreignHost(host: String) async throws {
        let server = try TestServer(routes: [hello, echo])
        for method in ["GET", "POST", "OPTIONS", "PUT"] {
            let text = try await server.ask(
                "\(method) /hello HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
            #expect(Answer(text)?.status == 421)
        }
        #expect(server.server.counts.refusals[.host] == 4)
    }

    @Test(
        "a foreign page cannot change anything, our own can, and a token can",
        arguments: [
            ("Content-Type: application/json\r\nOrigin: http://evil.example\r\n", 403),
            ("Content-Type: text/plain\r\nOrigin: http://localhost\r\n", 415),
            ("Content-Type: application/json\r\n", 403),
            ("Content-Type: application/json\r\nOrigin: http://localhost\r\n", 200),
            ("Content-Type: application/json\r\nAuthorization: Bearer x\r\n", 200),
            ("Content-Type: application/json\r\nAuthorization: Basic eDp5\r\n", 403), (trusted, 200),
        ])
    func origin(headers: String, status: Int) async throws {
        let server = try TestServer(routes: [echo])
        let text = try await server.ask(
            "POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(headers)Content-Length: 2\r\n\r\n{}"
        )
        #expect(Answer(text)?.status == status)
    }

    @Test("the unix socket is spared the questions for browsers, not the limits")
    func unixSocket() async throws {
        let server = try TestServer(routes: [])
        let path = "/tmp/aircheck-http-\(server.port)"
        let router = Router([hello, echo], guardian: { _, _, _ in nil })
        try server.server.listen(on: .unix(path: path), application: router)
        let good = try RawClient(path: path)
        good.send("POST /echo HTTP/1.1\r\nHost: anything\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi")
        #expect(Answer(await good.readToEnd())?.body == "hi")
        let large = try RawClient(path: path)
        large.send("POST /echo HTTP/1.1\r\nHost: anything\r\nContent-Length: 999999\r\n\r\n")
        #expect(Answer(await large.readToEnd())?.status == 413)
    }
}

@Suite("Router")
struct RouterTests {
    private func make() -> Router {
        Router(
            [
                Route("GET", "/", role: .anyone, summary: "") { _, exchange in exchange.send(.text("root")) },
                Route("GET", "/a/{id}", role: .viewer, summary: "") { request, exchange in
                    exchange.send(.text("id \(request["id"])"))
                },
                Route("GET", "/a/now", role: .anyone, summary: "") { _, exchange in
                    exchange.send(.text("now"))
                },
                Route("DELETE", "/a/{id}", role: .admin, summary: "") { _, exchange in
                    exchange.send(.text("deleted"))
                },
                Route("GET", "/files/{path...}", role: .anyone, summary: "") { request, exchange in
                    exchange.send(.text(request["path"]))
                },
                Route("GET", "/{mount}", role: .listener, summary: "") { request, exchange in
                    exchange.send(.text("mount \(request["mount"])"))
                },
            ],
            guardian: { head, _, role in
                let given = head.headers["x-role"].flatMap(Int.init) ?? 0
                return given >= role.rawValue ? nil : .problem(401, code: "no", message: "No.")
            })
    }

    @Test(
        "finds the most special route and its parameters",
        arguments: [
            ("/", "root"), ("/a/now", "now"), ("/a/b%2Fc", "id b/c"), ("/files/x/y%20z", "x/y z"),
            ("/demo", "mount demo"),
        ])
    func found(path: String, body: String) async throws {
        let server = try TestServer(make())
        #expect(Answer(try await server.get(path, "X-Role: 4\r\n"))?.body == body)
    }

    @Test("asks the guardian for every route above anyone, with its role")
    func guarded() async throws {
        let server = try TestServer(make())
        #expect(Answer(try await server.get("/a/x"))?.status == 401)
        #expect(Answer(try await server.get("/a/x", "X-Role: 2\r\n"))?.status == 200)
        let request = "DELETE /a/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(trusted)"
        #expect(Answer(try await server.ask(request + "X-Role: 3\r\n\r\n"))?.status == 401)
        #expect(Answer(try await server.ask(request + "X-Role: 4\r\n\r\n"))?.body == "deleted")
    }

    @Test("tells unknown paths from wrong methods, and OPTIONS which are right")
    func methods() async throws {
        let server = try TestServer(make())
        #expect(Answer(try await server.get("/a/b/c"))?.status == 404)
        #expect(Answer(try await server.get("/a/"))?.status == 404)
        let post = try #require(
            Answer(try await server.ask("POST /a/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
        )
        #expect(post.status == 405 && post.headers["allow"] == "GET, DELETE, HEAD, OPTIONS")
        let options = try #require(
            Answer(
                try await server.ask("OPTIONS /a/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
        )
        #expect(
            options.status == 204 && options.headers["allow"] != nil
                && options.headers["content-length"] == nil)
    }
}
