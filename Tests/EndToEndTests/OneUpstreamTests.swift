import Foundation
import JSONText
import TestPrograms
import TestStations
import Testing

/// One connection to the station, whatever reads it; and what is read is what the station sent.
@Suite(
    "EndToEnd: one upstream", .serialized,
    .enabled(if: RunningProgram.isInstalled("icecast2"), "needs icecast2"))
struct OneUpstreamTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("one-upstream") }

    private func station(_ icecast: Icecast, _ mount: String) -> String {
        """
        [[station]]
        id = "\(mount)"
        name = "\(mount)"
        urls = ["\(icecast.url(mount))"]
        local = true

        """
    }

    @Test("a player, three recordings and fifty listeners are one listener of Icecast's")
    func everybodyAtOnce() throws {
        let icecast = try Icecast(in: folder)
        let source = try FFmpegSource.tone(440, to: icecast, mount: "tone", in: folder)
        #expect(eventually(within: 15) { (try? icecast.hasSource("tone", in: folder)) == true })
        let service = try AircheckService(
            in: folder, stations: station(icecast, "tone"), settings: "[player]\noutput = \"null\"\n")
        try service.call("POST", "/api/v1/player/play", ["station": "tone"])
        for _ in 0..<3 { try service.call("POST", "/api/v1/recordings", ["station": "tone"]) }
        let listeners = try RunningProgram(
            "curl",
            ["-s", "-Z", "--parallel-immediate", "--parallel-max", "60", "-m", "20", "-o", "/dev/null"]
                + (0..<50).flatMap { ["\(service.address)/tone?\($0)", "-o", "/dev/null"] }.dropLast(2),
            in: folder,
            name: "listeners")
        #expect(eventually(within: 15) { (try? service.get("/api/v1/status")["listeners"]?.int) == 50 })
        let status = try service.get("/api/v1/status")
        #expect(status["recordings"]?.array?.count == 3)
        #expect(eventually(within: 10) { (try? service.get("/api/v1/player")["state"]?.string) == "live" })
        #expect(try icecast.listeners(of: "tone", in: folder) == 1)
        listeners.stop()
        service.stop()
        source.stop()
    }

    @Test("a station that is about to be heard is connected once, and left again where nobody plays it")
    func aboutToBeHeard() throws {
        let icecast = try Icecast(in: folder)
        let source = try FFmpegSource.tone(440, to: icecast, mount: "tone", in: folder)
        #expect(eventually(within: 15) { (try? icecast.hasSource("tone", in: folder)) == true })
        let service = try AircheckService(
            in: folder, stations: station(icecast, "tone"), settings: "[ingest]\nlinger = \"0s\"\n")
        for _ in 0..<3 {
            #expect(try service.call("POST", "/api/v1/stations/tone/warm", [:])["held"] == true)
        }
        #expect(
            eventually(within: 10) {
                (try? service.get("/api/v1/stations/tone/now")["state"]?.string) == "live"
            })
        #expect(try icecast.listeners(of: "tone", in: folder) == 1)
        #expect(eventually(within: 30) { (try? icecast.listeners(of: "tone", in: folder)) == 0 })
        service.stop()
        source.stop()
    }

    @Test("where data is saved, nothing is connected that nobody hears")
    func dataSaver() throws {
        let icecast = try Icecast(in: folder)
        let source = try FFmpegSource.tone(440, to: icecast, mount: "tone", in: folder)
        #expect(eventually(within: 15) { (try? icecast.hasSource("tone", in: folder)) == true })
        let service = try AircheckService(
            in: folder, stations: station(icecast, "tone"), settings: "[player]\ndata_saver = true\n")
        #expect(try service.call("POST", "/api/v1/stations/tone/warm", [:])["held"] == false)
        #expect(try service.get("/api/v1/stations/tone/now")["state"]?.string == "idle")
        service.stop()
        source.stop()
    }

    @Test("a recording of an Icecast station is byte for byte what Icecast sent")
    func bitExact() throws {
        let icecast = try Icecast(in: folder)
        let source = try FFmpegSource.tone(440, to: icecast, mount: "tone", in: folder)
        try icecast.awaitSources("tone", in: folder)
        let seconds = ProcessInfo.processInfo.environment["AIRCHECK_TESTS"] == "all" ? 60 : 12
        // Another listener of Icecast's is the witness: it hears at least what the recording holds.
        let witness = try RunningProgram(
            "curl", ["-s", "-m", "\(seconds + 12)", "-o", folder.path("witness.mp3"), icecast.url("tone")],
            in: folder,
            name: "witness")
        Thread.sleep(forTimeInterval: 1)
        let file = folder.path("whole.mp3")
        let recorded = try Built.run(
            ["record", icecast.url("tone"), "--whole", file, "--for", "\(seconds)s"], in: folder,
            within: Double(seconds + 30))
        #expect(recorded.exitCode == 0, "\(recorded.errors)")
        Thread.sleep(forTimeInterval: 2)
        witness.stop()
        source.stop()
        let heard = try Data(contentsOf: URL(fileURLWithPath: folder.path("witness.mp3")))
        let audio = MP3File(try Data(contentsOf: URL(fileURLWithPath: file))).audio
        let expected = Double(seconds) * 16_000
        #expect(Double(audio.count) > expected * 0.9)
        #expect(
            heard.range(of: audio) != nil,
            "the recording's \(audio.count) bytes are not a part of what was sent")
    }
}

/// A recorded MP3 file without what aircheck puts before and behind the frames.
struct MP3File {
    let audio: Data

    init(_ file: Data) {
        var rest = file[...]
        if rest.starts(with: Array("ID3".utf8)) {
            let size = rest.dropFirst(6).prefix(4).reduce(0) { $0 << 7 | Int($1) }
            rest = rest.dropFirst(size + 10)
        }
        let head = rest.prefix(200)
        if head.range(of: Data("Info".utf8)) != nil || head.range(of: Data("Xing".utf8)) != nil {
            // The seek table is one frame of MPEG-1 layer III at the stream's rate; the next sync ends it.
            let next = rest.dropFirst(4).range(of: Data([0xFF, 0xFB])) ?? rest.startIndex..<rest.startIndex
            rest = rest[next.lowerBound...]
        }
        audio = Data(rest)
    }
}
