import Foundation
import HTTPServer
import HTTPWire
import Platform
import Reactor
import TestClients
import Testing

/// Event streams that a test can reach.
private final class Streams: Sendable {
    let open = Lock<[EventStream]>([])

    var route: Route {
        HTTPServerTests.route("GET", "/events") { _, exchange in
            if let stream = exchange.openEvents() { self.open.withLock { $0.append(stream) } }
        }
    }

    func wait(for count: Int) async throws -> [EventStream] {
        for _ in 0..<5000 where open.withLock({ $0.count }) < count {
            try await Task.sleep(for: .milliseconds(1))
        }
        return open.withLock { $0 }
    }
}

@Suite("Event streams")
struct EventStreamTests {
    private static let request = "GET /events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 41\r\n\r\n"

    @Test("carry events from any thread, end properly, and leave the connection usable")
    func events() async throws {
        let streams = Streams()
        let server = try TestServer(routes: [streams.route, hello])
        let client = try server.client()
        client.send(Self.request)
        let stream = try #require(try await streams.wait(for: 1).first)
        #expect(stream.lastEventID == "41")
        for number in 0..<50 {
            stream.send(ServerSentEvent(name: "now", id: "\(number)", data: "line one\nline two"))
        }
        stream.close()
        #expect(await client.read(until: "0\r\n\r\n"))
        #expect(client.text.contains("text/event-stream") && client.text.contains("X-Accel-Buffering: no"))
        #expect(
            client.text.components(separatedBy: "event: now\ndata: line one\ndata: line two\n\n").count == 51)
        client.forget()
        client.send("GET /hello HTTP/1.0\r\n\r\n")
        #expect(await client.readToEnd().hasSuffix("hello"))
        #expect(!stream.send(ServerSentEvent(data: "late")) && server.server.counts.eventStreams == 0)
    }

    @Test("to HTTP/1.0 end with the connection, without chunks")
    func oldClient() async throws {
        let streams = Streams()
        let server = try TestServer(routes: [streams.route])
        let client = try server.client()
        client.send("GET /events HTTP/1.0\r\n\r\n")
        let stream = try #require(try await streams.wait(for: 1).first)
        stream.send(ServerSentEvent(data: "x"))
        stream.close()
        #expect(await client.readToEnd().hasSuffix("\r\n\r\ndata: x\n\n"))
    }

    @Test("of a client that does not read are cut to one resync, and the rest is not kept")
    func overflow() async throws {
        let streams = Streams()
        let server = try TestServer(
            limits: ServerLimits(eventQueue: 10, sendBuffer: 4096), routes: [streams.route])
        let client = try server.client(receiveBuffer: 4096)
        client.send(Self.request)
        let stream = try #require(try await streams.wait(for: 1).first)
        let large = String(repeating: "x", count: 4000)
        // What the kernel takes for us goes first; then the queue fills, and is dropped again and again.
        for _ in 0..<150 { stream.send(ServerSentEvent(data: large)) }
        stream.send(ServerSentEvent(name: "last", data: "y"))
        #expect(server.server.counts.refusals[.eventQueue] ?? 0 > 0)
        #expect(await client.read(until: "event: resync\ndata: {}\n\n"))
        #expect(await client.read(until: "event: last"))
    }

    @Test("are limited in number, and a place is free again when a client leaves")
    func number() async throws {
        let streams = Streams()
        let server = try TestServer(limits: ServerLimits(eventStreams: 2), routes: [streams.route])
        let clients = try (0..<2).map { _ in try server.client() }
        for client in clients { client.send(Self.request) }
        let first = try await streams.wait(for: 2)
        #expect(first.count == 2)
        #expect(Answer(try await server.ask("GET /events HTTP/1.0\r\n\r\n"))?.status == 503)
        let ended = Lock(0)
        for stream in first { stream.whenClosed { ended.withLock { $0 += 1 } } }
        clients[0].close()
        #expect(await server.wait { $0.eventStreams == 1 })
        #expect(ended.withLock { $0 } == 1)
        let next = try server.client()
        next.send(Self.request)
        #expect(try await streams.wait(for: 3).count == 3)
    }

    @Test("breathe every fifteen seconds")
    func heartbeat() async throws {
        let streams = Streams()
        let server = try TestServer(routes: [streams.route])
        let client = try server.client()
        client.send(Self.request)
        _ = try await streams.wait(for: 1)
        #expect(await client.read(until: "\r\n\r\n"))
        await server.settle()
        server.pass(seconds: 14)
        server.pass(seconds: 1.1)
        #expect(await client.read(until: ": still here"))
    }

    @Test("that nobody reads for a minute are closed")
    func stalled() async throws {
        let streams = Streams()
        let server = try TestServer(limits: ServerLimits(sendBuffer: 4096), routes: [streams.route])
        let client = try server.client(receiveBuffer: 4096)
        client.send(Self.request)
        let stream = try #require(try await streams.wait(for: 1).first)
        let large = String(repeating: "x", count: 16 << 10)
        for _ in 0..<8 { stream.send(ServerSentEvent(data: large)) }
        try await Task.sleep(for: .milliseconds(100))
        await server.hear()
        server.pass(seconds: 61)
        #expect(await server.wait { $0.open == 0 && $0.refusals[.stalled] == 1 })
    }
}

