import CLinux
import Feed
import Foundation
import Glibc
import HTTPWire
import Platform
import Reactor
@testable import Relay
import StreamFormats
import TestPrograms
import TestStations
import Testing

@Suite("Source client rules")
struct SourceRuleTests {
    private static let mine = Credentials.basic(user: "source", password: "a")
    private static let other = Credentials.basic(user: "dj", password: "b")

    @Test(
        "a mount is taken over only from a silent source, with its own credentials",
        arguments: [
            (mine, 0.0, SourceRule.Verdict.inUse), (mine, 5.0, .inUse), (mine, 5.1, .replace),
            (other, 60.0, .inUse),
        ])
    func takeover(credentials: Credentials, silent: Double, verdict: SourceRule.Verdict) {
        let holder = SourceRule.Holder(credentials: Self.mine, silentSeconds: silent)
        #expect(SourceRule.verdict(on: credentials, holder: holder) == verdict)
        #expect(SourceRule.verdict(on: credentials, holder: nil) == .accept)
    }

    @Test(
        "Shoutcast's opening is read with either line end and however it is cut", arguments: ["\n", "\r\n"],
        [1, 3, 500])
    func shoutcast(end: String, cut: Int) {
        let text = ["secret", "icy-name:My: Show", "icy-br: 128", "", "AUDIO"].joined(separator: end)
        var hello = ShoutcastHello()
        var events: [ShoutcastHello.Event] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: cut) {
            events += hello.take(Array(bytes[start..<min(start + cut, bytes.count)]))
        }
        #expect(events.first == .password("secret"))
        guard case .begins(let facts, let leftover)? = events.dropFirst().first else {
            Issue.record("no beginning: \(events)")
            return
        }
        #expect(facts.name == "My: Show" && facts.bitrate == 128 && facts.mediaType == "audio/mpeg")
        #expect(Array("AUDIO".utf8).starts(with: leftover))
    }

    @Test(
        "what is not Shoutcast is given up, never kept",
        arguments: [
            String(repeating: "x", count: 2000), "pw\nno colon here\n",
            "pw\n" + String(repeating: "a: b\n", count: 100),
        ])
    func malformed(text: String) {
        var hello = ShoutcastHello()
        #expect(hello.take(Array(text.utf8)).contains(.malformed))
        #expect(hello.take(Array("more\n\n".utf8)).isEmpty)
    }
}

@Suite("Source clients", .serialized)
struct SourceClientTests {
    private static let frames = NumberedFrames()
    private static let authorization = "Authorization: Basic c291cmNlOnNvdXJjZXNlY3JldA=="

    private func put(_ bench: RelayBench, _ mount: String, _ headers: [String], method: String = "PUT")
        -> RawListener
    {
        RawListener(port: bench.port, get: mount, headers: headers, method: method)
    }

    @Test("need the password, even for an empty body, and libshout's dance is answered step by step")
    func libshout() throws {
        let bench = try RelayBench()
        let options = RawListener(port: bench.port)
        options.send("OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1:\(bench.port)\r\nConnection: Upgrade\r\n\r\n")
        #expect(options.head().contains("Allow: GET, HEAD, OPTIONS, PUT, SOURCE"))
        #expect(RawListener(port: bench.port, get: "admin/!POKE").head().hasPrefix("HTTP/1.1 404 "))
        let first = put(
            bench, "live.mp3", ["Content-Length: 0", "Connection: Keep-Alive", "Prefer: return=minimal"])
        #expect(first.head().hasPrefix("HTTP/1.1 401 "))
        #expect(first.head().contains("WWW-Authenticate: Basic realm=\"Icecast2 Server\"\r\n"))
        let second = put(
            bench, "live.mp3", [Self.authorization, "Expect: 100-continue", "Ice-Name: Live & Loud"])
        #expect(second.head().hasPrefix("HTTP/1.1 100 Continue\r\n"))
        second.send(Self.frames.units(0..<300))
        let listener = RawListener(port: bench.port, get: "live.mp3")
        #expect(listener.head().contains("icy-name: Live & Loud\r\n"))
        let body = listener.body(upTo: 100 * 417)
        #expect(Judge.verdict(on: Array(body.prefix(body.count / 417 * 417)), of: Self.frames).isPerfect)
        let third = put(bench, "live.mp3", [Self.authorization])
        #expect(third.head().hasPrefix("HTTP/1.1 403 "))
        let title = RawListener(
            port: bench.port,
            get: "admin/metadata?mode=updinfo&mount=%2flive%2emp3&song=A%20%2D%20%C3%89&charset=UTF%2d8",
            headers: [Self.authorization])
        #expect(title.head().hasPrefix("HTTP/1.1 200 "))
        let feed = try #require(bench.relay.sourceFeed("live.mp3"))
        #expect(feed.nowAiring?.text.text == "A - É")
        second.finishSending()
        second.readAll()
        #expect(String(decoding: second.body, as: UTF8.self).hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(eventually(within: 5) { feed.status.state == .waiting })
        let again = put(bench, "live.mp3", [Self.authorization])
        #expect(again.head() == "HTTP/1.0 200 OK\r\n\r\n")
    }

