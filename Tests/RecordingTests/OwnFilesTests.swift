import Feed
import Platform
import StreamFormats
import TestStations
import Testing

@testable import Recording

@Suite("What is ours in a folder, and what is not", .serialized)
struct OwnFilesTests {
    /// Names that other programs give, with bytes that could be a recording.
    private static let strangers: [String: [UInt8]] = [
        "/r/download.mp3.part": NumberedFrames(.mp3).units(0..<50) + [1, 2, 3],
        "/r/download.aac.part": NumberedFrames(.adts).units(0..<50) + [1, 2, 3],
        "/r/song.m4a.part": [UInt8](repeating: 7, count: 5000),
        "/r/empty.flac.part": [],
        "/r/take.mp3.previous": NumberedFrames(.mp3).units(0..<10),
        "/r/take.mp3": NumberedFrames(.mp3).units(10..<20),
        "/r/mix.mp3.new": NumberedFrames(.mp3).units(0..<10),
        "/r/tagged.mp3.part": otherTag + NumberedFrames(.mp3).units(0..<50) + [1, 2, 3],
    ]
    /// A tag that anybody's encoder may write: a title, and nothing of ours.
    private static let otherTag: [UInt8] =
        [0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 13] + Array("TIT2".utf8) + [0, 0, 0, 3, 0, 0, 3, 0x41, 0x42]

    @Test("files of other programs stay as they are, byte for byte")
    func strangers() {
        let disk = FakeDisk()
        for (path, bytes) in Self.strangers { disk.put(bytes, at: path) }
        #expect(Recorder(disk: disk).recover(folder: "/r", isDeep: true).isEmpty)
        #expect(disk.paths == Self.strangers.keys.sorted())
        for (path, bytes) in Self.strangers { #expect(disk.bytes(path) == bytes, "\(path)") }
    }

    @Test("a file with our mark is closed, though nothing else is known of it")
    func marked() throws {
        let rig = try RecordingRig(target: .library(folder: "/r", template: NameTemplate("Lost Show")))
        rig.run(ticks: 5)
        for path in rig.disk.paths where path.hasSuffix(".json") { rig.disk.unlink(path) }
        let closed = Recorder(disk: rig.disk).recover(folder: "/r", isDeep: true)
        #expect(closed.map(\.state) == [.interrupted])
        #expect(closed.first?.frames == 50)
        #expect(rig.disk.paths == ["/r/Lost Show.json", "/r/Lost Show.mp3"])
    }

    @Test("a copy that was being made beside a recording of ours goes, whatever it holds")
    func copies() throws {
        let rig = try RecordingRig(.adts, target: .library(folder: "/r", template: NameTemplate("a")))
        rig.run(ticks: 5)
        rig.end()
        let before = rig.disk.paths
        #expect(before == ["/r/a.aac", "/r/a.json"])
        rig.disk.put([1, 2, 3], at: "/r/a.aac.new")
        _ = Recorder(disk: rig.disk).recover(folder: "/r", isDeep: true)
        #expect(rig.disk.paths == before)
    }

    @Test("a further part is known at once: a crash a moment later loses nothing of it")
    func furtherPart() throws {
        let rig = try RecordingRig(target: .library(folder: "/r", template: NameTemplate("a")))
        rig.run(ticks: 5)
        let adts = NumberedFrames(.adts)
        rig.feed.publish(format: RecordingRig.format(adts))
        rig.feed.publish(frames: RecordingRig.run(0..<50, adts))
        _ = rig.session.tick()
        let closed = Recorder(disk: rig.disk).recover(folder: "/r", isDeep: true)
        #expect(closed.map(\.state) == [.interrupted])
        #expect(closed.first?.parts.map(\.frames) == [50, 50])
        #expect(!rig.disk.paths.contains { $0.hasSuffix(".part") })
    }
}
