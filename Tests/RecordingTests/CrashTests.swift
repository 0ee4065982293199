import Foundation
import Platform
import StreamFormats
import TestPrograms
import TestStations
import Testing

@testable import Recording

@Suite("After a crash", .serialized)
struct CrashTests {
    @Test(
        "kill -9 at any moment leaves playable files with at most half a second missing, and they are closed",
        arguments: [
            1, 2, 3,
        ])
    func kill(round: Int) throws { try killOnce() }

    @Test("two hundred times", .enabled(if: LongRuns.areOn, "set AIRCHECK_TESTS=all"))
    func killOften() throws {
        for _ in 0..<200 { try killOnce() }
    }

    private func killOnce() throws {
        let folder = try TemporaryFolder("kill")
        let files = try folder.folder("files")
        let victim = try RunningProgram(
            try Self.victimPath(), [files, "4", "60"], in: folder, name: "victim")
        #expect(eventually(within: 20) { victim.output.contains("started") })
        // All four are on their way; before that there is nothing to be kept.
        #expect(
            eventually(within: 20) {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: files)) ?? []
                return names.count { $0.hasSuffix(".json") } == 4
            })
        Thread.sleep(forTimeInterval: Double.random(in: 0.3...2))
        let killed = SystemTime().now
        victim.stop(signal: SIGKILL)
        let recorder = Recorder()
        let closed = recorder.recover(folder: files, isDeep: true)
        #expect(closed.count == 4)
        let sent = Self.sent(victim.output, by: killed.advanced(bySeconds: -0.5))
        for facts in closed { try judge(facts, sent: sent, in: files) }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: files).allSatisfy { !$0.hasSuffix(".part") })
        #expect(recorder.recover(folder: files, isDeep: true).isEmpty)
    }

    /// Frames that the victim had published by then. It may sleep long and publish much at once just before its end.
    private static func sent(_ output: String, by time: MonotonicTime) -> Int {
        let lines = output.split(separator: "\n").compactMap { line -> (count: Int, at: Int64)? in
            let words = line.split(separator: " ")
            guard words.count == 4, words[0] == "sent", let count = Int(words[1]), let at = Int64(words[3])
            else { return nil }
            return (count, at)
        }
        return lines.last { $0.at <= time.nanoseconds }?.count ?? 0
    }

    private func judge(_ facts: RecordingFacts, sent: Int, in files: String) throws {
        let source = NumberedFrames(.mp3)
        let part = try #require(facts.parts.first)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: files + "/" + part.name)))
        let verdict = Judge.verdict(on: Array(bytes.dropFirst(Int(part.audioOffset))), of: source)
        #expect(verdict.isPerfect)
        #expect(verdict.first == 0)
        #expect(verdict.frames >= sent, "lost \(sent - verdict.frames) frames older than half a second")
        #expect(facts.state == .interrupted)
        #expect(facts.frames == Int64(verdict.frames))
        #expect(abs(facts.seconds - Double(verdict.frames) * source.secondsPerUnit) < 1e-6)
    }

    private static func victimPath() throws -> String {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return (own as NSString).deletingLastPathComponent + "/RecorderVictim"
    }

    @Test(
        "half a frame at the end is cut off, and the length is that of the frames", arguments: [1, 100, 416])
    func tornTail(extra: Int) throws {
        let (disk, facts) = try interrupted { bytes in bytes + NumberedFrames(.mp3).unit(60).prefix(extra) }
        #expect(facts.frames == 60)
        #expect(Judge.verdict(on: disk.audio(facts), of: NumberedFrames(.mp3)).isPerfect)
        #expect(facts.parts[0].name == "a.mp3")
        #expect(!facts.parts[0].isSuspect)
    }

    @Test("zeros that a power cut left at the end are cut off")
    func zeroTail() throws {
        let (_, facts) = try interrupted { $0 + [UInt8](repeating: 0, count: 8192) }
        #expect(facts.frames == 60)
    }

    @Test("damage inside is not hidden: the file is kept whole and marked suspect")
    func damage() throws {
        let (_, facts) = try interrupted { bytes in
            var bytes = bytes
            let place = bytes.count - 20 * 417
            bytes.replaceSubrange(place..<place + 50, with: [UInt8](repeating: 7, count: 50))
            return bytes
        }
        #expect(facts.parts[0].isSuspect)
        #expect((57...59).contains(facts.frames))
    }

    /// A library recording of 60 frames that was left open, with its bytes changed.
    private func interrupted(_ change: ([UInt8]) -> [UInt8]) throws -> (FakeDisk, RecordingFacts) {
        let rig = try RecordingRig(target: .library(folder: "/r", template: NameTemplate("a")))
        rig.title("A - One")
        rig.run(ticks: 6)
        rig.session.keep(journal: NoJournal())
        let bytes = try #require(rig.disk.bytes("/r/a.mp3.part"))
        rig.disk.put(change(bytes), at: "/r/a.mp3.part")
        let closed = Recorder(disk: rig.disk, time: rig.time).recover(folder: "/r", isDeep: false)
        #expect(closed.count == 1)
        let facts = try #require(closed.first)
        #expect(facts.state == .interrupted)
        #expect(facts.titles.map(\.text.text) == ["A - One"])
        #expect(rig.disk.paths == ["/r/a.json", "/r/a.mp3"])
        return (rig.disk, facts)
    }
}

extension FakeDisk {
    /// The audio of the first part.
    func audio(_ facts: RecordingFacts) -> [UInt8] {
        guard let part = facts.parts.first, let bytes = bytes(facts.folder + "/" + part.name) else {
            return []
        }
        return Array(bytes.dropFirst(Int(part.audioOffset)))
    }
}
