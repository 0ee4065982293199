import Foundation
import JSONText
import TestPrograms
import Testing

/// The helper that decodes and makes the sound may die; nobody else notices, and the sound comes back.
@Suite(
    "EndToEnd: the helper dies", .serialized,
    .enabled(
        if: ["icecast2", "pulseaudio", "parec", "pgrep"].allSatisfy(RunningProgram.isInstalled),
        "needs icecast2, pulseaudio and procps"))
struct HelperDeathTests {
    @Test("killed again and again, sound is back within a second, and the recording beside it is bit for bit")
    func killed() throws {
        let times = ProcessInfo.processInfo.environment["AIRCHECK_TESTS"] == "all" ? 20 : 3
        let folder = try TemporaryFolder("helper-death")
        let icecast = try Icecast(in: folder)
        let pulse = try PulseServer(in: folder)
        let source = try FFmpegSource.tone(1000, to: icecast, mount: "tone", in: folder)
        try icecast.awaitSources("tone", in: folder)
        let service = try AircheckService(
            in: folder,
            stations:
                "[[station]]\nid = \"tone\"\nname = \"Tone\"\nurls = [\"\(icecast.url("tone"))\"]\nlocal = true\n",
            environment: ["PULSE_SERVER": pulse.address])
        let witness = try RunningProgram(
            "curl", ["-s", "-m", "\(times * 4 + 60)", "-o", folder.path("witness.mp3"), icecast.url("tone")],
            in: folder, name: "witness")
        Thread.sleep(forTimeInterval: 1)
        try service.call("POST", "/api/v1/player/play", ["station": "tone"])
        let recording = try service.call("POST", "/api/v1/recordings", ["station": "tone"])
        let id = try #require(recording["id"]?.string)
        #expect(eventually(within: 15) { (try? service.get("/api/v1/player")["state"]?.string) == "live" })
        Thread.sleep(forTimeInterval: 2)
        let ear = try pulse.listen(to: "heard")
        Thread.sleep(forTimeInterval: 2)
        for _ in 0..<times {
            kill(try helper(of: service, in: folder), SIGKILL)
            Thread.sleep(forTimeInterval: 3.5)
            #expect(try service.get("/api/v1/player")["state"]?.string == "live")
        }
        ear.stop()
        try service.call("POST", "/api/v1/recordings/\(id)/stop", [:])
        #expect(
            eventually(within: 15) {
                (try? service.get("/api/v1/status")["recordings"]?.array?.isEmpty) == true
            })
        Thread.sleep(forTimeInterval: 2)
        witness.stop()
        let gaps = try Self.gaps(Data(contentsOf: URL(fileURLWithPath: ear.outputPath)))
        print(
            "helper killed \(times) times; silences of \(gaps.map { "\(Int($0 * 1000)) ms" }.joined(separator: ", "))"
        )
        #expect(gaps.allSatisfy { $0 < 1 }, "\(gaps)")
        #expect(gaps.reduce(0, +) < Double(times), "\(gaps)")
        let path = try #require(try service.get("/api/v1/recordings/\(id)")["path"]?.string)
        let audio = MP3File(try Data(contentsOf: URL(fileURLWithPath: path))).audio
        let heard = try Data(contentsOf: URL(fileURLWithPath: folder.path("witness.mp3")))
        #expect(Double(audio.count) > Double(times) * 3.5 * 16_000 * 0.9)
        #expect(
            heard.range(of: audio) != nil,
            "the recording's \(audio.count) bytes are not a part of what was sent")
        service.stop()
        source.stop()
    }

    /// The helper that plays: others may work beside it.
    private func helper(of service: AircheckService, in folder: TemporaryFolder) throws -> Int32 {
        let found = try RunningProgram.run(
            "pgrep", ["-P", "\(service.pid)", "-f", "aircheck-media play"], in: folder)
        let pid = found.output.split(separator: "\n").first.flatMap { Int32($0) }
        return try #require(pid, "there is no helper")
    }

    /// Seconds of each silence of more than 20 ms behind the first sound, one at the end too. 16 bit stereo, 44.1 kHz.
    private static func gaps(_ data: Data) throws -> [Double] {
        var gaps: [Double] = []
        var silent = 0
        var hasBegun = false
        data.withUnsafeBytes { bytes in
            for place in stride(from: 0, to: bytes.count - 3, by: 4) {
                let sample = Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)
                // A tone crosses zero, but never for a millisecond.
                if abs(Int(sample)) < 32 { silent += 1; continue }
                if hasBegun, silent > 882 { gaps.append(Double(silent) / 44_100) }
                hasBegun = true
                silent = 0
            }
        }
        try #require(hasBegun, "nothing was heard")
        if silent > 882 { gaps.append(Double(silent) / 44_100) }
        return gaps
    }
}
