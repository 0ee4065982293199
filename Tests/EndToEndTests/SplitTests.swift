import Foundation
import Glibc
import JSONText
import TestPrograms
import TestStations
import Testing

/// Tracks by the command, of a station whose every frame is known.
@Suite("EndToEnd: a file per track", .serialized)
struct SplitTests {
    @Test("no frame is missing at the head, a fifth of a second at most at the tail, none between the tracks")
    func ends() throws {
        let folder = try TemporaryFolder("split")
        let source = NumberedFrames(.mp3)
        let unit = { (seconds: Double) in Int(seconds / source.secondsPerUnit) }
        let titles: [Programme.Title] = [
            .init(at: 0, "Ada - One"), .init(at: unit(12), "Bob - Two"), .init(at: unit(24), "Cid - Three"),
        ]
        // Its first frame is the programme's first.
        let air = try ScriptedStation(
            Programme(source, titles: titles, past: 30),
            script: { _ in Step.icecast() + [.join(unit: 0), .play(600)] })
        // It is not there yet.
        let tracks = folder.path("songs/tracks")
        let command = try Built.start(
            ["record", air.url(), "--tracks", tracks, "--direct", "--json"], in: folder, name: "record")
        #expect(eventually(within: 40) { air.liveUnit > unit(40) })
        let sent = air.liveUnit
        kill(command.pid, SIGINT)
        #expect(eventually(within: 20) { !command.isRunning })
        let facts = try JSONValue.parse(command.output, limit: 4 << 20)
        let names = (facts["tracks"]?.array ?? []).compactMap { $0["name"]?.string }
        #expect(names.count == 3, "\(names)")
        let verdicts = try names.map { name in
            let file = MP3File(try Data(contentsOf: URL(fileURLWithPath: tracks + "/" + name)))
            return Judge.verdict(on: Array(file.audio), of: source)
        }
        #expect(verdicts.allSatisfy { $0.isPerfect }, "\(verdicts)")
        let numbers = verdicts.flatMap(\.numbers)
        #expect(numbers == Array(0..<numbers.count), "\(verdicts)")
        let tail = Double(sent - numbers.count) * source.secondsPerUnit
        print("tail \(tail) s")
        #expect(tail <= 0.2, "\(tail) s are missing at the end")
        air.stop()
    }
}
