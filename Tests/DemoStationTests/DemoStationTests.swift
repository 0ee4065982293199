@testable import DemoStation
import Platform
import TestClients
import TestPrograms
import Testing

/// One round of the programme.
private let programme: [UInt8] = {
    var bytes: [UInt8] = []
    DemoProgramme.append(from: 0, to: DemoProgramme.loopBytes, onto: &bytes)
    return bytes
}()

/// Audio and titles of an ICY stream: each title with the audio byte it stands before.
private func demux(_ stream: [UInt8], interval: Int) -> (audio: [UInt8], titles: [(at: Int, text: String)]) {
    var (audio, titles): ([UInt8], [(Int, String)]) = ([], [])
    var rest = stream[...]
    while rest.count > interval {
        audio += rest.prefix(interval)
        rest = rest.dropFirst(interval)
        let length = Int(rest.first ?? 0) * 16
        guard rest.count > length else { break }
        let block = rest.dropFirst().prefix(length).prefix { $0 != 0 }
        if length > 0 { titles.append((audio.count, String(decoding: block, as: UTF8.self))) }
        rest = rest.dropFirst(1 + length)
    }
    return (audio + rest, titles)
}

@Suite("Demo programme")
struct DemoProgrammeTests {
    @Test("is three pieces of whole frames that each stand alone")
    func frames() {
        #expect(DemoProgramme.loopBytes == 3 * DemoProgramme.pieceBytes && DemoProgramme.titles.count == 3)
        for start in stride(from: 0, to: programme.count, by: Int(DemoProgramme.frameBytes)) {
            // MPEG-1 Layer III without a checksum, 64 kbit/s, 48 kHz, no padding, mono; nothing borrowed from frames before.
            #expect(programme[start] == 0xFF && programme[start + 1] == 0xFB && programme[start + 2] == 0x54)
            #expect(
                programme[start + 3] >> 6 == 3 && programme[start + 4] == 0 && programme[start + 5] >> 7 == 0)
        }
    }

    @Test("announces an umlaut and an apostrophe")
    func titles() {
        #expect(DemoProgramme.titles.contains { $0.contains("ö") && $0.contains("'") })
    }

    @Test(
        "every title stands before the first frame of its piece, wherever one joins",
        arguments: [0, 65_536, 100_000, 391_679, 5_000_000])
    func titlePlaces(live: Int64) {
        var listener = DemoListener(joiningAt: live, wantsTitles: true)
        let start = listener.position
        #expect(start % DemoProgramme.metaInterval == 0 && live - start >= min(live, DemoListener.burst))
        var stream: [UInt8] = []
        for step in stride(from: live, through: start + 3 * DemoProgramme.pieceBytes, by: 3 * 192) {
            stream += listener.take(upTo: step)
        }
        let (audio, titles) = demux(stream, interval: Int(DemoProgramme.metaInterval))
        for (index, title) in titles.enumerated() {
            let place = start + Int64(title.at)
            #expect(title.text == "StreamTitle='\(DemoProgramme.titles[DemoProgramme.piece(at: place)])';")
            if index > 0 { #expect(place % DemoProgramme.pieceBytes == 0) }
        }
        #expect(titles.count >= 3)
        var expected: [UInt8] = []
        DemoProgramme.append(from: start, to: start + Int64(audio.count), onto: &expected)
        #expect(audio == expected)
    }
}

@Suite("Demo station")
struct DemoStationTests {
    private static let request = "GET / HTTP/1.0\r\n"

    @Test("is decoded by ffmpeg without a complaint")
    func realDecoder() throws {
        let station = try DemoStation()
        defer { station.stop() }
        let folder = try TemporaryFolder("demo")
        let heard = try RunningProgram.run(
            "ffmpeg",
            [
                "-v", "error", "-icy", "1", "-i", "http://127.0.0.1:\(station.port)/", "-t", "5", "-f",
                "null", "-",
            ],
            in: folder, within: 20)
        #expect(heard.exitCode == 0 && heard.errors == "")
    }

