import Feed
import Foundation
import Platform
import StreamFormats
import TestPrograms
import TestStations
import Testing

@testable import Recording

@Suite("Tracks after a crash")
struct TrackCrashTests {
    private func audio(_ disk: FakeDisk, _ path: String) -> [UInt8] {
        let bytes = disk.bytes(path) ?? []
        let tag = ID3.length(ofTagAt: bytes)
        let xing = XingFrame(at: Array(bytes.dropFirst(tag).prefix(2000)))?.bytes.count ?? 0
        return Array(bytes.dropFirst(tag + xing))
    }

    @Test(
        "at every moment around a cut a crash leaves tracks that join without a lost or doubled frame",
        arguments: 200..<225)
    func crash(ticks: Int) throws {
        let sound = ScriptedSound(songs: [0, 40], silences: [39.2...40])
        let request = TrackRequest(folder: "/r", template: try NameTemplate("{station}/{title}"))
        let rig = try RecordingRig(target: nil, sound: sound, change: { $0.tracks = request })
        rig.title("One")
        rig.run(ticks: 157)
        rig.title("Two")
        for tick in 157..<ticks {
            rig.run(ticks: 1)
            // The keeper comes along at times; a crash may fall before, between and after.
            if tick % 4 == 0 { rig.session.keep(journal: NoJournal()) }
        }
        let closed = Recorder(disk: rig.disk, time: rig.time).recover(folder: "/r", isDeep: true)
        #expect(closed.map(\.state) == [.interrupted])
        let paths = rig.disk.paths.filter { $0.hasSuffix(".mp3") }.sorted { $0 < $1 }
        let numbers = paths.flatMap { Judge.verdict(on: audio(rig.disk, $0), of: rig.source).numbers }
        #expect(numbers == Array(0..<ticks * 10), "\(paths)")
        #expect(rig.disk.paths.filter { $0.hasSuffix(".part") }.isEmpty)
    }
}

@Suite("Going on after an interruption")
struct ContinuationTests {
    @Test("the same recording goes on in another file, with the break in its ledger")
    func goesOn() throws {
        let rig = try RecordingRig(target: .library(folder: "/r", template: NameTemplate("show")))
        rig.title("One")
        rig.run(ticks: 20)
        rig.session.keep(journal: NoJournal())
        let closed = Recorder(disk: rig.disk, time: rig.time).recover(folder: "/r", isDeep: false)
        let earlier = try #require(closed.first)
        rig.time.advance(bySeconds: 30)
        let second = try RecordingRig(
            target: .library(folder: "/r", template: NameTemplate("show")), disk: rig.disk,
            change: { $0.continuing = earlier })
        second.time.advance(bySeconds: rig.time.wall.secondsSince1970 - second.time.wall.secondsSince1970)
        second.title("Two")
        second.run(ticks: 20)
        second.end()
        let facts = second.facts
        #expect(facts.id == earlier.id)
        #expect(facts.state == .finished)
        #expect(facts.parts.map(\.name) == ["show.mp3", "show (part 2).mp3"])
        #expect(facts.parts.map(\.frames) == [200, 200])
        #expect(facts.titles.map(\.text.text) == ["One", "Two"])
        #expect(abs(facts.titles[1].seconds - 200 * rig.source.secondsPerUnit) < 0.001)
        #expect(facts.gaps.count == 1)
        #expect((29...31).contains(facts.lostSeconds))
        #expect(rig.disk.paths.filter { $0.hasSuffix(".json") } == ["/r/show.json"])
    }
}

@Suite("When the power fails", .serialized)
struct PowerCutTests {
    /// `_IOR('X', 125, u32)` with "do not flush the log": dirty pages vanish, as they do without power.
    private static let cut = """
        import fcntl, os, struct, sys
        fd = os.open(sys.argv[1], os.O_RDONLY)
        fcntl.ioctl(fd, 0x8004587D, struct.pack('I', 2))
        """

    @Test(
        "at most five seconds are lost, and what is left plays",
        .enabled(if: getuid() == 0 && LongRuns.areOn, "needs root for a loop device, and AIRCHECK_TESTS=all"),
        arguments: 1...5)
    func powerCut(round: Int) throws {
        let folder = try TemporaryFolder("power")
        let image = folder.path("disk.img")
        let mounted = try folder.folder("disk")
        func run(_ program: String, _ arguments: [String]) throws {
            let done = try RunningProgram.run(program, arguments, in: folder)
            try #require(done.exitCode == 0, "\(program): \(done.errors)")
        }
        try run("truncate", ["-s", "64M", image])
        try run("mkfs.ext4", ["-q", image])
        try run("mount", ["-o", "loop", image, mounted])
        defer { _ = try? RunningProgram.run("umount", ["-l", mounted], in: folder) }
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let victim = try RunningProgram(
            (own as NSString).deletingLastPathComponent + "/RecorderVictim", [mounted, "2", "60"], in: folder,
            name: "victim")
        #expect(eventually(within: 20) { victim.output.contains("started") })
        Thread.sleep(forTimeInterval: Double.random(in: 6...9))
        try run("python3", ["-c", Self.cut, mounted])
        let sent =
            victim.output.split(separator: "\n").last { $0.hasPrefix("sent ") }.flatMap {
                Int($0.split(separator: " ")[1])
            } ?? 0
        victim.stop(signal: SIGKILL)
        try run("umount", [mounted])
        try run("mount", ["-o", "loop", image, mounted])
        let closed = Recorder().recover(folder: mounted, isDeep: true)
        #expect(closed.count == 2)
        let source = NumberedFrames(.mp3)
        for facts in closed {
            let part = try #require(facts.parts.first)
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: mounted + "/" + part.name)))
            let verdict = Judge.verdict(on: Array(bytes.dropFirst(Int(part.audioOffset))), of: source)
            #expect(verdict.isPerfect)
            #expect(verdict.first == 0)
            #expect(
                Double(sent - verdict.frames) * source.secondsPerUnit <= 5,
                "lost \(sent - verdict.frames) frames")
        }
    }
}
