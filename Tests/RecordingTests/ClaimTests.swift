import Feed
import Foundation
import MediaHelper
import Platform
import StreamFormats
import TestPrograms
import TestStations
import Testing

@testable import Recording

/// A helper whose M4A is a copy; something else happens while it is being made.
private struct MeddledTools: SoundSource, FileTools {
    let meanwhile: @Sendable () -> Void

    func shape(format: AudioFormat, run: FrameRun) throws -> SoundShape { SoundShape(level: [], bands: []) }

    func remux(
        from source: any DiskFile, to target: any DiskFile, chapters: [MediaChapter], tags: [MediaTag]
    ) throws -> RemuxResult {
        meanwhile()
        try target.write(source.contents(limit: 1 << 20), at: 0)
        let scan = try FileScan(source)
        return RemuxResult(packets: scan.ledger.frames, seconds: scan.ledger.seconds)
    }

    func profile(of file: any DiskFile, isUnwanted: () -> Bool) throws -> SoundProfile {
        throw RecordingError.other("not asked for")
    }
}

/// `aircheck record` tidies up its folder before it begins, and the service or another one may be at work in it.
@Suite("Two that record into one folder")
struct ClaimTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("claims") }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    private func root() throws -> any DiskFolder {
        try RealDisk().folder(folder.path, below: [], creating: false)
    }

    private func record(
        _ kind: NumberedFrames.Kind, frames: Int = 200, titles: [(seconds: Double, text: String)] = []
    ) throws -> RecordingFacts {
        try StreamFile.record(
            NumberedFrames(kind).units(0..<frames),
            to: .library(folder: folder.path, template: NameTemplate("show")), titles: titles)
    }

    @Test("an M4A that one is making stays while the other tidies up")
    func m4a() throws {
        var facts = try record(.adts)
        let seen = Lock<[String]>([])
        let tools = MeddledTools { [folder] in
            let other = Recorder(sound: MeddledTools {})
            _ = other.recover(folder: folder.path, isDeep: false)
            other.shutDown()
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            seen.withLock { $0 = names }
        }
        let finish = M4AFinish(disk: RealDisk(), tools: tools, floorBytes: 0)
        #expect(finish.run(&facts) == ["show.aac"])
        #expect(seen.withLock { $0 }.contains("show.m4a.part"))
        #expect(facts.parts.map(\.name) == ["show.m4a"])
        #expect(names.filter { $0.hasPrefix("show.") } == ["show.aac", "show.json", "show.m4a"])
    }

    @Test("an M4A that another is making is neither emptied nor removed by who would make it too")
    func m4aTwice() throws {
        var facts = try record(.adts)
        let other = try root().createDraft("show.m4a.part")
        try other.write([1, 2, 3], at: 0)
        let finish = M4AFinish(disk: RealDisk(), tools: MeddledTools {}, floorBytes: 0)
        #expect(finish.run(&facts).isEmpty)
        #expect(facts.parts.map(\.name) == ["show.aac"])
        #expect(try other.facts().links == 1 && other.read(10, at: 0) == [1, 2, 3])
    }

    @Test("a changed copy that one is making stays, and what a killed one left goes")
    func copy() throws {
        _ = try record(.mp3)
        let copy = FileCopy(folder: try root(), name: "show.mp3", floorBytes: 0)
        _ = try folder.write("show.mp3.new", "left by a killed program")
        try copy.replace(bytes: 3) { target throws(SystemError) in
            _ = Recorder().recover(folder: folder.path, isDeep: false)
            try target.write([1, 2, 3], at: 0)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("show.mp3"))) == Data([1, 2, 3]))
        _ = try folder.write("show.mp3.new", "left by a killed program")
        _ = Recorder().recover(folder: folder.path, isDeep: false)
        #expect(names == ["show.json", "show.mp3"])
    }

    @Test("tracks that one has set aside while it cuts anew stay aside while the other tidies up")
    func tracks() throws {
        let titles = [(0.0, "Ada - One"), (41.0, "Bob - Two"), (81.0, "Cid - Three")]
        let facts = try record(.mp3, frames: 4100, titles: titles)
        let recorder = Recorder(
            sound: ScriptedSound(songs: [0, 40, 80], silences: [39.2...40, 79.2...80]))
        defer { recorder.shutDown() }
        let request = TrackRequest(folder: folder.path)
        let once = try recorder.recut(facts, into: request)
        let tracks = once.tracks.compactMap(\.name)
        #expect(tracks.count == 3)
        var seen: [Int] = []
        let again = try recorder.recut(once, into: request) { _ throws(SystemError) in
            _ = Recorder().recover(folder: folder.path, isDeep: true)
            seen.append(names.count { $0.hasSuffix(TracksAside.suffix) })
        }
        #expect(!seen.isEmpty && seen.allSatisfy { $0 == 3 }, "\(seen)")
        #expect(again.tracks.compactMap(\.name) == tracks)
        #expect(names.filter { $0.hasSuffix(".mp3") } == (tracks + ["show.mp3"]).sorted())
    }

    @Test("tracks that another has set aside are not cut as well, and stay where they are")
    func tracksTwice() throws {
        let titles = [(0.0, "Ada - One"), (41.0, "Bob - Two"), (81.0, "Cid - Three")]
        let facts = try record(.mp3, frames: 4100, titles: titles)
        let sound = ScriptedSound(songs: [0, 40, 80], silences: [39.2...40, 79.2...80])
        let (one, other) = (Recorder(sound: sound), Recorder(sound: sound))
        defer { for recorder in [one, other] { recorder.shutDown() } }
        let once = try one.recut(facts, into: TrackRequest(folder: folder.path))
        var aside = TracksAside(once, disk: RealDisk())
        try aside.take()
        let before = names
        #expect(throws: RecordingError.self) {
            try other.recut(once, into: TrackRequest(folder: folder.path))
        }
        #expect(names == before)
        aside.putBack()
        #expect(names.filter { $0.hasSuffix(TracksAside.suffix) }.isEmpty)
    }

    @Test("a cut waits for a track that has just been finished and is still being made safe")
    func stillSynchronised() throws {
        let titles = [(0.0, "Ada - One"), (41.0, "Bob - Two")]
        let facts = try record(.mp3, frames: 3000, titles: titles)
        let recorder = Recorder(sound: ScriptedSound(songs: [0, 40], silences: [39.2...40]))
        defer { recorder.shutDown() }
        let once = try recorder.recut(facts, into: TrackRequest(folder: folder.path))
        let disk = RealDisk()
        let root = try disk.folder(folder.path, below: [], creating: false)
        let held = Lock<(any DiskFile)?>(try root.claimed(try #require(once.tracks.first?.name)))
        let closing = WorkerThread(name: "closing") {
            _ = Semaphore().wait(seconds: 0.5)
            held.withLock { $0 = nil }
        }
        var aside = TracksAside(once, disk: disk)
        try aside.take()
        #expect(held.withLock { $0 == nil }, "it did not wait")
        closing.join()
        #expect(names.count { $0.hasSuffix(TracksAside.suffix) } == 2)
        aside.putBack()
    }

    @Test("a copy that would take the room that others record into is not begun")
    func room() throws {
        let rig = try RecordingRig(.adts, target: .library(folder: "/r", template: NameTemplate("show")))
        rig.run(ticks: 20)
        rig.end()
        let before = rig.disk.paths
        let size = try #require(rig.disk.bytes("/r/show.aac")).count
        rig.disk.setRoom(size * 2)
        var facts = rig.facts
        let made = Lock(0)
        rig.disk.state.withLock { state in
            state.pause = { operation, _ in if operation == .create { made.withLock { $0 += 1 } } }
        }
        let finish = M4AFinish(disk: rig.disk, tools: MeddledTools {}, floorBytes: Int64(size))
        #expect(finish.run(&facts).isEmpty && facts == rig.facts)
        let folder = try rig.disk.folder("/r", below: [], creating: false)
        let copy = FileCopy(folder: folder, name: "show.aac", floorBytes: Int64(size))
        #expect(throws: SystemError.self) {
            try copy.replace(bytes: Int64(size)) { _ throws(SystemError) in }
        }
        #expect(rig.disk.paths == before && made.withLock { $0 } == 0)
        try copy.replace(bytes: Int64(size) - 1) { _ throws(SystemError) in }
        #expect(made.withLock { $0 } == 1)
    }
}
