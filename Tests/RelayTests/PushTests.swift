import Feed
import Foundation
import HTTPServer
import HTTPWire
import Platform
import Reactor
@testable import Relay
import StreamFormats
import TestPrograms
import TestStations
import Testing
import Transfers

@Suite("What a push is")
struct PushValueTests {
    @Test("a target is a station and an address with a mount; its password is never shown")
    func target() throws {
        let target = try PushTarget("demo http://source:hackme@icecast.example:8000/live.mp3")
        #expect(target.station == "demo" && target.place == "http://icecast.example:8000/live.mp3")
        #expect(target.url.credentials?.password == "hackme")
    }

    @Test(
        "what names no server or no mount is refused",
        arguments: [
            "demo", "demo x", "demo ftp://host/m", "demo http://host:8000/", "demo http://host:8000/m?x=1",
            "demo http://a:b@host/m more",
        ])
    func refused(text: String) {
        #expect(throws: PushTarget.Mistake.self) { try PushTarget(text) }
    }

    @Test("waits grow to a minute; a server that says no is left alone for longer; sending sets it back")
    func backOff() {
        var backOff = PushBackOff()
        let waits = (0..<9).map { _ in backOff.wait(wasRefused: false, chance: 0.5) }
        #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60, 60])
        backOff.reset()
        #expect(backOff.wait(wasRefused: true, chance: 0.5) == 15)
        #expect((0.79...0.81).contains(PushBackOff.first(chance: 0)) && PushBackOff.first(chance: 1) <= 1.21)
    }

    @Test("the queue gives out what it took, in order, and refuses more than it may hold")
    func queue() {
        let queue = PushQueue(time: SystemTime())
        #expect(queue.add(Array(0..<100)) && queue.add(Array(100..<200)))
        var taken: [UInt8] = []
        while case let piece = queue.next(limit: 33), !piece.isEmpty { taken += piece }
        #expect(taken == Array(0..<200) && queue.count == 0 && queue.takenBytes == 200)
        #expect(queue.add([UInt8](repeating: 0, count: PushQueue.limit)))
        #expect(!queue.add([1]))
    }
}

extension PushBackOff {
    fileprivate static func first(chance: Double) -> Double {
        var fresh = PushBackOff()
        return fresh.wait(wasRefused: false, chance: chance)
    }
}

/// Takes streams as Icecast does, says no to every title, and counts them.
private final class Titleless: HTTPApplication {
    private let count = Lock(0)

    var asked: Int { count.withLock { $0 } }

    func plan(for head: RequestHead, from peer: PeerAddress) -> RequestPlan {
        head.method == "PUT" ? .stream : .collect(limit: 0)
    }

    func respond(to request: HTTPRequest, on exchange: HTTPExchange) {
        guard request.head.method == "PUT" else {
            count.withLock { $0 += 1 }
            return exchange.send(.text("no\n", status: 403))
        }
        exchange.sendContinue()
        exchange.takeOver { taken in
            let socket = taken.take().descriptor
            RawAnswer.send(Array("HTTP/1.0 200 OK\r\n\r\n".utf8), to: socket)
            Thread {
                _ = fcntl(socket, F_SETFL, 0)
                var piece = [UInt8](repeating: 0, count: 65_536)
                while recv(socket, &piece, piece.count, 0) > 0 {}
                close(socket)
            }.start()
        }
    }
}

@Suite("A station sent to other servers", .serialized)
struct PushTests {
    private static let frames = NumberedFrames()

    /// A feed that plays, and a desk that sends it.
    private final class Setting {
        let folder: TemporaryFolder
        let engine = TransferEngine()
        let feed: Feed
        let desk: PushDesk
        let live: LiveFrames

        init() throws {
            folder = try TemporaryFolder("push")
            var station = Station(id: "demo", name: "Demo Radio", urls: [])
            station.genre = "tones"
            let feed = Feed(station: station)
            self.feed = feed
            desk = PushDesk(engine: engine) { $0 == "demo" ? feed : nil }
            let frames = PushTests.frames
            feed.publish(format: frames.format)
            live = LiveFrames { numbers in
                feed.publish(
                    frames: FrameRun(
                        bytes: frames.units(numbers),
                        frames: numbers.map { _ in
                            FrameInfo(
                                length: Int32(frames.frameLength), samples: Int32(frames.samplesPerFrame))
                        }))
            }
        }

        deinit {
            live.stop()
            desk.close()
            engine.stop()
        }

        func push(
            to icecast: Icecast, as user: String = "source:\(Icecast.password)", mount: String = "live.mp3"
        )
            throws
        {
            desk.set([try PushTarget("demo http://\(user)@127.0.0.1:\(icecast.port)/\(mount)")])
        }

        func title(_ text: String) {
            feed.publish(
                title: RawTitle(source: .icy, text: Array(text.utf8)),
                reading: TitleText(text: text, kind: .track))
        }