    @Test("a mount is free for whoever hears that its source has gone", arguments: [false, true])
    func comesBack(isClient: Bool) throws {
        let loops = try LoopGroup(count: 1, name: "source-test")
        defer { loops.stop() }
        let loop = loops.loops[0]
        let desk = SourceDesk()
        let hello = SourceHello(HeaderFields())
        for round in 0..<300 {
            guard case .begin(let feed) = desk.admit(mount: "live", hello: hello, credentials: nil) else {
                Issue.record("in use, round \(round)")
                return
            }
            var ends: [Int32] = [0, 0]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            let (own, other) = (ends[0], ends[1])
            let session = SourceSession(
                .init(mount: "live", hello: hello, framing: .untilClose), feed: feed, desk: desk, loop: loop,
                time: SystemTime())
            desk.hold(mount: "live", by: session)
            let isBegun = Lock(false)
            loop.submit {
                session.begin(socket: own, leftover: [])
                isBegun.withLock { $0 = true }
            }
            #expect(eventually(within: 5, every: 0.0005) { isBegun.withLock { $0 } })
            shutdown(other, Int32(SHUT_WR))
            // Without a pause: that it is free a moment later is not enough.
            let start = SystemTime().now
            var byte: UInt8 = 0
            while SystemTime().now.seconds(since: start) < 5 {
                if isClient
                    ? recv(other, &byte, 1, Int32(MSG_DONTWAIT)) == 0
                    : feed.status.state == FeedStatus.State.waiting
                {
                    break
                }
            }
            guard case .begin = desk.admit(mount: "live", hello: hello, credentials: nil) else {
                Issue.record("in use, round \(round)")
                close(other)
                return
            }
            close(other)
        }
    }

