import Platform
import StreamFormats
import TestStations
import Testing
import Transfers

/// Keeps what a transfer says, for the test's thread to look at.
private final class Listener: TransferDelegate, Sendable {
    struct Heard {
        var head: ResponseHead?
        var body: [UInt8] = []
        var reads = 0
        var result: TransferResult?
        var begun: MonotonicTime?
        var ended: MonotonicTime?
    }

    let heard = Lock(Heard())
    private let received: @Sendable (Transfer, Heard) -> Void

    /// - Parameter received: called with every piece, on the engine's thread.
    init(received: @escaping @Sendable (Transfer, Heard) -> Void = { _, _ in }) { self.received = received }

    /// One that does something as soon as the connection is one that only brings: before that no pace can be asked for.
    convenience init(_ engine: TransferEngine, begun: @escaping @Sendable (Transfer) -> Void) {
        self.init { transfer, heard in
            if heard.reads == 1 { engine.after(0) { begun(transfer) } }
        }
    }

    func transferResponded(_ transfer: Transfer, head: ResponseHead) { heard.withLock { $0.head = head } }

    func transferReceived(_ transfer: Transfer, bytes: Span<UInt8>) {
        let copy = bytes.withUnsafeBufferPointer { Array($0) }
        let now = heard.withLock {
            $0.body += copy
            $0.reads += 1
            if $0.reads == 1 { $0.begun = SystemTime().now }
            return $0
        }
        received(transfer, now)
    }

    func transferFinished(_ transfer: Transfer, result: TransferResult) {
        heard.withLock { ($0.result, $0.ended) = (result, SystemTime().now) }
    }

    /// Waits until the heard fulfils the condition, at most so many seconds.
    func wait(seconds: Double = 10, until condition: (Heard) -> Bool = { $0.result != nil }) async throws
        -> Heard
    {
        let start = SystemTime().now
        while SystemTime().now.seconds(since: start) < seconds {
            let now = heard.withLock { $0 }
            if condition(now) { return now }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("nothing came in time")
        return heard.withLock { $0 }
    }
}

private func localRequest(_ address: String) throws -> TransferRequest {
    var request = TransferRequest(try URLText(address))
    request.addresses = .allowLocal
    return request
}

private func transfer(
    _ request: TransferRequest, engine: TransferEngine, within seconds: Double = 10
) async throws -> Listener.Heard {
    let listener = Listener()
    engine.run { engine.start(request, delegate: listener) }
    return try await listener.wait(seconds: seconds)
}

@Suite("Transfers")
struct TransferEngineTests {
    private let frames = NumberedFrames()

    private func station(_ scripts: [[Step]]) throws -> ScriptedStation {
        try ScriptedStation(Programme(frames), scripts: scripts)
    }

    @Test(
        "every kind of head is read, and the body behind it is exact",
        arguments: [
            ("ICY 200 OK\r\nicy-name:One\r\n\r\n", ResponseHead.Wire.icy),
            ("ICY 200 OK\r\nicy-name: Big\r\nicy-br: 64\nContent-Type: audio/mpeg\n\n", .icy),
            ("HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\n\r\n", .http10),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nicy-name: x\r\n\r\n", .http11),
            ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nicy-name: x\r\n\r\n", .http11),
        ])
    func heads(head: String, wire: ResponseHead.Wire) async throws {
        let station = try station([[.text(head), .push(units: 20), .close]])
        defer { station.stop() }
        let engine = TransferEngine()
        let heard = try await transfer(try localRequest(station.url()), engine: engine)
        #expect(heard.head?.wire == wire)
        #expect(heard.head?.status == 200)
        #expect(heard.body == frames.units(0..<20))
        #expect(heard.result?.outcome == .complete)
    }

    @Test("a stream without any head is a stream")
    func headless() async throws {
        let station = try station([[.push(units: 200), .close]])
        defer { station.stop() }
        let heard = try await transfer(try localRequest(station.url("/;stream/1")), engine: TransferEngine())
        #expect(heard.head?.status == 0)
        #expect(heard.body == frames.units(0..<200))
        #expect(station.requests.first?.target == "/;stream/1")
    }

