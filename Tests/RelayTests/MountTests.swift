import Feed
import Foundation
import HTTPServer
import Platform
@testable import Relay
import StreamFormats
import TestPrograms
import TestStations
import Testing

@Suite("Mounts")
struct MountTests {
    private let frames = NumberedFrames()

    @Test("answer as Icecast does, with a burst that starts on a frame, in the first bytes")
    func answer() throws {
        let bench = try RelayBench()
        bench.publish(0..<400)
        let listener = RawListener(port: bench.port, get: "demo")
        let body = listener.body(upTo: 64 << 10)
        let head = listener.head()
        #expect(head.hasPrefix("HTTP/1.0 200 OK\r\n"))
        for line in [
            "Content-Type: audio/mpeg", "icy-name: Demo Radio", "icy-genre: tones", "icy-pub: 0",
            "icy-sr: 44100",
            "Access-Control-Allow-Origin: *", "Connection: Close", "Cache-Control: no-cache, no-store",
            "Server: aircheck/test", "X-Accel-Buffering: no",
        ] { #expect(head.contains("\(line)\r\n")) }
        for absent in ["Content-Length", "Transfer-Encoding", "icy-metaint: ", "Accept-Ranges"] {
            #expect(!head.contains(absent))
        }
        let first = try #require(frames.number(of: body, at: 0))
        #expect(Judge.verdict(on: Array(body.prefix(body.count / 417 * 417)), of: frames).isPerfect)
        #expect((400 - first) * 417 >= 64 << 10)
    }

    @Test("carry every byte that comes after the burst, for listeners with and without titles, on both loops")
    func continuity() throws {
        var settings = RelaySettings(batch: 0.05)
        settings.spread = 2
        let bench = try RelayBench(settings: settings)
        bench.title("Before - All")
        bench.publish(0..<200)
        let plain = (0..<4).map { _ in RawListener(port: bench.port, get: "demo") }
        let titled = (0..<4).map { _ in
            RawListener(port: bench.port, get: "demo", headers: ["Icy-MetaData: 1"])
        }
        for listener in plain + titled { _ = listener.head() }
        for step in 0..<10 {
            if step == 5 { bench.title("A - It's; five") }
            bench.publish((200 + step * 20)..<(220 + step * 20))
            usleep(20_000)
        }
        for listener in plain {
            let body = listener.body(upTo: 390 * 417)
            let first = frames.number(of: body, at: 0) ?? -1
            let verdict = Judge.verdict(on: listener.body(upTo: (400 - first) * 417), of: frames)
            #expect(verdict.isPerfect && verdict.last == 399, "\(verdict)")
        }
        for listener in titled {
            #expect(listener.head().contains("icy-metaint: 16000\r\n"))
            let icy = IcyReader(listener.body(upTo: 350 * 417))
            let verdict = Judge.verdict(on: Array(icy.audio.prefix(icy.audio.count / 417 * 417)), of: frames)
            #expect(verdict.isPerfect, "\(verdict)")
            #expect(icy.titles.first == "StreamTitle='Before - All';")
            #expect(
                icy.titles.dropFirst().allSatisfy {
                    $0 == "StreamTitle='A - It’s; five';" || $0 == "StreamTitle='A - It's; five';"
                })
        }
    }

    @Test("give nobody what was held when the station fell silent: who comes begins where it is back")
    func silence() throws {
        let time = ManualTime()
        let bench = try RelayBench(time: time)
        bench.publish(0..<400)
        let stays = RawListener(port: bench.port, get: "demo")
        #expect(frames.number(of: stays.body(upTo: 64 << 10), at: 0) != nil)
        time.advance(bySeconds: 20)
        let comes = RawListener(port: bench.port, get: "demo")
        // Time to come to the outlet; nothing that was held reaches it there.
        usleep(300_000)
        time.advance(bySeconds: 2)
        bench.publish(400..<500)
        let body = comes.body(upTo: 100 * 417)
        #expect(frames.number(of: body, at: 0) == 400)
        #expect(Judge.verdict(on: body, of: frames).isPerfect)
    }

    @Test("of the past stay known while who asked for them is on the way, and go when nobody hears them")
    func late() throws {
        let time = ManualTime()
        let bench = try RelayBench(time: time)
        func late(_ seconds: Int) -> Mount {
            var station = RelayBench.demo
            station.id = "demo?delay=\(seconds)"
            return bench.relay.mount(named: station.id, Feed(station: station), fallback: { nil })
        }
        let first = late(10)
        // Another asks before the first one's listener has reached its outlet.
        _ = late(20)
        #expect(bench.relay.existingMount("demo?delay=10") === first)
        #expect(bench.relay.snapshot.mounts.map(\.name) == ["demo?delay=10", "demo?delay=20"])
        time.advance(bySeconds: 60)
        _ = late(30)
        #expect(bench.relay.snapshot.mounts.map(\.name) == ["demo?delay=30"])
    }