    @Test("sends a burst at once and the rest as time passes, byte for byte")
    func plain() async throws {
        let time = ManualTime()
        let station = try DemoStation(time: time)
        defer { station.stop() }
        let client = try RawClient(port: station.port)
        client.send(Self.request + "\r\n")
        #expect(await client.read(count: 69_120))
        let head = client.head
        #expect(head.hasPrefix("HTTP/1.0 200 OK\r\n") && head.contains("icy-name: aircheck demo\r\n"))
        #expect(!head.contains("metaint") && !head.contains("Transfer-Encoding"))
        await settle()
        await client.receiveSome(atMost: 1 << 20, seconds: 0.1)
        #expect(client.body.count == 69_120)
        time.advance(bySeconds: 24)
        #expect(await client.read(count: head.utf8.count + 69_120 + 1000 * 192))
        #expect(client.body == Array((programme + programme).prefix(client.body.count)))
    }

    /// Long enough for a station that sends too much to be caught.
    private func settle() async { try? await Task.sleep(for: .milliseconds(400)) }

    @Test("interleaves titles for those who ask")
    func titled() async throws {
        let time = ManualTime()
        let station = try DemoStation(time: time)
        defer { station.stop() }
        let client = try RawClient(port: station.port)
        client.send(Self.request + "icy-metadata: 1\r\n\r\n")
        #expect(await client.read(until: "Morning Light"))
        #expect(client.head.contains("icy-metaint: 7680\r\n"))
        for title in ["Die Röhrenfreunde - Don't Touch That Dial", "The Carrier Waves - Night Drive"] {
            time.advance(bySeconds: 17)
            #expect(await client.read(until: "StreamTitle='\(title)';"))
        }
        let (audio, titles) = demux(client.body, interval: 7680)
        #expect(
            titles.map(\.at) == [7680, 130_560, 261_120] && audio.starts(with: programme.prefix(261_120)))
    }

    @Test("serves many at once and forgets those who leave or never read")
    func many() async throws {
        let time = ManualTime()
        let station = try DemoStation(time: time)
        defer { station.stop() }
        let clients = try (0..<40).map { _ in try RawClient(port: station.port) }
        let slow = try RawClient(port: station.port, receiveBuffer: 4096)
        for client in clients + [slow] { client.send(Self.request + "\r\n") }
        for client in clients { #expect(await client.read(count: 65_536)) }
        for client in clients.prefix(20) { client.close(abruptly: true) }
        for _ in 0..<4 {
            time.advance(bySeconds: 40)
            let wanted = clients[39].received.count + 300_000
            for client in clients.suffix(20) { #expect(await client.read(count: wanted)) }
        }
        while await slow.receiveSome() {}
        #expect(slow.sawEnd && slow.body.count < clients[39].body.count)
        #expect(clients.suffix(20).allSatisfy { $0.body.starts(with: programme.prefix(100_000)) })
    }

    @Test("answers HEAD, refuses other paths and taken ports, and is gone after stop")
    func edges() async throws {
        let station = try DemoStation()
        #expect(throws: SystemError.self) { try DemoStation(port: station.port) }
        let head = try RawClient(port: station.port)
        head.send("HEAD /demo HTTP/1.0\r\nIcy-MetaData: 1\r\n\r\n")
        #expect(await head.readToEnd().contains("icy-metaint: 7680"))
        let other = try RawClient(port: station.port)
        other.send("GET /other HTTP/1.0\r\n\r\n")
        #expect(await other.readToEnd().hasPrefix("HTTP/1.1 404"))
        let listener = try RawClient(port: station.port)
        listener.send(Self.request + "\r\n")
        #expect(await listener.read(count: 65_536))
        station.stop()
        while await listener.receiveSome() {}
        #expect(listener.sawEnd)
        #expect(throws: RawClient.ConnectError.self) { try RawClient(port: station.port) }
    }
}
