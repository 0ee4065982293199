import HTTPServer
import HTTPWire
import Reactor
import Testing

@Suite("Trusted proxies")
struct TrustedProxyTests {
    /// Tells its client who it is taken for.
    private final class Mirror: HTTPApplication {
        func respond(to request: HTTPRequest, on exchange: HTTPExchange) {
            exchange.send(.text("you are \(request.peer.text)"))
        }
    }

    @Test(
        "name the client, and nobody else does; what stands before it may be made up",
        arguments: [
            ("X-Forwarded-For: 192.0.2.7", "192.0.2.7"), ("X-Forwarded-For: 192.0.2.7:4711", "192.0.2.7"),
            ("X-Forwarded-For: 2001:db8::7", "2001:db8::7"),
            ("X-Forwarded-For: [2001:db8::7]:4711", "2001:db8::7"),
            ("X-Forwarded-For: 203.0.113.1, 192.0.2.7", "192.0.2.7"),
            ("X-Forwarded-For: 203.0.113.1\r\nX-Forwarded-For: 192.0.2.7", "192.0.2.7"),
            ("X-Forwarded-For: 203.0.113.1, 192.0.2.7 , 10.0.0.2", "192.0.2.7"),
            ("X-Forwarded-For: 192.0.2.7, unknown", "127.0.0.1"), ("X-Forwarded-For: ", "127.0.0.1"),
            ("X-Forwarded-For: unknown, 10.0.0.2", "10.0.0.2"), ("X-Real-IP: 192.0.2.7", "127.0.0.1"),
            ("Accept: */*", "127.0.0.1"),
        ])
    func named(header: String, client: String) async throws {
        let test = try TestServer(Mirror(), proxies: TrustedProxies(["127.0.0.1", "10.0.0.2", "nonsense"]))
        let answer = try await test.get("/", header + "\r\n")
        #expect(answer.hasSuffix("you are \(client)"), "\(answer)")
    }

    @Test("are those of the settings: of anybody else it is not believed")
    func stranger() async throws {
        let test = try TestServer(Mirror(), proxies: TrustedProxies(["10.0.0.2"]))
        let answer = try await test.get("/", "X-Forwarded-For: 192.0.2.7\r\n")
        #expect(answer.hasSuffix("you are 127.0.0.1"), "\(answer)")
    }

    @Test("each request of a kept connection has its own client")
    func kept() async throws {
        let test = try TestServer(Mirror(), proxies: TrustedProxies(["127.0.0.1"]))
        let one = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 192.0.2.7\r\n\r\n"
        let two = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        let answer = try await test.ask(one + two)
        #expect(answer.contains("you are 192.0.2.7") && answer.hasSuffix("you are 127.0.0.1"), "\(answer)")
    }
}