    @Test("start on a frame for a thousand joins at any moment")
    func joins() throws {
        let bench = try RelayBench()
        bench.publish(0..<300)
        var published = 300
        for join in 0..<1000 {
            bench.publish(published..<(published + 1 + join % 5))
            published += 1 + join % 5
            let listener = RawListener(
                port: bench.port, get: "demo", headers: join % 2 == 0 ? [] : ["Icy-MetaData: 1"])
            #expect(frames.number(of: listener.body(upTo: 417), at: 0) != nil)
        }
    }

    @Test("pass on what comes when it comes: the length of a batch is no delay of its own")
    func pace() throws {
        let bench = try RelayBench(settings: RelaySettings(batch: 0.25))
        bench.publish(0..<400)
        let listener = RawListener(port: bench.port, get: "demo")
        _ = listener.body(upTo: 64 << 10)
        var delays: [Double] = []
        // Ten frames are 261 ms: what ingest gathers is a little longer than a batch.
        for round in 0..<20 {
            let due = listener.received.count + 10 * 417
            let begun = Date()
            bench.publish((400 + round * 10)..<(410 + round * 10))
            listener.read(upTo: due)
            delays.append(Date().timeIntervalSince(begun))
            Thread.sleep(until: begun.addingTimeInterval(0.261))
        }
        let median = delays.sorted()[delays.count / 2]
        // Waiting for the batch would be up to 0.25 s.
        #expect(median < 0.12, "\(delays)")
    }

    @Test("are written to once a batch, however often something comes")
    func batches() throws {
        let bench = try RelayBench(settings: RelaySettings(batch: 0.25))
        bench.publish(0..<400)
        let listener = RawListener(port: bench.port, get: "demo")
        _ = listener.body(upTo: 64 << 10)
        let mount = try #require(bench.relay.existingMount("demo"))
        #expect(eventually(within: 5) { mount.counts.writes > 0 })
        let (before, begun) = (mount.counts.writes, Date())
        for round in 0..<100 {
            bench.publish((400 + round)..<(401 + round))
            Thread.sleep(forTimeInterval: 0.026)
        }
        listener.read(upTo: listener.received.count + 90 * 417)
        Thread.sleep(forTimeInterval: 1.2)
        let most = Int64(Date().timeIntervalSince(begun) / (0.25 * 0.9)) + 2
        #expect(mount.counts.writes - before <= most)
    }

    @Test("wait for the first audio of a station, then know its type")
    func firstAudio() throws {
        let bench = try RelayBench()
        let listener = RawListener(port: bench.port, get: "demo")
        #expect(eventually(within: 5) { bench.source.feed("demo").readerCount == 1 })
        bench.publish(0..<10, of: NumberedFrames(.adts))
        #expect(listener.head().contains("Content-Type: audio/aac\r\n"))
    }