    @Test("a refusal in the manner of SHOUTcast is read, not lost")
    func icyRefusal() async throws {
        let station = try station([[.text("ICY 401 Service Unavailable\r\n\r\n"), .close]])
        defer { station.stop() }
        let heard = try await transfer(try localRequest(station.url()), engine: TransferEngine())
        #expect(heard.head?.status == 401)
        #expect(heard.head?.reasonText == "Service Unavailable")
    }

    @Test("chunks are taken apart before anybody sees the bytes")
    func chunked() async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let station = try station([[.text(head), .chunked, .push(units: 3), .push(units: 4), .close]])
        defer { station.stop() }
        let heard = try await transfer(try localRequest(station.url()), engine: TransferEngine())
        #expect(heard.body == frames.units(0..<7))
        #expect(heard.result?.outcome == .reset)
    }

    @Test("we ask as ourselves, once, with GET, and never for compression")
    func request() async throws {
        let station = try station([[.text("HTTP/1.0 200 OK\r\n\r\n"), .close]])
        defer { station.stop() }
        var settings = TransferEngine.Settings()
        settings.userAgent = "aircheck/9.9"
        var request = try localRequest(station.url("/live;?a=%2f~*"))
        request.wantsTitles = true
        request.headers = [
            .init(name: "X-Key", value: "k"), .init(name: "Bad\r\nX", value: "v"),
            .init(name: "Host", value: "evil"),
        ]
        _ = try await transfer(request, engine: TransferEngine(settings))
        #expect(station.requests.count == 1)
        let seen = try #require(station.requests.first)
        #expect(seen.method == "GET")
        #expect(seen.target == "/live;?a=%2f~*")
        #expect(seen.header("User-Agent") == "aircheck/9.9")
        #expect(seen.header("Icy-MetaData") == "1")
        #expect(seen.header("X-Key") == "k")
        #expect(seen.header("Accept-Encoding") == nil)
        #expect(seen.header("Host") == "127.0.0.1:\(station.port)")
    }

    @Test("a redirect is followed with the cookie it set, and its own address is told")
    func redirect() async throws {
        let frames = frames
        let station = try ScriptedStation(Programme(frames)) { request in
            guard request.header("Cookie") == "PHPSESSID=abc" else {
                return Step.redirect(to: "/live", extra: "Set-Cookie: PHPSESSID=abc; path=/\r\n")
            }
            return [.text("ICY 200 OK\r\n\r\n"), .push(units: 2), .close]
        }
        defer { station.stop() }
        let heard = try await transfer(try localRequest(station.url("/live")), engine: TransferEngine())
        #expect(heard.body == frames.units(0..<2))
        #expect(heard.result?.url.text == station.url("/live"))
        #expect(heard.result?.redirects == 1)
        #expect(station.requests.count == 2)
    }

