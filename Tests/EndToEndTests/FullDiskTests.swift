import Foundation
import JSONText
import TestPrograms
import TestStations
import Testing

/// A small file system that fills up under a recording of the service's, while somebody listens and the player plays.
@Suite(
    "EndToEnd: a full disk", .serialized, .enabled(if: getuid() == 0, "needs root, to mount a small tmpfs"))
struct FullDiskTests {
    /// Fifty seconds in the long runs; a few otherwise.
    private static let fullSeconds =
        ProcessInfo.processInfo.environment["AIRCHECK_TESTS"] == "all" ? 50.0 : 5

    private let folder: TemporaryFolder
    private let mounted: String
    private let source = NumberedFrames(.mp3)
    private let air: ScriptedStation

    init() throws {
        folder = try TemporaryFolder("full-service")
        mounted = try folder.folder("disk")
        air = try ScriptedStation(
            Programme(source), script: { _ in Step.icecast() + [.burst(2), .play(600)] })
    }

    private func service() throws -> AircheckService {
        try AircheckService(
            in: folder,
            stations: "[[station]]\nid = \"air\"\nname = \"Air\"\nurls = [\"\(air.url())\"]\nlocal = true\n",
            settings: """
                [player]
                output = "null"
                [paths]
                recordings = "\(mounted)"
                [recording]
                free_for_all = "0 B"
                free_for_new = "0 B"
                tag_reserve = "16 KiB"
                """)
    }

    @Test("nothing is lost, neither relay nor player notice, and it goes on within two seconds of room")
    func full() throws {
        let mount = try RunningProgram.run(
            "mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", mounted], in: folder)
        try #require(mount.exitCode == 0, "\(mount.errors)")
        defer { _ = try? RunningProgram.run("umount", ["-l", mounted], in: folder) }
        let service = try service()
        _ = try service.call("POST", "/api/v1/player/play", ["station": "air"])
        let heard = folder.path("heard.mp3")
        let listener = try RunningProgram(
            "curl", ["-s", "-o", heard, "\(service.address)/air"], in: folder, name: "listener")
        let id = try service.call("POST", "/api/v1/recordings", ["station": "air"])["id"]?.string ?? ""
        func recording() throws -> JSONValue { try service.get("/api/v1/recordings/\(id)") }
        #expect(eventually(within: 10) { ((try? recording()["seconds"]?.double) ?? 0) > 2 })
        try fill(mounted + "/ballast")
        let filled = Date()
        #expect(eventually(within: 5) { (try? recording()["waits_for"]?.string)?.contains("space") == true })
        #expect(Date().timeIntervalSince(filled) < 5, "it was not told of within five seconds")
        var worst = 0.0
        while Date().timeIntervalSince(filled) < Self.fullSeconds {
            let asked = Date()
            _ = try service.get("/api/v1/status")
            worst = max(worst, Date().timeIntervalSince(asked))
            #expect(try service.get("/api/v1/player")["state"]?.string == "live")
            Thread.sleep(forTimeInterval: 0.5)
        }
        #expect(worst < 2, "the API took \(worst) s")
        try FileManager.default.removeItem(atPath: mounted + "/ballast")
        let room = Date()
        #expect(eventually(within: 5) { (try? recording()["waits_for"]?.isNull) == true })
        let resumed = Date().timeIntervalSince(room)
        #expect(resumed < 2, "it went on after \(resumed) s")
        Thread.sleep(forTimeInterval: 1)
        let stopped = try service.call("POST", "/api/v1/recordings/\(id)/stop", nil)
        listener.stop()
        try judge(stopped, heard: heard, service)
        print("full for \(Self.fullSeconds) s: resumed after \(resumed) s, API at most \(worst) s")
        service.stop()
        air.stop()
    }

    private func judge(_ stopped: JSONValue, heard: String, _ service: AircheckService) throws {
        #expect(stopped["state"]?.string == "finished")
        #expect(stopped["lost_seconds"]?.double == 0)
        #expect(stopped["gaps"]?.array?.isEmpty == true)
        let path = stopped["path"]?.string ?? ""
        let recorded = Judge.verdict(
            on: Array(MP3File(try Data(contentsOf: URL(fileURLWithPath: path))).audio), of: source)
        #expect(recorded.isPerfect, "recorded \(recorded)")
        #expect(Double(recorded.frames) * source.secondsPerUnit > Self.fullSeconds + 3)
        let listened = try Judge.verdict(onFile: heard, of: source)
        // The connection ends where it ends, in mid frame.
        #expect(listened.lost == 0 && listened.doubled == 0 && listened.strayBytes < 417, "heard \(listened)")
        #expect(Double(listened.frames) * source.secondsPerUnit > Self.fullSeconds + 3)
        let verified = try service.command(["recordings", "verify", stopped["id"]?.string ?? ""])
        #expect(verified.exitCode == 0, "\(verified.output)")
        let probe = try RunningProgram.run(
            "ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path], in: folder
        )
        let seconds = Double(probe.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
        #expect(abs(seconds - Double(recorded.frames) * source.secondsPerUnit) < 0.03)
    }

    /// Takes all the room there is.
    private func fill(_ path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        let block = [UInt8](repeating: 0, count: 4096)
        while write(file, block, block.count) > 0 {}
    }
}