    @Test("say why there is no audio", arguments: [true, false])
    func noAudio(hasFailed: Bool) throws {
        var settings = RelaySettings(batch: 0.05)
        settings.patience = hasFailed ? 60 : 0.2
        let bench = try RelayBench(settings: settings)
        bench.source.feed("demo").updateStatus {
            $0.state = hasFailed ? .failed : .waiting
            $0.reason = "connection refused by radio.example:8000"
        }
        let listener = RawListener(port: bench.port, get: "demo")
        listener.readAll()
        #expect(listener.head().hasPrefix("HTTP/1.0 503 "))
        #expect(listener.head().contains("Retry-After: "))
        #expect(
            String(decoding: listener.body, as: UTF8.self).contains(
                "connection refused by radio.example:8000"))
    }

    @Test("leave the station some seconds after the last listener")
    func linger() throws {
        var settings = RelaySettings(batch: 0.05)
        settings.linger = 0.1
        let bench = try RelayBench(settings: settings)
        bench.publish(0..<100)
        do {
            let listener = RawListener(port: bench.port, get: "demo")
            _ = listener.body(upTo: 417)
            #expect(bench.source.feed("demo").readerCount == 1)
        }
        var next = 100
        #expect(
            eventually(within: 10) {
                bench.publish(next..<(next + 1))
                next += 1
                return bench.source.feed("demo").readerCount == 0
            })
        _ = RawListener(port: bench.port, get: "demo").body(upTo: 417)
    }

    @Test("HEAD, OPTIONS, unknown names and wrong methods are answered")
    func methods() throws {
        let bench = try RelayBench()
        bench.publish(0..<100)
        let head = RawListener(port: bench.port, get: "demo", headers: ["Icy-MetaData: 1"], method: "HEAD")
        head.readAll()
        #expect(head.head().hasPrefix("HTTP/1.0 200 OK\r\n") && head.head().contains("icy-metaint: 16000"))
        #expect(head.body.isEmpty)
        let options = RawListener(port: bench.port, get: "demo", method: "OPTIONS")
        #expect(options.head().hasPrefix("HTTP/1.1 204 "))
        #expect(
            options.head().contains("Access-Control-Allow-Headers: Icy-MetaData, Range, Authorization\r\n"))
        #expect(options.head().contains("Allow: "))
        #expect(RawListener(port: bench.port, get: "nobody").head().hasPrefix("HTTP/1.1 404 "))
        #expect(RawListener(port: bench.port, get: "tests/nobody").head().hasPrefix("HTTP/1.1 404 "))
        #expect(RawListener(port: bench.port, get: "others/demo").head().hasPrefix("HTTP/1.1 404 "))
        #expect(RawListener(port: bench.port, get: "tests/demo").head().hasPrefix("HTTP/1.0 200 "))
        #expect(RawListener(port: bench.port, get: "demo?x=1").head().hasPrefix("HTTP/1.0 200 "))
    }

    @Test(
        "ranges are answered as Apple's players need it",
        arguments: [
            ("bytes=0-", false, 200), ("bytes=0-", true, 200), ("bytes=0-1", true, 200),
            ("bytes=0-1", false, 206),
            ("bytes=0-1099511627775", false, 206), ("bytes=5-9", false, 200), ("bytes=-5", false, 200),
            ("nonsense", false, 200),
        ])
    func ranges(range: String, titles: Bool, status: Int) throws {
        let bench = try RelayBench()
        bench.publish(0..<100)
        let headers = ["Range: \(range)"] + (titles ? ["Icy-MetaData: 1"] : [])
        let listener = RawListener(port: bench.port, get: "demo", headers: headers)
        #expect(listener.head().hasPrefix("HTTP/1.0 \(status) "))
        if status == 200 { #expect(!listener.head().contains("Content-Range")) }
        if range == "bytes=0-1" && !titles {
            listener.readAll()
            #expect(listener.body == [0xFF, 0xFB])
            #expect(listener.head().contains("Content-Range: bytes 0-1/1099511627776\r\n"))
        } else {
            #expect(frames.number(of: listener.body(upTo: 417), at: 0) != nil)
        }
    }

    @Test("limits refuse the listener beyond them and let the next in when one has gone")
    func limits() throws {
        var settings = RelaySettings(batch: 0.05)
        settings.limits.listenersPerMount = 1
        let bench = try RelayBench(settings: settings)
        bench.publish(0..<100)
        do {
            let first = RawListener(port: bench.port, get: "demo")
            #expect(first.head().hasPrefix("HTTP/1.0 200 "))
            let second = RawListener(port: bench.port, get: "demo")
            #expect(second.head().hasPrefix("HTTP/1.0 503 "))
            #expect(bench.relay.snapshot.refused == [.mount: 1])
        }
        var next = 100
        #expect(
            eventually(within: 5) {
                bench.publish(next..<(next + 1))
                next += 1
                return bench.relay.snapshot.connected == 0
            })
        #expect(RawListener(port: bench.port, get: "demo").head().hasPrefix("HTTP/1.0 200 "))
    }

    @Test("a listener is closed when it has listened as long as it may")
    func duration() throws {
        var settings = RelaySettings(batch: 0.05)
        settings.limits.duration = 0.5
        let bench = try RelayBench(settings: settings)
        bench.publish(0..<100)
        let listener = RawListener(port: bench.port, get: "demo")
        listener.readAll()
        #expect(listener.body.count >= 32 << 10)
        #expect(bench.relay.snapshot.refused == [.duration: 1])
    }

    @Test("a station that becomes another type ends its listeners, and serves new ones as what it is")
    func otherType() throws {
        let bench = try RelayBench()
        bench.publish(0..<100)
        let listener = RawListener(port: bench.port, get: "demo")
        _ = listener.body(upTo: 417)
        bench.publish(0..<100, of: NumberedFrames(.adts))
        listener.readAll()
        #expect(Judge.verdict(on: listener.body, of: frames).last == 99)
        #expect(RawListener(port: bench.port, get: "demo").head().contains("Content-Type: audio/aac\r\n"))
    }

    @Test("a fallback is heard while the station is away, and the station again when it is back")
    func fallback() throws {
        let spare = Station(id: "spare", name: "Spare", urls: [])
        var main = RelayBench.demo
        main.aliases = ["main"]
        main.fallback = "spare"
        let bench = try RelayBench([main, spare])
        let other = NumberedFrames(programme: "B")
        bench.publish(0..<100)
        let listener = RawListener(port: bench.port, get: "main")
        _ = listener.body(upTo: 417)
        #expect(eventually(within: 10) { bench.source.feed("spare").readerCount == 1 })
        bench.publish(0..<50, of: other, to: "spare")
        _ = listener.body(upTo: 150 * 417)
        bench.publish(100..<150)
        #expect(eventually(within: 5) { bench.source.feed("spare").readerCount == 0 })
        let body = listener.body(upTo: 200 * 417)
        let numbers = stride(from: 0, to: body.count - 416, by: 417).map { at in
            frames.number(of: body, at: at).map { "A\($0)" }
                ?? other.number(of: body, at: at).map { "B\($0)" }
        }
        #expect(
            numbers == (0..<100).map { "A\($0)" } + (0..<50).map { "B\($0)" } + (100..<150).map { "A\($0)" })
    }
}
