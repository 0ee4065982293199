import Foundation
import JSONText
import TestPrograms
import TestStations
import Testing

/// What has been on the air already becomes a file: from memory and from the window on the disk.
@Suite("EndToEnd: keeping the past", .serialized)
struct KeepTests {
    private let folder: TemporaryFolder
    private let source = NumberedFrames(.mp3)
    /// Four seconds of programme a second: a song of 40 s lasts 10.
    private static let speed = 4.0
    private static let past = 30.0
    /// Seconds of programme at which the songs begin.
    private static let (second, third) = (past + 8, past + 48)

    init() throws { folder = try TemporaryFolder("keep") }

    private func unit(_ seconds: Double) -> Int { Int(seconds / source.secondsPerUnit) }

    private func station() throws -> ScriptedStation {
        let titles: [Programme.Title] = [
            .init(at: 0, "Old - One"), .init(at: unit(Self.second), "Ada - Two"),
            .init(at: unit(Self.third), "Bob - Three"),
        ]
        let programme = Programme(source, titles: titles, speed: Self.speed, past: Self.past)
        return try ScriptedStation(programme, script: { _ in Step.icecast() + [.burst(5), .play(2000)] })
    }

    private func service(_ air: ScriptedStation, window: String = "") throws -> AircheckService {
        try AircheckService(
            in: folder,
            stations: """
                [[station]]
                id = "air"
                name = "Air"
                urls = ["\(air.url())"]
                local = true
                \(window)
                """,
            settings: "[player]\noutput = \"null\"\n[window]\nmemory = \"20s\"\n")
    }

    private func audio(_ path: String) throws -> [UInt8] {
        Array(MP3File(try Data(contentsOf: URL(fileURLWithPath: path))).audio)
    }

    @Test(
        "an armed station is kept connected; its song is kept from its start on the disk to its end to come")
    func song() throws {
        let air = try station()
        let service = try service(air, window: "window = \"5h\"")
        // The title's frame has left the memory of twenty seconds when it is asked for.
        #expect(eventually(within: 20) { air.liveUnit > unit(Self.second + 30) })
        let past = try service.get("/api/v1/stations/air/past")
        #expect(past["titles"]?.array?.last?["title"]?.string == "Two")
        #expect(past["armed_seconds"]?.int == 18_000)
        let kept = try service.command(["keep", "song", "air", "--json"], within: 40)
        #expect(kept.exitCode == 0, "\(kept.errors)")
        let recording = try JSONValue.parse(kept.output, limit: 1 << 20)
        let path = recording["path"]?.string ?? ""
        #expect(path.hasSuffix("/Ada - Two.mp3"), "\(path)")
        let verdict = Judge.verdict(on: try audio(path), of: source)
        #expect(verdict.isPerfect, "\(verdict)")
        // The frames of the test hold noise without an onset: cut where the metadata says, within an interval of it.
        #expect(abs(Double(verdict.first ?? 0) * source.secondsPerUnit - Self.second) < 2)
        #expect(abs(Double(verdict.last ?? 0) * source.secondsPerUnit - Self.third) < 2)
        #expect(air.requests.count == 1, "one connection for all of it")
        service.stop()
        air.stop()
    }

    @Test("the last seconds and those since a moment come from the disk and memory without a seam")
    func spans() throws {
        let air = try station()
        let service = try service(air)
        _ = try service.call("POST", "/api/v1/player/play", ["station": "air"])
        #expect(eventually(within: 20) { air.liveUnit > unit(Self.past + 30) })
        let edge = air.liveUnit
        let last = try service.command(["keep", "--last", "6s", "--json"])
        #expect(last.exitCode == 0, "\(last.errors)")
        let recording = try JSONValue.parse(last.output, limit: 1 << 20)
        let verdict = Judge.verdict(on: try audio(recording["path"]?.string ?? ""), of: source)
        #expect(verdict.isPerfect, "\(verdict)")
        // Six seconds of the clock are twenty-four of the programme; the command itself takes a moment.
        let seconds = Double(verdict.frames) * source.secondsPerUnit
        #expect((22.0...27.0).contains(seconds), "\(seconds) s")
        #expect(Double(edge - (verdict.last ?? 0)) * source.secondsPerUnit < 3)
        #expect(recording["titles"]?.array?.contains { $0["title"]?.string == "Two" } == true)
        let since = try service.command(["keep", "air", "--since", "00:00", "--json"])
        let all = try JSONValue.parse(since.output, limit: 1 << 20)
        let whole = Judge.verdict(on: try audio(all["path"]?.string ?? ""), of: source)
        #expect(whole.isPerfect, "\(whole)")
        #expect(whole.frames > verdict.frames)
        service.stop()
        air.stop()
    }

    @Test("what was never held is refused in words, and the remedy says where to look")
    func nothing() throws {
        let air = try station()
        let service = try service(air)
        let refused = try service.command(["keep", "air", "--last", "1m"])
        #expect(
            refused.exitCode == 65 && refused.errors.contains("nothing of Air is held"), "\(refused.errors)")
        let unnamed = try service.command(["keep", "song"])
        #expect(unnamed.errors.contains("the player plays nothing"), "\(unnamed.errors)")
        let bare = try service.command(["keep"])
        #expect(bare.exitCode == 64 && bare.errors.contains("--last or --since"), "\(bare.errors)")
        service.stop()
        air.stop()
    }
}