        var status: PushStatus? { desk.statuses.first }
    }

    private static func heard(_ port: Int, _ mount: String, bytes: Int) -> (head: String, icy: IcyReader) {
        let listener = RawListener(port: UInt16(port), get: mount, headers: ["Icy-MetaData: 1"])
        return (listener.head(), IcyReader(listener.body(upTo: bytes)))
    }

    @Test("Icecast gets every frame, the titles and what the station says of itself")
    func whole() throws {
        let setting = try Setting()
        let icecast = try Icecast(in: setting.folder)
        setting.title("Zoë - First")
        try setting.push(to: icecast)
        #expect(
            eventually(within: 15) { setting.status?.state == .sending },
            "\(String(describing: setting.status))")
        #expect(eventually(within: 10) { setting.status?.titles == 1 })
        let (head, icy) = Self.heard(icecast.port, "live.mp3", bytes: 150_000)
        #expect(head.contains("icy-name:Demo Radio") && head.contains("icy-genre:tones"), "\(head)")
        #expect(head.contains("Content-Type: audio/mpeg") && head.contains("icy-pub:0"), "\(head)")
        #expect(icy.titles.contains { $0.contains("Zoë - First") }, "\(icy.titles)")
        let start = Self.frames.firstFrame(in: icy.audio)
        let audio = icy.audio[start...].prefix((icy.audio.count - start) / 417 * 417)
        #expect(audio.count > 100_000 && Judge.verdict(on: Array(audio), of: Self.frames).isPerfect)
        setting.title("Zoë - Second")
        #expect(eventually(within: 10) { setting.status?.titles == 2 })
        #expect(setting.feed.readerNames == ["push to http://127.0.0.1:\(icecast.port)/live.mp3"])
        setting.desk.set([])
        #expect(eventually(within: 5) { setting.feed.readerCount == 0 })
    }

    @Test("a station that changes its codec is a source of the other type from there on")
    func otherType() throws {
        let setting = try Setting()
        let icecast = try Icecast(in: setting.folder)
        try setting.push(to: icecast)
        #expect(eventually(within: 15) { setting.status?.state == .sending })
        func type() -> String {
            let head = RawListener(port: UInt16(icecast.port), get: "live.mp3").head()
            return head.split(separator: "\r\n").first { $0.hasPrefix("Content-Type") }.map(String.init)
                ?? head
        }
        #expect(type() == "Content-Type: audio/mpeg")
        setting.live.stop()
        // What it was doing when it was told to stop is over.
        Thread.sleep(forTimeInterval: 0.5)
        let adts = NumberedFrames(.adts)
        setting.feed.publish(format: adts.format)
        let feed = setting.feed
        let live = LiveFrames { numbers in
            feed.publish(
                frames: FrameRun(
                    bytes: adts.units(numbers),
                    frames: numbers.map { _ in
                        FrameInfo(length: Int32(adts.frameLength), samples: Int32(adts.samplesPerFrame))
                    }))
        }
        defer { live.stop() }
        #expect(
            eventually(within: 30) { setting.status?.connections == 2 && setting.status?.state == .sending },
            "\(String(describing: setting.status))")
        #expect(eventually(within: 15) { type() == "Content-Type: audio/aac" }, "\(type())")
        let (_, icy) = Self.heard(icecast.port, "live.mp3", bytes: 60_000)
        let start = adts.firstFrame(in: icy.audio)
        let count = (icy.audio.count - start) / adts.frameLength
        #expect(count > 50, "no frame of the old type is among them")
        let audio = Array(icy.audio[start...].prefix(count * adts.frameLength))
        #expect(Judge.verdict(on: audio, of: adts).isPerfect)
    }

    @Test("it comes back when the server does, and says why it was away")
    func reconnect() throws {
        let setting = try Setting()
        let first = try Icecast(in: setting.folder)
        let port = first.port
        try setting.push(to: first)
        #expect(eventually(within: 15) { setting.status?.state == .sending })
        first.stop()
        #expect(eventually(within: 10) { setting.status?.state == .waiting })
        #expect(setting.status?.reason?.isEmpty == false)
        let other = try TemporaryFolder("push")
        let second = try Icecast(in: other, port: port)
        defer { second.stop() }
        #expect(
            eventually(within: 40) { setting.status?.connections == 2 },
            "\(String(describing: setting.status))")
        let (_, icy) = Self.heard(port, "live.mp3", bytes: 60_000)
        let start = Self.frames.firstFrame(in: icy.audio)
        #expect(Judge.verdict(on: Array(icy.audio[start...].prefix(417 * 100)), of: Self.frames).isPerfect)
    }

    @Test("a wrong password and a mount in use are said, and tried again much later")
    func refused() throws {
        let setting = try Setting()
        let icecast = try Icecast(in: setting.folder)
        try setting.push(to: icecast, as: "source:wrong")
        #expect(
            eventually(within: 15) { setting.status?.reason?.hasPrefix("401") == true },
            "\(String(describing: setting.status))")
        let studio = try FFmpegSource.tone(440, to: icecast, mount: "taken.mp3", in: setting.folder)
        defer { studio.stop() }
        #expect(
            eventually(within: 15) {
                RawListener(port: UInt16(icecast.port), get: "taken.mp3").head().contains(" 200 ")
            })
        try setting.push(to: icecast, mount: "taken.mp3")
        #expect(
            eventually(within: 15) { setting.status?.reason?.hasPrefix("403") == true },
            "\(String(describing: setting.status))")
        #expect(setting.status?.state == .waiting && setting.status?.sentBytes == 0)
    }

    @Test("a server that takes no titles is told each one a few times at most, not once a second")
    func titleless() throws {
        let setting = try Setting()
        let (loops, server) = (try LoopGroup(count: 1, name: "titleless"), Titleless())
        defer { loops.stop() }
        let http = HTTPServer(loops: loops)
        let port = try http.listen(on: .tcp(host: "127.0.0.1", port: 0), application: server).port ?? 0
        setting.title("First")
        setting.desk.set([try PushTarget("demo http://source:x@127.0.0.1:\(port)/live.mp3")])
        #expect(eventually(within: 20) { server.asked == 3 }, "\(server.asked)")
        Thread.sleep(forTimeInterval: 4.5)
        #expect(server.asked == 3)
        setting.title("Second")
        #expect(eventually(within: 5) { server.asked == 4 })
        Thread.sleep(forTimeInterval: 2.5)
        #expect(server.asked == 4 && setting.status?.state == .sending && setting.status?.titles == 0)
    }

    @Test("another aircheck takes it as a source")
    func ours() throws {
        let setting = try Setting()
        let bench = try RelayBench([])
        setting.title("Over - There")
        setting.desk.set([try PushTarget("demo http://source:sourcesecret@127.0.0.1:\(bench.port)/there.mp3")]
        )
        #expect(
            eventually(within: 15) { setting.status?.titles == 1 }, "\(String(describing: setting.status))")
        #expect(bench.relay.sourceFeed("there.mp3")?.nowAiring?.text.text == "Over - There")
        let listener = RawListener(port: bench.port, get: "there.mp3")
        let body = listener.body(upTo: 200 * 417)
        #expect(Judge.verdict(on: Array(body.prefix(200 * 417)), of: Self.frames).isPerfect)
    }

    @Test("Ogg keeps its titles in the stream", arguments: [FFmpegSource.Coding.vorbis, .opus])
    func ogg(coding: FFmpegSource.Coding) throws {
        let folder = try TemporaryFolder("push")
        let file = folder.path("tone.ogg")
        let codec = coding == .opus ? ["-c:a", "libopus", "-ar", "48000"] : ["-c:a", "libvorbis"]
        let made = try RunningProgram.run(
            "ffmpeg",
            ["-loglevel", "error", "-f", "lavfi", "-i", "sine=frequency=440:duration=8", "-ac", "2"] + codec
                + [file],
            in: folder)
        #expect(made.exitCode == 0, "\(made.errors)")
        let feed = Feed(station: Station(id: "demo", name: "Demo Radio", urls: []))
        let playout = try Playout(file: file, into: feed)
        let icecast = try Icecast(in: folder)
        let engine = TransferEngine()
        defer { engine.stop() }
        let desk = PushDesk(engine: engine) { _ in feed }
        feed.publish(
            title: RawTitle(source: .icy, text: Array("Zoë - Tone".utf8)),
            reading: TitleText(text: "Zoë - Tone", artist: "Zoë", title: "Tone", kind: .track))
        playout.start()
        defer { playout.stop() }
        desk.set([try PushTarget("demo http://source:\(Icecast.password)@127.0.0.1:\(icecast.port)/tone.ogg")]
        )
        #expect(eventually(within: 15) { desk.statuses.first?.state == .sending })
        let probe = try RunningProgram.run(
            "ffprobe",
            ["-hide_banner", "-of", "flat", "-show_streams", icecast.url("tone.ogg")], in: folder, within: 30)
        #expect(probe.output.contains("codec_name=\"\(coding.rawValue)\""), "\(probe.errors)")
        #expect(probe.output.contains("Tone") && probe.output.contains("Zoë"), "\(probe.output)")
        let decoded = try RunningProgram.run(
            "ffmpeg", ["-loglevel", "warning", "-i", icecast.url("tone.ogg"), "-t", "2", "-f", "null", "-"],
            in: folder, within: 30)
        #expect(decoded.exitCode == 0)
        desk.close()
    }
}
