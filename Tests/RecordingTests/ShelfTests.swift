import Platform
import StreamFormats
import TestStations
import Testing

@testable import Recording

@Suite("What lies beside a recording")
struct ShelfTests {
    private func recorded(_ name: String = "show") throws -> RecordingRig {
        let rig = try RecordingRig(target: .library(folder: "/r", template: NameTemplate(name)))
        rig.title("A - One")
        rig.run(ticks: 4)
        rig.end()
        return rig
    }

    @Test("deleting takes our own JSON and cue sheet, never a stranger's of the same name")
    func strangers() throws {
        let rig = try recorded()
        let other = try recorded()
        let strange = try #require(other.disk.bytes("/r/show.json"))
        for (json, cue) in [([1, 2, 3], Array("FILE \"x\" MP3".utf8)), (strange, [])] as [([UInt8], [UInt8])]
        {
            rig.disk.put([9], at: "/r/show.mp3")
            rig.disk.put(json, at: "/r/show.json")
            rig.disk.put(cue, at: "/r/show.cue")
            try Recorder(disk: rig.disk).delete(rig.facts)
            #expect(rig.disk.paths == ["/r/show.cue", "/r/show.json"])
            #expect(rig.disk.bytes("/r/show.json") == json)
        }
    }

    @Test("what is known of a recording goes into a file beside a stranger's JSON, not over it")
    func amended() throws {
        let rig = try recorded()
        rig.disk.put([1, 2, 3], at: "/r/show.json")
        let recorder = Recorder(disk: rig.disk)
        #expect(recorder.protect(rig.facts, true).keep)
        #expect(rig.disk.bytes("/r/show.json") == [1, 2, 3])
        #expect(
            SidecarFile(folder: try rig.disk.folder("/r", below: [], creating: false)).read(
                named: "show.mp3.json")?.keep == true)
        let renamed = try recorder.rename(rig.facts, to: "other")
        #expect(rig.disk.paths == ["/r/other.cue", "/r/other.json", "/r/other.mp3", "/r/show.json"])
        try recorder.delete(renamed)
        #expect(rig.disk.paths == ["/r/show.json"])
    }

    @Test("a cue sheet names the file that lies beside it, after a new name too")
    func cue() throws {
        let rig = try recorded()
        _ = try Recorder(disk: rig.disk).rename(rig.facts, to: "new")
        let text = String(decoding: rig.disk.bytes("/r/new.cue") ?? [], as: UTF8.self)
        #expect(text.contains("FILE \"new.mp3\" MP3"))
    }

    @Test("folders go when nothing is in them any more, the one that recordings lie below never")
    func folders() throws {
        let disk = FakeDisk()
        _ = try disk.folder("/r", below: ["a", "b"], creating: true)
        disk.put([1], at: "/r/a/keep.txt")
        let shelf = FileShelf(disk: disk)
        shelf.prune("/r/a/b", below: "/r")
        #expect(disk.state.withLock { $0.folders } == ["/r", "/r/a"])
        disk.unlink("/r/a/keep.txt")
        shelf.prune("/r/a", below: "/r")
        shelf.prune("/r", below: "/r")
        #expect(disk.state.withLock { $0.folders } == ["/r"])
    }

    @Test("a folder that goes just before a file is made in it is made again")
    func vanished() throws {
        let rig = try RecordingRig(target: .library(folder: "/r", template: NameTemplate("day/show")))
        rig.disk.vanishing = "/r/day"
        rig.run(ticks: 8)
        rig.end()
        #expect(rig.facts.state == .finished)
        #expect(rig.facts.gaps.isEmpty && rig.verdict.numbers == Array(0..<rig.nextFrame))
    }

    @Test("an export that is ended in the middle leaves nothing")
    func cancelledExport() throws {
        let rig = try recorded()
        let before = rig.disk.paths
        let target = RecordingRequest.Target.library(folder: "/r", template: try NameTemplate("cut/piece"))
        for limit in [0.5, 1.0] {
            #expect(throws: RecordingError.self) {
                try Recorder(disk: rig.disk).export(rig.facts, seconds: 0...0.9, target: target) {
                    part throws(SystemError) in
                    if part >= limit { throw SystemError(code: DiskCode.cancelled, while: "exporting") }
                }
            }
            #expect(rig.disk.paths == before)
            #expect(rig.disk.state.withLock { $0.folders } == ["/r"])
        }
    }

    @Test("verifying can be ended")
    func cancelledVerify() throws {
        let rig = try recorded()
        #expect(throws: SystemError.self) {
            try Recorder(disk: rig.disk).verify(rig.facts) { _ throws(SystemError) in
                throw SystemError(code: DiskCode.cancelled, while: "verifying")
            }
        }
    }
}
