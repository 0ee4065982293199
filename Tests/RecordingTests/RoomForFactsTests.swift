import Feed
import Foundation
import Glibc
import Platform
import Store
import StreamFormats
import TestPrograms
import TestStations
import Testing

@testable import Recording

@Suite("A full disk under what is known of a recording")
struct RoomForFactsTests {
    @Test(
        "a sidecar that finds no room costs no audio, and is written when there is room",
        arguments: [1, 5, 12])
    func sidecar(failures: Int) throws {
        let disk = FakeDisk()
        let rig = try RecordingRig(target: .library(folder: "/r", template: NameTemplate("a")), disk: disk)
        rig.title("A - One")
        rig.run(ticks: 4)
        let before = disk.state.withLock { $0.done[.write, default: 0] }
        disk.setFault { operation, number in
            operation == .write && number < before + failures ? ENOSPC : nil
        }
        for _ in 0..<6 {
            rig.title("A - \(rig.nextFrame)")
            rig.run(ticks: 4)
            rig.session.keep(journal: NoJournal())
        }
        rig.end()
        #expect(rig.verdict.isPerfect)
        #expect(rig.verdict.frames == 280)
        let folder = try disk.folder("/r", below: [], creating: false)
        let kept = try #require(SidecarFile(folder: folder).read(named: "a.json"))
        #expect(kept.state == .finished)
        #expect(kept.titles.count == 7)
        #expect(!disk.paths.contains { $0.hasSuffix(SidecarFile.temporarySuffix) })
    }

    @Test(
        "a database without room holds no recording up, and has every row once there is room",
        .enabled(if: getuid() == 0, "needs root, to mount a small tmpfs"))
    func database() throws {
        let folder = try TemporaryFolder("rows-full")
        let mounted = try folder.folder("disk")
        let mount = try RunningProgram.run(
            "mount", ["-t", "tmpfs", "-o", "size=512k", "tmpfs", mounted], in: folder)
        try #require(mount.exitCode == 0, "\(mount.errors)")
        defer { _ = try? RunningProgram.run("umount", ["-l", mounted], in: folder) }
        let database = try Database.open(mounted + "/a.db", schemas: [RecordingLibrary.schema])
        let library = RecordingLibrary(database: database)
        try fill(mounted + "/ballast")
        #expect(throws: StoreError.self) {
            try database.write { try $0.run("CREATE TABLE filler AS SELECT randomblob(100000) AS bytes") }
        }
        let recorder = Recorder(journal: library)
        let feed = Feed.numbered()
        var request = RecordingRequest(
            target: .library(folder: folder.path, template: try NameTemplate("a")))
        request.show = "Show"
        let id = try recorder.start(request, feed: feed.feed)
        for number in 0..<60 {
            feed.feed.publish(
                title: RawTitle(
                    source: .icy, text: Array("Song \(number) \(String(repeating: "x", count: 500))".utf8)),
                reading: TitleText(text: "Song \(number) \(String(repeating: "x", count: 500))", kind: .track)
            )
            feed.feed.publish(frames: RecordingRig.run(number * 10..<number * 10 + 10, feed.source))
            usleep(20_000)
        }
        try recorder.stopAndWait(id)
        #expect(database.health.waiting > 0, "the file system was not full")
        let path = folder.path("a.mp3")
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(Judge.verdict(on: Array(bytes.dropFirst(bytes.count - 600 * 417)), of: feed.source).isPerfect)
        unlink(mounted + "/ballast")
        #expect(eventually(within: 30) { database.health.waiting == 0 })
        #expect(database.health.lost == 0 && database.health.refused == 0)
        let row = try #require(try library.recording(id))
        #expect(row.state == .finished && row.titles.count == 60 && row.frames == 600)
        recorder.shutDown()
        database.close()
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

extension Feed {
    /// A feed of numbered frames.
    fileprivate static func numbered() -> (feed: Feed, source: NumberedFrames) {
        let source = NumberedFrames(.mp3)
        let feed = Feed(station: Station(id: "demo", name: "Demo FM", urls: []))
        feed.publish(format: RecordingRig.format(source))
        return (feed, source)
    }
}
