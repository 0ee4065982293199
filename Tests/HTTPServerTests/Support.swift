import Foundation
import HTTPServer
import HTTPWire
import Platform
import Reactor
import TestClients
import Testing

/// A server on a free port of loopback, with routes a test gives it.
final class TestServer: Sendable {
    let server: HTTPServer
    let loops: LoopGroup
    let time: ManualTime
    let port: UInt16

    /// - Parameter loopCount: 2, so that answers cross threads as they do in earnest.
    init(
        _ application: any HTTPApplication, limits: ServerLimits = ServerLimits(), loopCount: Int = 2,
        hosts: HostRules = HostRules(), proxies: TrustedProxies = TrustedProxies()
    ) throws {
        time = ManualTime(now: SystemTime().now)
        loops = try LoopGroup(count: loopCount, name: "test")
        server = HTTPServer(loops: loops, limits: limits, time: time)
        port =
            try server.listen(
                on: .tcp(host: "127.0.0.1", port: 0), application: application, hosts: hosts,
                proxies: proxies
            ).port ?? 0
    }

    convenience init(limits: ServerLimits = ServerLimits(), routes: [Route]) throws {
        try self.init(Router(routes, guardian: { _, _, _ in nil }), limits: limits)
    }

    func client(receiveBuffer: Int32? = nil) throws -> RawClient {
        try RawClient(port: port, receiveBuffer: receiveBuffer)
    }

    /// One request on a connection of its own, and all that came back.
    func ask(_ text: String) async throws -> String {
        let client = try client()
        client.send(text)
        return await client.readToEnd()
    }

    /// `GET`, with the connection closed after it.
    func get(_ path: String, _ headers: String = "") async throws -> String {
        try await ask("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\(headers)\r\n")
    }

    /// Turns the clock and has the deadlines looked at.
    func pass(seconds: Double) {
        time.advance(bySeconds: seconds)
        server.checkDeadlines()
    }

    /// Waits until the counts are as wanted, at most five seconds.
    func wait(until isWanted: (ServerCounts) -> Bool) async -> Bool {
        for _ in 0..<5000 {
            if isWanted(server.counts) {
                await settle()
                return true
            }
            try? await Task.sleep(for: .milliseconds(1))
        }
        return false
    }

    /// Waits until nobody accepts any more, at most five seconds.
    func refusesConnections() async -> Bool {
        for _ in 0..<5000 {
            guard (try? client()) != nil else { return true }
            try? await Task.sleep(for: .milliseconds(1))
        }
        return false
    }

    /// Returns when every loop has done what it was told before.
    func settle() async {
        for loop in loops.loops {
            await withCheckedContinuation { continuation in loop.submit { continuation.resume() } }
        }
    }

    /// Returns when every loop has read what clients have sent by now: a loop may do its jobs before it looks at its
    /// sockets, but not twice.
    func hear() async {
        await settle()
        await settle()
    }

    deinit { loops.stop() }
}

/// A response as a test looks at it.
struct Answer {
    let status: Int
    let headers: [String: String]
    let body: String

    /// The first response in what came.
    init?(_ text: String) {
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        guard let first = lines.first, let status = Int(first.dropFirst(9).prefix(3)) else { return nil }
        self.status = status
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let sides = line.split(separator: ":", maxSplits: 1)
            if sides.count == 2 { headers[sides[0].lowercased()] = String(sides[1].drop { $0 == " " }) }
        }
        self.headers = headers
        body = String(text[end.upperBound...])
    }
}

/// Runs `action` on a thread of its own: the answer comes from elsewhere.
func onAnotherThread(_ action: @escaping @Sendable () -> Void) { Thread.detachNewThread(action) }

func route(
    _ method: String, _ pattern: String, plan: RequestPlan = .collect(), _ handler: @escaping Route.Handler
) -> Route {
    Route(method, pattern, role: .anyone, summary: "for a test", plan: plan, handler: handler)
}

let hello = route("GET", "/hello") { _, exchange in exchange.send(.text("hello")) }
let echo = route("POST", "/echo") { request, exchange in
    exchange.send(HTTPResponse(status: 200, type: "text/plain", body: request.body))
}

/// Headers of an unsafe request that is allowed.
let trusted = "Content-Type: application/json\r\nSec-Fetch-Site: same-origin\r\n"
