import Foundation
import JSONText
import TestPrograms
import TestStations
import Testing

/// kill -9 at any moment, while a stream is read as it comes and once it is read in rounds, costs half a second at most, and the
/// next start says what happened.
@Suite("EndToEnd: crashes", .serialized)
struct CrashTests {
    @Test(
        "after kill -9 the file is playable, at most half a second short, and marked as interrupted",
        arguments: [2.0, 13, 13])
    func killed(burst: Double) throws {
        let folder = try TemporaryFolder("crash")
        let source = NumberedFrames(.mp3)
        let air = try ScriptedStation(
            Programme(source), script: { _ in Step.icecast() + [.burst(burst), .play(600)] })
        let service = try AircheckService(
            in: folder,
            stations: "[[station]]\nid = \"air\"\nname = \"Air\"\nurls = [\"\(air.url())\"]\nlocal = true\n",
            settings: "[player]\noutput = \"null\"\n")
        let id = try service.call("POST", "/api/v1/recordings", ["station": "air"])["id"]?.string ?? ""
        #expect(
            eventually(within: 10) {
                (try? service.get("/api/v1/recordings/\(id)")["seconds"]?.double ?? 0) ?? 0 > burst + 3
            })
        let path = try service.get("/api/v1/recordings/\(id)")["path"]?.string ?? ""
        // What it would cost at any moment, before it is killed at one.
        var most = 0.0
        for _ in 0..<Int.random(in: 60...100) {
            let onAir = air.liveUnit
            let tail = MP3File(try Data(contentsOf: URL(fileURLWithPath: path))).audio.suffix(
                4 * source.frameLength)
            let written = Judge.verdict(on: Array(tail), of: source).last ?? 0
            most = max(most, Double(onAir - written) * source.secondsPerUnit)
            Thread.sleep(forTimeInterval: 0.02)
        }
        #expect(most <= 0.5, "\(most) s would be missing")
        let onAir = air.liveUnit
        kill(service.pid, SIGKILL)
        service.stop()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let verdict = Judge.verdict(on: Array(MP3File(bytes).audio), of: source)
        #expect(verdict.lost == 0)
        #expect(verdict.doubled == 0)
        let missing = Double(onAir - (verdict.last ?? 0)) * source.secondsPerUnit
        #expect(missing <= 0.5, "\(missing) s are missing after a burst of \(burst) s")
        let decoded = try RunningProgram.run(
            "ffmpeg", ["-v", "error", "-i", path, "-f", "null", "-"], in: folder)
        #expect(decoded.exitCode == 0)
        try service.start()
        #expect(
            eventually(within: 10) {
                (try? service.get("/api/v1/recordings/\(id)")["state"]?.string) == "interrupted"
            })
        let found = try service.get("/api/v1/recordings/\(id)")
        let whole = MP3File(try Data(contentsOf: URL(fileURLWithPath: found["path"]?.string ?? ""))).audio
        #expect(Judge.verdict(on: Array(whole), of: source).frames == verdict.frames)
        service.stop()
        air.stop()
    }

    @Test("SIGTERM finishes a recording, and costs nothing that had come")
    func terminated() throws {
        let folder = try TemporaryFolder("term")
        let source = NumberedFrames(.mp3)
        let air = try ScriptedStation(
            Programme(source), script: { _ in Step.icecast() + [.burst(13), .play(600)] })
        let file = folder.path("whole.mp3")
        let recording = try Built.start(["record", air.url(), "--whole", file], in: folder, name: "record")
        Thread.sleep(forTimeInterval: 3)
        let onAir = air.liveUnit
        let code = recording.stop()
        #expect(code == 0)
        let verdict = Judge.verdict(
            on: Array(MP3File(try Data(contentsOf: URL(fileURLWithPath: file))).audio), of: source)
        #expect(verdict.isPerfect, "\(verdict)")
        #expect(Double(onAir - (verdict.last ?? 0)) * source.secondsPerUnit < 0.4)
        air.stop()
    }

    @Test("a stand-alone recording that was killed is closed by the next one in its folder")
    func killedAlone() throws {
        let folder = try TemporaryFolder("alone")
        let source = NumberedFrames(.mp3)
        let air = try ScriptedStation(
            Programme(source), script: { _ in Step.icecast() + [.burst(2), .play(600)] })
        defer { air.stop() }
        let files = try folder.folder("files")
        let words = ["record", air.url(), "-o", files, "--direct", "--quiet"]
        let victim = try Built.start(words + ["--format", "first"], in: folder, name: "victim")
        let part = files + "/first.mp3.part"
        #expect(
            eventually(within: 20) {
                (try? Data(contentsOf: URL(fileURLWithPath: part)).count) ?? 0 > 200_000
            })
        victim.stop(signal: SIGKILL)
        let next = try Built.run(words + ["--format", "second", "--for", "2s"], in: folder)
        #expect(next.exitCode == 0, "\(next.errors)")
        let text = try String(contentsOfFile: files + "/first.json", encoding: .utf8)
        let facts = try JSONValue.parse(text, limit: 4 << 20)
        #expect(facts["state"]?.string == "interrupted")
        let audio = MP3File(try Data(contentsOf: URL(fileURLWithPath: files + "/first.mp3"))).audio
        #expect(Judge.verdict(on: Array(audio), of: source).isPerfect)
    }
}
