import CLinux
import Feed
import Foundation
import MediaHelper
import Platform
import StreamFormats
import TestPrograms
import TestStations
import Testing

@testable import Recording

/// Frames in real time into a recorder with threads of its own.
private final class Air: Sendable {
    let source: NumberedFrames
    let feed = Feed(station: Station(id: "demo", name: "Demo FM", urls: []))
    private let stopped = Lock(false)
    private let thread: Lock<WorkerThread?> = Lock(nil)

    init(_ kind: NumberedFrames.Kind = .mp3) {
        source = NumberedFrames(kind)
        feed.publish(format: RecordingRig.format(source))
        let (source, feed, stopped) = (source, feed, stopped)
        thread.withLock {
            $0 = WorkerThread(name: "air") {
                var sent = 0
                let start = SystemTime().now
                while !stopped.withLock({ $0 }) {
                    let due = Int(SystemTime().now.seconds(since: start) / source.secondsPerUnit)
                    if due > sent { feed.publish(frames: RecordingRig.run(sent..<due, source)) }
                    sent = max(sent, due)
                    usleep(50_000)
                }
            }
        }
    }

    func stop() {
        stopped.withLock { $0 = true }
        thread.withLock { $0 }?.join()
    }
}

@Suite("On a real disk", .serialized)
struct RealDiskTests {
    @Test("a file goes to another folder, and replaces nothing there unless told to")
    func moving() throws {
        let folder = try TemporaryFolder("move")
        _ = try folder.folder("a")
        let disk = RealDisk()
        let a = try disk.folder(folder.path, below: ["a"], creating: false)
        let b = try disk.folder(folder.path, below: ["b"], creating: true)
        try a.create("x", replacing: false).write([1], at: 0)
        try b.create("y", replacing: false).write([2], at: 0)
        let failure = #expect(throws: SystemError.self) {
            try a.move("x", to: "y", in: b, replacing: false)
        }
        #expect(failure?.code == EEXIST)
        #expect(try FileNaming.finish("x", as: "y", in: a, movingTo: b) == "y (2)")
        try b.move("y (2)", to: "y", in: b, replacing: true)
        #expect(try b.open("y", forWriting: false).read(9, at: 0) == [1])
        #expect(try a.entries().isEmpty && b.entries().map(\.name) == ["y"])
    }

    @Test(
        "a full file system is waited out, and nothing is lost",
        .enabled(if: getuid() == 0, "needs root, to mount a small tmpfs"))
    func fullDisk() throws {
        let folder = try TemporaryFolder("full")
        let mounted = try folder.folder("disk")
        let mount = try RunningProgram.run(
            "mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", mounted], in: folder)
        try #require(mount.exitCode == 0, "\(mount.errors)")
        defer { _ = try? RunningProgram.run("umount", ["-l", mounted], in: folder) }
        try Data(repeating: 0, count: 80 << 10).write(to: URL(fileURLWithPath: mounted + "/ballast"))
        let resumed = Lock<Double?>(nil)
        let told = Lock(false)
        var settings = Recorder.Settings()
        settings.tagBytes = 4096
        let recorder = Recorder(settings: settings) { event in
            if case .diskFull = event { told.withLock { $0 = true } }
            if case .resumed(_, let lost) = event { resumed.withLock { $0 = lost } }
        }
        let air = Air()
        let id = try recorder.start(
            RecordingRequest(target: .whole(path: mounted + "/a.mp3")), feed: air.feed)
        #expect(eventually(within: 30) { told.withLock { $0 } })
        Thread.sleep(forTimeInterval: 2)
        #expect(resumed.withLock { $0 } == nil)
        try FileManager.default.removeItem(atPath: mounted + "/ballast")
        // Two seconds are proved where time stands still; a busy machine may take longer to give us a turn.
        #expect(eventually(within: 20) { resumed.withLock { $0 } == 0 })
        Thread.sleep(forTimeInterval: 0.5)
        air.stop()
        let status = try #require(recorder.status(id))
        try recorder.stopAndWait(id)
        recorder.shutDown()
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: mounted + "/a.mp3")))
        let offset = Int(status.facts.parts[0].audioOffset)
        let verdict = Judge.verdict(on: Array(bytes.dropFirst(offset)), of: air.source)
        #expect(verdict.isPerfect)
        #expect(verdict.first == 0)
    }

    @Test("links below the root are not followed, and a name is never a path")
    func links() throws {
        let folder = try TemporaryFolder("links")
        let root = try folder.folder("root")
        let outside = try folder.folder("outside")
        symlink(outside, root + "/Demo FM")
        symlink(outside + "/target", root + "/file.mp3.part")
        let disk = RealDisk()
        #expect(throws: SystemError.self) { try disk.folder(root, below: ["Demo FM"], creating: true) }
        #expect(throws: SystemError.self) { try disk.folder(root, below: [".."], creating: true) }
        #expect(throws: SystemError.self) { try disk.folder(root, below: ["a/b"], creating: true) }
        let open = try disk.folder(root, below: [], creating: false)
        #expect(throws: SystemError.self) { try open.create("file.mp3.part", replacing: true) }
        #expect(throws: SystemError.self) { try open.open("file.mp3.part", forWriting: true) }
        #expect(throws: SystemError.self) { try open.create("../x", replacing: false) }
        #expect(throws: SystemError.self) {
            try disk.folder(folder.path("missing"), below: [], creating: true)
        }
    }

    @Test("what is being written is left alone by whoever tidies up")
    func living() throws {
        let folder = try TemporaryFolder("living")
        let air = Air()
        let recorder = Recorder()
        let id = try recorder.start(
            RecordingRequest(target: .library(folder: folder.path, template: NameTemplate("x"))),
            feed: air.feed)
        #expect(eventually(within: 10) { FileManager.default.fileExists(atPath: folder.path("x.json")) })
        #expect(Recorder().recover(folder: folder.path, isDeep: true).isEmpty)
        try recorder.stopAndWait(id)
        #expect(FileManager.default.fileExists(atPath: folder.path("x.mp3")))
        recorder.shutDown()
        air.stop()
    }

    @Test(
        "a recording of AAC ends up as M4A of the right length, and the ADTS is gone once that is proved",
        .enabled(if: (try? HelperBinary.find()) != nil, "aircheck-media has not been built"))
    func m4a() throws {
        let folder = try TemporaryFolder("m4a")
        let done = Lock<RecordingFacts?>(nil)
        let sound = DecodedSound(MediaWorker(binary: try HelperBinary.find()))
        let recorder = Recorder(sound: sound) { event in
            if case .finished(let facts) = event { done.withLock { $0 = facts } }
        }
        let feed = Feed(station: Station(id: "a", name: "A", urls: []))
        let id = try recorder.start(
            RecordingRequest(target: .library(folder: folder.path, template: NameTemplate("x"))), feed: feed)
        let source = NumberedFrames(.adts)
        feed.publish(format: RecordingRig.format(source))
        feed.publish(
            title: RawTitle(source: .icy, text: Array("One".utf8)),
            reading: TitleText(text: "One", kind: .track))
        feed.publish(frames: RecordingRig.run(0..<400, source))
        Thread.sleep(forTimeInterval: 0.6)
        feed.publish(
            title: RawTitle(source: .icy, text: Array("Two".utf8)),
            reading: TitleText(text: "Two", kind: .track))
        feed.publish(frames: RecordingRig.run(400..<800, source))
        try recorder.stopAndWait(id)
        let facts = try #require(done.withLock { $0 })
        #expect(facts.parts.map(\.name) == ["x.m4a"])
        #expect(try recorder.verify(facts).isSound)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
                "x.cue", "x.json", "x.m4a",
            ])
        let probe = try RunningProgram.run(
            "ffprobe",
            [
                "-v", "error", "-show_entries", "format=duration:chapter_tags=title", "-of", "csv=p=0",
                folder.path("x.m4a"),
            ],
            in: folder)
        #expect(probe.output.contains("One") && probe.output.contains("Two"))
        let seconds = probe.output.split(separator: "\n").compactMap { Double($0) }.first ?? 0
        #expect(abs(seconds - 800 * source.secondsPerUnit) < 0.03)
        recorder.shutDown()
    }
}