/// A file in a folder of its own, and what is served of it.
private final class Served: Sendable {
    let path = NSTemporaryDirectory() + "aircheck-file-\(UUID().uuidString)"
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let growth = Lock<Growth?>(nil)

    final class Growth: GrowingFile {
        let size = Lock<Int64?>(nil)
        var finalSize: Int64? { size.withLock { $0 } }
    }

    init() throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

    deinit { unlink(path) }

    var route: Route {
        HTTPServerTests.route("GET", "/file") { _, exchange in
            var answer = FileAnswer(
                type: "audio/mpeg", size: Int64(self.bytes.count), entityTag: "v1", modified: 784_111_777,
                growth: self.growth.withLock { $0 })
            answer.add("Content-Disposition", "attachment")
            exchange.sendFile(FileDescriptor(owning: open(self.path, O_RDONLY)), answer)
        }
    }

    func append(_ more: [UInt8]) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(more))
        try handle.close()
    }
}

@Suite("Files")
struct FileTests {
    @Test(
        "are sent whole, or the part that was asked for",
        arguments: [
            ("", 200, 0..<200_000), ("Range: bytes=0-\r\n", 206, 0..<200_000),
            ("Range: bytes=100-199\r\n", 206, 100..<200),
            ("Range: bytes=-5\r\n", 206, 199_995..<200_000),
            ("Range: bytes=150000-\r\nIf-Range: \"v1\"\r\n", 206, 150_000..<200_000),
            ("Range: bytes=0-9\r\nIf-Range: \"v0\"\r\n", 200, 0..<200_000),
            ("Range: bytes=0-9\r\nIf-Range: Sun, 06 Nov 1994 08:49:37 GMT\r\n", 206, 0..<10),
            ("Range: bytes=0-9\r\nIf-Range: Sun, 06 Nov 1994 08:49:38 GMT\r\n", 200, 0..<200_000),
            ("Range: bytes=0-9,20-29\r\n", 200, 0..<200_000),
        ])
    func ranges(headers: String, status: Int, range: Range<Int>) async throws {
        let served = try Served()
        let server = try TestServer(routes: [served.route])
        let client = try server.client()
        client.send("GET /file HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(headers)\r\n")
        while await client.receiveSome() {}
        let text = client.head
        #expect(text.hasPrefix("HTTP/1.1 \(status)"))
        #expect(client.body == Array(served.bytes[range]))
        #expect(
            text.contains("ETag: \"v1\"") && text.contains("Accept-Ranges: bytes")
                && text.contains("Content-Disposition"))
        if status == 206 {
            #expect(
                text.contains("Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/200000\r\n"))
        }
    }

    @Test(
        "that the client has, or that it asks too much of, have no body",
        arguments: [
            ("If-None-Match: \"v1\"\r\n", 304), ("If-None-Match: W/\"v1\", \"x\"\r\n", 304),
            ("If-None-Match: *\r\n", 304),
            ("If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n", 304), ("If-Match: \"v0\"\r\n", 412),
            ("If-Unmodified-Since: Sun, 06 Nov 1994 08:49:36 GMT\r\n", 412),
            ("Range: bytes=200000-\r\n", 416),
            ("If-None-Match: \"v1\"\r\nRange: bytes=0-1\r\n", 304),
        ])
    func conditions(headers: String, status: Int) async throws {
        let served = try Served()
        let server = try TestServer(routes: [served.route])
        let answer = try #require(Answer(try await server.get("/file", headers)))
        #expect(answer.status == status && answer.body.isEmpty)
        if status == 416 { #expect(answer.headers["content-range"] == "bytes */200000") }
    }

    @Test("asked for with HEAD tell their length only")
    func headOnly() async throws {
        let served = try Served()
        let server = try TestServer(routes: [served.route])
        let answer = try #require(Answer(try await server.ask("HEAD /file HTTP/1.0\r\n\r\n")))
        #expect(answer.status == 200 && answer.headers["content-length"] == "200000" && answer.body.isEmpty)
    }

    @Test("are sent to a slow reader without loss, one after another on the same connection")
    func slowReader() async throws {
        let served = try Served()
        let server = try TestServer(routes: [served.route])
        let client = try server.client(receiveBuffer: 4096)
        client.send("GET /file HTTP/1.1\r\nHost: localhost\r\n\r\nGET /file HTTP/1.0\r\n\r\n")
        while await client.receiveSome(atMost: 3000) {}
        let heads = client.received.count - 2 * served.bytes.count
        #expect(heads > 0 && Array(client.received.suffix(served.bytes.count)) == served.bytes)
        #expect(Array(client.body.prefix(served.bytes.count)) == served.bytes)
    }

    @Test("that still grow are followed to their end", arguments: ["", "Range: bytes=0-\r\n"])
    func growing(headers: String) async throws {
        let served = try Served()
        let growth = Served.Growth()
        served.growth.withLock { $0 = growth }
        let server = try TestServer(routes: [served.route])
        let client = try server.client()
        client.send("GET /file HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n")
        #expect(await client.read(count: 200_000))
        try served.append([1, 2, 3])
        growth.size.withLock { $0 = 200_003 }
        #expect(await client.read(until: "0\r\n\r\n"))
        #expect(client.head.hasPrefix("HTTP/1.1 200") && !client.head.contains("Content-Length"))
        var decoder = ChunkedDecoder()
        var decoded: [UInt8] = []
        _ = try decoder.feed(client.body.span, into: &decoded)
        #expect(decoder.isDone && decoded == served.bytes + [1, 2, 3])
    }

    @Test("that shrink while they are sent end the connection, for the length was promised")
    func shrunk() async throws {
        let served = try Served()
        let server = try TestServer(routes: [
            route("GET", "/file") { _, exchange in
                exchange.sendFile(
                    FileDescriptor(owning: open(served.path, O_RDONLY)),
                    FileAnswer(type: "audio/mpeg", size: 300_000))
            }
        ])
        let client = try server.client()
        client.send("GET /file HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while await client.receiveSome() {}
        #expect(client.sawEnd && client.body.count == 200_000)
    }
}

@Suite("Hand-over")
struct HandOverTests {
    @Test("gives the raw socket and what had been read, and the server forgets both")
    func taken() async throws {
        let server = try TestServer(routes: [
            route("SOURCE", "/live", plan: .stream) { _, exchange in
                let loop = exchange.loop
                exchange.takeOver { taken in
                    let (descriptor, leftover) = taken.take()
                    #expect(loop.isCurrent && fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0)
                    let bytes = Array("got ".utf8) + leftover
                    send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                    close(descriptor)
                }
            }
        ])
        let client = try server.client()
        client.send("SOURCE /live ICE/1.0\r\nAuthorization: Basic x\r\n\r\nfirst bytes")
        #expect(await client.readToEnd() == "got first bytes")
        let counts = server.server.counts
        #expect(counts.handedOver == 1 && counts.open == 0)
    }

    @Test("works from another thread, after 100 Continue")
    func laterWithContinue() async throws {
        let server = try TestServer(routes: [
            route("PUT", "/live", plan: .stream) { request, exchange in
                #expect(request.body.isEmpty)
                exchange.sendContinue()
                onAnotherThread {
                    exchange.takeOver { taken in
                        let (descriptor, _) = taken.take()
                        send(descriptor, "taken", 5, Int32(MSG_NOSIGNAL))
                        close(descriptor)
                    }
                }
            }
        ])
        let text = try await server.ask(
            "PUT /live HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n")
        #expect(text == "HTTP/1.1 100 Continue\r\n\r\ntaken")
    }
}
