import Glibc
@testable import HTTPServer
import HTTPWire
import Platform
@testable import Reactor
import TestClients
import Testing

@Suite("Limits")
struct LimitTests {
    @Test("a head that trickles in is given up ten seconds after it began, however often a byte comes")
    func trickle() async throws {
        let server = try TestServer(routes: [hello])
        let client = try server.client()
        for byte in "GET /hello HT".utf8 {
            client.send([byte])
            try await Task.sleep(for: .milliseconds(2))
            server.pass(seconds: 0.7)
        }
        // Too little for a deadline that every byte moves, and enough for one that the first bytes met late.
        server.pass(seconds: 8)
        #expect(Answer(await client.readToEnd())?.status == 408)
        #expect(server.server.counts.refusals[.headDeadline] == 1)
    }

    @Test("a connection that says nothing is closed without a word")
    func silent() async throws {
        let server = try TestServer(routes: [hello])
        let client = try server.client()
        #expect(await server.wait { $0.open == 1 })
        server.pass(seconds: 9)
        server.pass(seconds: 1.1)
        #expect(await client.readToEnd() == "" && client.sawEnd)
    }

    @Test("a kept connection may rest for a minute, then the head deadline counts again")
    func idle() async throws {
        let server = try TestServer(routes: [hello])
        let client = try server.client()
        client.send("GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(await client.read(until: "\r\n\r\nhello"))
        await server.settle()
        server.pass(seconds: 55)
        client.forget()
        client.send("GET /hel")
        await server.hear()
        server.pass(seconds: 8)
        client.send("lo HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(await client.read(until: "\r\n\r\nhello"))
        await server.settle()
        server.pass(seconds: 61)
        #expect(await client.readToEnd().hasSuffix("hello") && client.sawEnd)
    }

    @Test("a body that does not come is given up")
    func lateBody() async throws {
        let server = try TestServer(routes: [echo])
        let client = try server.client()
        client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\n\(trusted)Content-Length: 10\r\n\r\nhalf")
        #expect(await server.wait { $0.requests == 1 })
        server.pass(seconds: 31)
        #expect(Answer(await client.readToEnd())?.status == 408)
        #expect(server.server.counts.refusals[.bodyDeadline] == 1)
    }

    @Test("five hundred slow connections do not keep a request waiting, and all are gone in fifteen seconds")
    func slowloris() async throws {
        let server = try TestServer(routes: [hello])
        let slow = try (0..<500).map { number in
            let client = try server.client()
            client.send(number % 3 == 0 ? "" : "GET /hello HTTP/1.1\r\nX: ")
            return client
        }
        #expect(await server.wait { $0.accepted == 500 })
        server.pass(seconds: 1.5)
        let start = SystemTime().now
        #expect(Answer(try await server.get("/hello"))?.status == 200)
        #expect(SystemTime().now.seconds(since: start) < 2)
        server.pass(seconds: 10)
        // Refused clients get two seconds to read the refusal.
        #expect(await server.wait { ($0.refusals[.headDeadline] ?? 0) + ($0.refusals[.waiting] ?? 0) >= 300 })
        server.pass(seconds: 3)
        #expect(await server.wait { $0.open == 0 })
        #expect(await RawClient.readAllToEnd(slow).allSatisfy { !$0.contains("200 OK") })
    }

    @Test("when too many wait, the one that has waited longest goes for the next")
    func waiting() async throws {
        let server = try TestServer(limits: ServerLimits(waiting: 3), routes: [hello])
        var clients: [RawClient] = []
        for number in 0..<3 {
            clients.append(try server.client())
            #expect(await server.wait { $0.accepted == number + 1 })
            try await Task.sleep(for: .milliseconds(20))
            server.pass(seconds: 3.1)
        }
        clients.append(try server.client())
        #expect(await clients[0].readToEnd() == "" && clients[0].sawEnd)
        #expect(server.server.counts.refusals[.waiting] == 1)
        clients[1].send("GET /hello HTTP/1.0\r\n\r\n")
        #expect(await clients[1].readToEnd().hasSuffix("hello"))
    }

    @Test("when too many come at once, those who have spoken are answered instead of closed")
    func crowd() async throws {
        let server = try TestServer(
            Router([hello], guardian: { _, _, _ in nil }), limits: ServerLimits(waiting: 38), loopCount: 1)
        let old = try (0..<600).map { _ in try server.client() }
        #expect(await server.wait { $0.open == 600 })
        // While the loop is busy, more come and those before them speak, the oldest last. It takes 512 events at a time, so it
        // meets the new ones, for whom the oldest have to go, before it hears the oldest.
        let (isBusy, mayGo) = (Lock(false), Lock(false))
        server.loops.loops[0].submit {
            isBusy.withLock { $0 = true }
            while !mayGo.withLock({ $0 }) { usleep(1000) }
        }
        while !isBusy.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
        let new = try (0..<100).map { _ in try server.client() }
        for client in old.reversed() { client.send("GET /hello HTTP/1.0\r\n\r\n") }
        mayGo.withLock { $0 = true }
        #expect(await server.wait { $0.accepted == 700 })
        for client in new { client.send("GET /hello HTTP/1.0\r\n\r\n") }
        let answers = await RawClient.readAllToEnd(old + new)
        #expect(answers.filter { $0.hasSuffix("hello") }.count == 700)
        #expect(server.server.counts.refusals[.waiting] ?? 0 > 0)
    }

    @Test("connections beyond the limit are closed at once and counted")
    func connections() async throws {
        let server = try TestServer(limits: ServerLimits(connections: 2), routes: [hello])
        let held = try (0..<2).map { _ in try server.client() }
        #expect(await server.wait { $0.open == 2 })
        #expect(try await server.client().readToEnd() == "")
        #expect(server.server.counts.refusals[.connections] == 1)
        held[0].send("GET /hello HTTP/1.0\r\n\r\n")
        #expect(await held[0].readToEnd().hasSuffix("hello"))
        #expect(await server.wait { $0.open == 1 })
        #expect(Answer(try await server.get("/hello"))?.status == 200)
    }

    @Test("an answer that nobody takes is given up after a minute")
    func stalled() async throws {
        let server = try TestServer(routes: [
            route("GET", "/large") { _, exchange in
                exchange.send(HTTPResponse(status: 200, body: [UInt8](repeating: 1, count: 2 << 20)))
            }
        ])
        let client = try server.client(receiveBuffer: 4096)
        client.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(await server.wait { $0.answers[2] == 1 })
        try await Task.sleep(for: .milliseconds(50))
        await server.hear()
        server.pass(seconds: 61)
        #expect(await server.wait { $0.open == 0 && $0.refusals[.stalled] == 1 })
    }

    @Test("clients that go away in the middle of answers leave nothing behind")
    func resets() async throws {
        let server = try TestServer(routes: [
            route("GET", "/large") { _, exchange in
                exchange.send(HTTPResponse(status: 200, body: [UInt8](repeating: 1, count: 1 << 20)))
            }
        ])
        for _ in 0..<300 {
            let client = try server.client(receiveBuffer: 4096)
            client.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
            client.close(abruptly: true)
        }
        #expect(await server.wait { $0.accepted == 300 && $0.open == 0 })
    }
}

@Suite("Stopping")
struct StoppingTests {
    @Test("lets answers finish, ends idle connections, and takes no more")
    func graceful() async throws {
        let pending = Lock<[HTTPExchange]>([])
        let streams = Lock<[EventStream]>([])
        let server = try TestServer(routes: [
            hello, route("GET", "/slow") { _, exchange in pending.withLock { $0.append(exchange) } },
            route("GET", "/events") { _, exchange in
                if let stream = exchange.openEvents() { streams.withLock { $0.append(stream) } }
            },
        ])
        let (idle, slow, events) = (try server.client(), try server.client(), try server.client())
        idle.send("GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(await idle.read(until: "\r\n\r\nhello"))
        slow.send("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        events.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(await server.wait { $0.requests == 3 })
        #expect(await events.read(until: "\r\n\r\n"))
        let stopping = Task { await server.server.stop(within: 5) }
        #expect(await idle.readToEnd().hasSuffix("hello"))
        #expect(await events.readToEnd().hasSuffix("0\r\n\r\n"))
        #expect(await server.refusesConnections())
        for exchange in pending.withLock({ $0 }) { exchange.send(.text("done")) }
        await stopping.value
        #expect(
            await slow.readToEnd().hasSuffix("done") && slow.text.contains("Connection: keep-alive") == false)
        #expect(server.server.counts.open == 0)
    }

    @Test("closes what is left when its time is up")
    func forced() async throws {
        let pending = Lock<[HTTPExchange]>([])
        let server = try TestServer(routes: [
            route("GET", "/slow") { _, exchange in pending.withLock { $0.append(exchange) } }
        ])
        let client = try server.client()
        client.send("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(await server.wait { $0.requests == 1 })
        await server.server.stop(within: 0.05)
        #expect(await client.readToEnd() == "" && client.sawEnd && server.server.counts.open == 0)
    }

    @Test("leaves none of those who came while it began")
    func lastComer() async throws {
        let (isBusy, mayGo) = (Lock(false), Lock(false))
        let server = try TestServer(routes: [
            hello,
            route("GET", "/busy") { _, exchange in
                isBusy.withLock { $0 = true }
                while !mayGo.withLock({ $0 }) { usleep(1000) }
                exchange.send(.text("done"))
            },
        ])
        // They go to the loops in turn: the first to the second one, the next to the one that accepts, and so on.
        let first = try server.client()
        #expect(await server.wait { $0.accepted == 1 })
        let busy = try server.client()
        #expect(await server.wait { $0.accepted == 2 })
        let mayLook = Lock(false)
        server.loops.loops[0].submit { while !mayLook.withLock({ $0 }) { usleep(1000) } }
        // In this order the loop will meet them, and be busy with the one while the other waits to be accepted.
        busy.send("GET /busy HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let late = try server.client()
        mayLook.withLock { $0 = true }
        while !isBusy.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
        let isDone = Lock(false)
        server.server.stop(within: 60) { isDone.withLock { $0 = true } }
        try await Task.sleep(for: .milliseconds(100))
        mayGo.withLock { $0 = true }
        #expect(await server.wait { _ in isDone.withLock { $0 } })
        #expect(server.server.counts.open == 0)
        #expect(await busy.readToEnd().hasSuffix("done"))
        #expect(await first.readToEnd().isEmpty)
        #expect(await late.readToEnd().isEmpty)
    }

    @Test("of an idle server returns at once")
    func idle() async throws {
        let server = try TestServer(routes: [hello])
        await server.server.stop(within: 60)
        #expect(server.server.counts.open == 0)
    }
}

@Suite("Admission")
struct AdmissionTests {
    private let second: Int64 = 1_000_000_000

    private func peer(_ text: String) -> PeerAddress { PeerAddress(text: text) ?? PeerAddress(family: .unix) }

    @Test("closes the one that has waited longest of an address that has too many, and no other's")
    func perAddress() {
        var admission = Admission(limit: 100, limitPerAddress: 2)
        #expect(admission.arrived(1, from: peer("192.0.2.9"), now: 0) == nil)
        #expect(admission.arrived(2, from: peer("192.0.2.1"), now: 1) == nil)
        #expect(admission.arrived(3, from: peer("192.0.2.1"), now: 2) == nil)
        let victim = admission.arrived(4, from: peer("192.0.2.1"), now: 4 * second)
        #expect(victim?.id == 2 && victim?.breach == .perAddress && admission.count == 3)
    }

    @Test("counts an IPv6 household as one")
    func household() {
        var admission = Admission(limit: 100, limitPerAddress: 1)
        #expect(admission.arrived(1, from: peer("2001:db8::1"), now: 0) == nil)
        #expect(admission.arrived(2, from: peer("2001:db8::2"), now: 4 * second)?.id == 1)
        #expect(admission.arrived(3, from: peer("2001:db8:0:1::1"), now: 5 * second) == nil)
    }

    @Test("lets a storm of young ones in up to the hard limit, and this machine's as far as there is room")
    func storm() {
        var admission = Admission(limit: 100, limitPerAddress: 2)
        for number in 0..<32 {
            #expect(admission.arrived(UInt64(number), from: peer("192.0.2.1"), now: Int64(number)) == nil)
        }
        #expect(admission.arrived(32, from: peer("192.0.2.1"), now: 32)?.id == 0)
        var local = Admission(limit: 10, limitPerAddress: 1)
        for number in 0..<160 {
            #expect(local.arrived(UInt64(number), from: peer("127.0.0.1"), now: Int64(number)) == nil)
        }
        let victim = local.arrived(160, from: peer("127.0.0.1"), now: 160)
        #expect(victim?.id == 0 && victim?.breach == .total)
    }

    @Test("finds the oldest among thousands who came and went around it")
    func turnover() {
        var admission = Admission(limit: 3, limitPerAddress: 100)
        _ = admission.arrived(1, from: peer("192.0.2.1"), now: 0)
        for number in UInt64(10)..<5000 {
            #expect(admission.arrived(number, from: peer("192.0.2.1"), now: Int64(number)) == nil)
            admission.left(number)
        }
        _ = admission.arrived(2, from: peer("192.0.2.2"), now: 5000)
        _ = admission.arrived(3, from: peer("192.0.2.3"), now: 5001)
        #expect(admission.arrived(4, from: peer("192.0.2.4"), now: 4 * second)?.id == 1)
        #expect(admission.arrived(5, from: peer("192.0.2.4"), now: 5 * second)?.id == 2)
    }

    @Test("forgets those who spoke or left")
    func forgetting() {
        var admission = Admission(limit: 1, limitPerAddress: 1)
        _ = admission.arrived(1, from: peer("192.0.2.1"), now: 0)
        admission.left(1)
        admission.left(1)
        #expect(admission.count == 0 && admission.arrived(2, from: peer("192.0.2.1"), now: 9 * second) == nil)
    }
}