    @Test(
        "SOURCE with ICE/1.0, PUT with a length and PUT in chunks are taken, and frames come out as they went in"
    )
    func methods() throws {
        let bench = try RelayBench()
        let bytes = Self.frames.units(0..<120)
        let ice = RawListener(port: bench.port)
        ice.send(
            "SOURCE /ice ICE/1.0\r\n\(Self.authorization)\r\ncontent-type: audio/mpeg\r\nice-name: Old\r\n\r\n"
        )
        #expect(ice.head() == "HTTP/1.0 200 OK\r\n\r\n")
        ice.send(bytes)
        let sized = put(bench, "sized", [Self.authorization, "Content-Length: \(bytes.count)"])
        sized.send(bytes)
        let chunked = put(bench, "chunked", [Self.authorization, "Transfer-Encoding: chunked"])
        for start in stride(from: 0, to: bytes.count, by: 1000) {
            let piece = bytes[start..<min(start + 1000, bytes.count)]
            chunked.send(Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10])
        }
        chunked.send("0\r\n\r\n")
        for mount in ["ice", "sized", "chunked"] {
            #expect(
                eventually(within: 5) { (bench.relay.sourceFeed(mount)?.position.bytes ?? 0) >= 118 * 417 })
            let listener = RawListener(port: bench.port, get: mount)
            let body = listener.body(upTo: 110 * 417)
            #expect(Judge.verdict(on: Array(body.prefix(110 * 417)), of: Self.frames).isPerfect, "\(mount)")
        }
    }

    @Test("a source may not take a relay's mount, and one that sends no audio is let go")
    func refused() throws {
        let bench = try RelayBench()
        #expect(put(bench, "demo", [Self.authorization]).head().hasPrefix("HTTP/1.1 403 "))
        #expect(put(bench, "admin", [Self.authorization]).head().hasPrefix("HTTP/1.1 405 "))
        let noise = put(bench, "noise", [Self.authorization])
        _ = noise.head()
        noise.send([UInt8](repeating: 0x41, count: 80_000))
        #expect(
            eventually(within: 5) {
                bench.relay.sourceFeed("noise")?.status.reason?.contains("not audio") == true
            })
    }

    @Test("Shoutcast v1: the password first, a poke is ignored, titles by admin.cgi")
    func shoutcast() throws {
        let bench = try RelayBench()
        let loop = bench.loops.loops[0]
        let door = ShoutcastDoor(relay: bench.relay, loop: loop)
        let listener = try Listener(.tcp(host: "127.0.0.1", port: 0), on: loop, handler: door)
        defer { listener.close() }
        let port = try #require(listener.endpoint.port)
        let poke = RawListener(port: port)
        poke.send("!POKE\nicy-name:libshout server poke request\n\n")
        #expect(poke.readAll().isEmpty)
        let wrong = RawListener(port: port)
        wrong.send("nonsense\r\n")
        #expect(String(decoding: wrong.readAll(), as: UTF8.self) == "invalid password\r\n")
        let source = RawListener(port: port)
        source.send("sourcesecret\r\n")
        #expect(
            String(decoding: source.read(upTo: 22), as: UTF8.self) == "OK2\r\nicy-caps:11\r\n\r\n".prefix(22))
        source.send("icy-name: Shout\r\nicy-br:128\r\n\r\n")
        source.send(Self.frames.units(0..<120))
        #expect(
            eventually(within: 5) { (bench.relay.sourceFeed("stream")?.position.bytes ?? 0) >= 118 * 417 })
        let title = RawListener(
            port: bench.port, get: "admin.cgi?mode=updinfo&pass=sourcesecret&song=X%E9%20-%20Y")
        #expect(title.head().hasPrefix("HTTP/1.1 200 "))
        #expect(bench.relay.sourceFeed("stream")?.nowAiring?.text.text == "Xé - Y")
        #expect(RawListener(port: bench.port, get: "stream").head().contains("icy-name: Shout\r\n"))
    }

    @Test("ffmpeg and curl feed a mount, by every method they have")
    func programs() throws {
        let bench = try RelayBench()
        let folder = try TemporaryFolder()
        let made = try RunningProgram.run(
            "ffmpeg",
            [
                "-loglevel", "error", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100:duration=6",
                "-ac", "2",
                "-c:a", "libmp3lame", "-b:a", "128k", folder.path("tone.mp3"),
            ], in: folder)
        #expect(made.exitCode == 0)
        let login = "source:sourcesecret@127.0.0.1:\(bench.port)"
        let input = [
            "-loglevel", "error", "-i", folder.path("tone.mp3"), "-c", "copy", "-content_type", "audio/mpeg",
            "-f", "mp3",
        ]
        // In its old way ffmpeg never reads our 200, so that the kernel throws away what it still had to send when it
        // closes: in real time that is the last packets.
        let old = ["-re"] + input + ["-legacy_icecast", "1", "icecast://\(login)/source"]
        let runs: [(mount: String, program: String, arguments: [String], seconds: Double)] = [
            ("put", "ffmpeg", input + ["icecast://\(login)/put"], 5.9), ("source", "ffmpeg", old, 5.0),
            ("file", "curl", ["-s", "-T", folder.path("tone.mp3"), "http://\(login)/file"], 5.9),
        ]
        for run in runs {
            let result = try RunningProgram.run(run.program, run.arguments, in: folder, within: 30)
            #expect(result.exitCode == 0, "\(run.mount): \(result.errors)")
            #expect(
                eventually(within: 5) {
                    (bench.relay.sourceFeed(run.mount)?.position.seconds ?? 0) > run.seconds
                },
                "\(run.mount)")
        }
        let chunks = try RunningProgram.run(
            "sh", ["-c", "cat \(folder.path("tone.mp3")) | curl -s -T - http://\(login)/chunks"], in: folder,
            within: 30)
        #expect(chunks.exitCode == 0)
        #expect(eventually(within: 5) { (bench.relay.sourceFeed("chunks")?.position.seconds ?? 0) > 5.9 })
    }
}