    @Test("password and headers of a station go to its origin and to no other")
    func secrets() async throws {
        let other = try station([[.text("HTTP/1.0 200 OK\r\n\r\n"), .push(units: 1), .close]])
        defer { other.stop() }
        let target = other.url("/elsewhere")
        let first = try ScriptedStation(Programme(frames)) { request in
            Step.redirect(to: request.target == "/live" ? "/again" : target)
        }
        defer { first.stop() }
        var request = try localRequest("http://user:p%40ss@127.0.0.1:\(first.port)/live")
        request.headers = [
            .init(name: "X-Key", value: "secret"), .init(name: "User-Agent", value: "Radio/1"),
        ]
        let heard = try await transfer(request, engine: TransferEngine())
        #expect(heard.result?.outcome == .complete)
        #expect(
            first.requests.map { $0.header("Authorization") } == ["Basic dXNlcjpwQHNz", "Basic dXNlcjpwQHNz"])
        #expect(first.requests.map { $0.header("X-Key") } == ["secret", "secret"])
        let elsewhere = try #require(other.requests.first)
        #expect(elsewhere.header("Authorization") == nil)
        #expect(elsewhere.header("X-Key") == nil)
        #expect(elsewhere.header("User-Agent") == "Radio/1")
    }

    @Test(
        "no spelling of this machine is reached by an address from outside",
        arguments: [
            "127.0.0.1", "localhost", "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "[::ffff:127.0.0.1]",
            "0.0.0.0",
            "[::1]", "[::]", "①②⑦.0.0.1", "127.0.0.1.", "LOCALHOST",
        ])
    func inside(host: String) async throws {
        let canary = try station([[.text("HTTP/1.0 200 OK\r\n\r\n"), .close]])
        defer { canary.stop() }
        let heard = try await transfer(
            TransferRequest(try URLText("http://\(host):\(canary.port)/api")), engine: TransferEngine())
        #expect(heard.head == nil)
        #expect(canary.acceptedConnections == 0)
        #expect([.blockedAddress, .dns, .other].contains(try #require(heard.result).outcome))
    }

    @Test(
        "compressed bodies, endless heads and endless interim answers end the request",
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", 0, TransferResult.Outcome.encodedBody),
            ("HTTP/1.1 200 OK\r\n", 4000, .headTooLarge),
            ("HTTP/1.1 100 Continue\r\n\r\n", 4000, .headTooLarge),
        ])
    func limits(head: String, repeats: Int, outcome: TransferResult.Outcome) async throws {
        let more =
            head.hasPrefix("HTTP/1.1 100") ? head : "X-Filler: \(String(repeating: "x", count: 200))\r\n"
        let station = try station([
            [.text(head + String(repeating: more, count: repeats)), .stall(20)]
        ])
        defer { station.stop() }
        let heard = try await transfer(try localRequest(station.url()), engine: TransferEngine())
        #expect(heard.result?.outcome == outcome)
        #expect(heard.body.isEmpty)
    }

    @Test("refused, reset, unknown and silent servers are told apart")
    func failures() async throws {
        let engine = TransferEngine()
        let station = try station([[.text("HTTP/1.0 200 OK\r\n\r\n"), .push(units: 1), .stall(0.1), .reset]])
        let reset = try await transfer(try localRequest(station.url()), engine: engine)
        #expect(reset.result?.outcome == .reset)
        station.stop()
        let refused = try await transfer(try localRequest(station.url()), engine: engine)
        #expect(refused.result?.outcome == .refused)
        #expect(refused.result?.text == "connection refused by 127.0.0.1:\(station.port)")
        // A resolver without a network may take its time over it.
        var patient = TransferEngine.Settings()
        patient.connectSeconds = 40
        var nowhere = TransferRequest(try URLText("http://no.such.invalid/"))
        nowhere.headSeconds = 40
        let unknown = try await transfer(nowhere, engine: TransferEngine(patient), within: 45)
        #expect(unknown.result?.outcome == .dns)
    }

    @Test("a server that accepts and says nothing is given up in time")
    func silent() async throws {
        let station = try station([[.stall(60)]])
        defer { station.stop() }
        var request = try localRequest(station.url())
        request.headSeconds = 0.2
        let heard = try await transfer(request, engine: TransferEngine())
        #expect(heard.result?.outcome == .answerTimeout)
    }

    @Test("a cancelled transfer says nothing more and leaves its server")
    func cancelling() async throws {
        let station = try station([[.text("HTTP/1.0 200 OK\r\n\r\n"), .push(units: 5), .stall(60)]])
        defer { station.stop() }
        let engine = TransferEngine()
        let listener = Listener()
        let request = try localRequest(station.url())
        engine.run {
            let transfer = engine.start(request, delegate: listener)
            engine.after(0.1) { transfer.cancel() }
        }
        while station.acceptedConnections == 0 { try await Task.sleep(for: .milliseconds(5)) }
        while station.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(listener.heard.withLock { $0.result } == nil)
    }

    @Test("in rounds many pieces come as few, all of them, and the end is seen at once")
    func rounds() async throws {
        let pieces = (0..<20).flatMap { _ in [Step.push(units: 1), .stall(0.05)] }
        let station = try station([[.text("HTTP/1.0 200 OK\r\n\r\n")] + pieces + [.close]])
        defer { station.stop() }
        let engine = TransferEngine()
        let listener = Listener(engine) { $0.read(at: .forFiles) }
        let request = try localRequest(station.url())
        engine.run { engine.start(request, delegate: listener) }
        let heard = try await listener.wait()
        #expect(heard.body == frames.units(0..<20))
        // A second of pieces is three rounds, and what came before them and with the end.
        let length = try #require(heard.ended).seconds(since: try #require(heard.begun))
        #expect(Double(heard.reads) <= length / 0.3 + 5, "\(heard.reads) reads in \(length) s")
    }

    @Test("more than a round may bring is read as it comes again, and nothing of it is lost")
    func roundsOverflow() async throws {
        let many = 200
        let station = try station([
            [
                .text("HTTP/1.0 200 OK\r\n\r\n"), .push(units: 1), .stall(0.5), .push(units: many),
                .stall(0.6), .close,
            ]
        ])
        defer { station.stop() }
        let engine = TransferEngine()
        let whole = frames.units(0..<(many + 1))
        let request = try localRequest(station.url())
        let paces = Lock<[ReadingPace]>([])
        let listener = Listener { transfer, heard in
            let note = { paces.withLock { $0.append(transfer.pace) } }
            if heard.body.count == whole.count { note() }
            guard heard.reads == 1 else { return }
            engine.after(0) {
                transfer.read(at: .forListeners)
                note()
            }
            engine.after(0.15, note)
        }
        engine.run { engine.start(request, delegate: listener) }
        let heard = try await listener.wait()
        #expect(heard.body == whole)
        #expect(paces.withLock { $0 } == [.forListeners, .forListeners, .atOnce])
    }

    @Test("what waits for its round is read at once when somebody asks")
    func readNow() async throws {
        let pieces = (0..<10).flatMap { _ in [Step.push(units: 1), .stall(0.1)] }
        let station = try station([[.text("HTTP/1.0 200 OK\r\n\r\n")] + pieces + [.close]])
        defer { station.stop() }
        let engine = TransferEngine()
        let request = try localRequest(station.url())
        let (fruitful, received) = (Lock(0), Lock(0))
        let listener = Listener { transfer, heard in
            received.withLock { $0 = heard.body.count }
            guard heard.reads == 1 else { return }
            engine.after(0) { transfer.read(at: .forFiles) }
            for number in 1..<10 {
                engine.after(Double(number) * 0.1 + 0.05) {
                    let before = received.withLock { $0 }
                    transfer.readNow()
                    if received.withLock({ $0 }) > before { fruitful.withLock { $0 += 1 } }
                }
            }
        }
        engine.run { engine.start(request, delegate: listener) }
        let heard = try await listener.wait()
        #expect(heard.body == frames.units(0..<10))
        #expect(fruitful.withLock { $0 } >= 4)
    }

    @Test(
        "where local addresses are allowed to all, they are; where clouds keep their secrets is not one of them"
    )
    func localForAll() async throws {
        let station = try station([
            Step.redirect(to: "/there"), [.text("HTTP/1.0 200 OK\r\n\r\n"), .push(units: 1), .close],
        ])
        defer { station.stop() }
        for isAllowed in [false, true] {
            var settings = TransferEngine.Settings()
            settings.allowsLocalAddresses = isAllowed
            let engine = TransferEngine(settings)
            let heard = try await transfer(TransferRequest(try URLText(station.url())), engine: engine)
            #expect(heard.result?.outcome == (isAllowed ? .complete : .blockedAddress))
            #expect(heard.body == (isAllowed ? frames.units(0..<1) : []))
            let secrets = try await transfer(
                TransferRequest(try URLText("http://169.254.169.254/")), engine: engine)
            #expect(secrets.result?.outcome == .blockedAddress)
        }
    }

    @Test("a fetch takes a whole body, up to its limit")
    func fetching() async throws {
        let body = Array("[playlist]\nFile1=http://a.example/1\n".utf8)
        let station = try station([Step.answer(type: "audio/x-scpls", body: body)])
        defer { station.stop() }
        let engine = TransferEngine()
        let request = try localRequest(station.url("/list.pls"))
        for (limit, isGood) in [(body.count, true), (body.count - 1, false)] {
            let found = Lock<FetchedBody?>(nil)
            engine.run { engine.fetch(request, limit: limit) { body in found.withLock { $0 = body } } }
            while found.withLock({ $0 == nil }) { try await Task.sleep(for: .milliseconds(5)) }
            let fetched = try #require(found.withLock { $0 })
            #expect(fetched.isGood == isGood)
            #expect(fetched.bytes == (isGood ? body : []))
            if !isGood { #expect(fetched.result.outcome == .bodyTooLarge) }
        }
    }

    @Test("an engine that is stopped drops its jobs and ends")
    func stopping() throws {
        let engine = TransferEngine()
        #expect(engine.sync { 7 } == 7)
        engine.stop()
        engine.stop()
        #expect(engine.sync { 7 } == nil)
    }
}
