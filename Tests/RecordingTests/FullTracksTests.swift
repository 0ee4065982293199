import Feed
import Platform
import StreamFormats
import TestStations
import Testing

@testable import Recording

@Suite("Tracks on a disk that stays full")
struct FullTracksTests {
    private let request = TrackRequest(folder: "/r")

    private func numbers(_ rig: RecordingRig) -> [Int] {
        rig.facts.tracks.flatMap { track -> [Int] in
            let bytes = rig.disk.bytes(rig.facts.path(of: track)) ?? []
            let tag = ID3.length(ofTagAt: bytes)
            let xing = XingFrame(at: Array(bytes.dropFirst(tag).prefix(2000)))?.bytes.count ?? 0
            return Judge.verdict(on: Array(bytes.dropFirst(tag + xing)), of: rig.source).numbers
        }
    }

    /// The disk takes nothing for a hundred seconds.
    private func record(whole: Bool) throws -> RecordingRig {
        let rig = try RecordingRig(
            target: whole ? .whole(path: "/r/a.mp3") : nil, change: { $0.tracks = request })
        rig.title("A")
        rig.run(ticks: 10)
        rig.disk.setRoom(1000)
        rig.run(ticks: 400)
        #expect((59...66).contains(rig.session.work.tracks?.heldSeconds ?? 0))
        #expect(rig.session.work.whole.heldSeconds < 61)
        rig.disk.setRoom(.max)
        rig.run(ticks: 8)
        rig.title("B")
        rig.run(ticks: 60)
        rig.end()
        return rig
    }

    @Test("they hold a minute, like the whole, and lose what it loses")
    func besideWhole() throws {
        let rig = try record(whole: true)
        #expect(numbers(rig) == rig.verdict.numbers)
        #expect((43...47).contains(rig.facts.lostSeconds))
        #expect(rig.facts.tracks.count == 2)
        // Both clocks agree: the chapter is where the second track begins.
        #expect(rig.facts.titles.last?.chapterSeconds == rig.facts.tracks.last?.start)
    }

    @Test("alone they hold a minute, too, and what is lost is in the ledger")
    func alone() throws {
        let rig = try record(whole: false)
        let numbers = numbers(rig)
        #expect(numbers == Array(Set(numbers)).sorted())
        let lost = Double(rig.nextFrame - numbers.count) * rig.source.secondsPerUnit
        #expect((43...47).contains(lost))
        #expect(rig.facts.gaps.map(\.cause) == [.diskFull])
        #expect(abs(rig.facts.lostSeconds - lost) < 0.01)
    }

    @Test("when their disk is full and the whole's is not, their time goes on, and a file ends in the hole")
    func otherDisk() throws {
        let (source, disk) = (NumberedFrames(.mp3), FakeDisk())
        let rig = try RecordingRig(change: { $0.tracks = request })
        var writer = TrackWriter(
            request, facts: rig.facts, root: try disk.folder("/r", below: [], creating: false), disk: disk)
        func give(_ frames: Range<Int>) {
            for first in stride(from: frames.lowerBound, to: frames.upperBound, by: 10) {
                writer.take(
                    .audio(
                        AudioPiece(
                            run: RecordingRig.run(first..<first + 10, source),
                            format: RecordingRig.format(source), wall: WallTime(nanoseconds: 0),
                            feedStart: StreamPosition())))
            }
        }
        give(0..<100)
        try writer.write()
        disk.setRoom(0)
        give(100..<110)
        #expect(throws: SystemError.self) { try writer.write() }
        give(110..<1000)
        #expect(throws: SystemError.self) { try writer.write() }
        writer.skip(beyond: 10)
        #expect(writer.heldSeconds < 10.5)
        disk.setRoom(.max)
        try writer.write()
        writer.endRunning(isIncomplete: true)
        let tracks = try writer.takeJobs().map { try $0.finish() }
        #expect(tracks.count == 2)
        #expect(tracks.first?.frames == 110)
        let rest = Int(tracks.last?.frames ?? 0)
        #expect(abs((tracks.last?.start ?? 0) - Double(1000 - rest) * source.secondsPerUnit) < 0.001)
        #expect(abs((tracks.last?.end ?? 0) - 1000 * source.secondsPerUnit) < 0.001)
    }

    @Test("nothing is left of what had to go, however long the disk is full")
    func noTraces() {
        let source = NumberedFrames(.mp3)
        var backlog = Backlog()
        for _ in 0..<5000 {
            backlog.append(
                .audio(
                    AudioPiece(
                        run: RecordingRig.run(0..<10, source), format: RecordingRig.format(source),
                        wall: WallTime(nanoseconds: 0), feedStart: StreamPosition())))
            backlog.append(
                .title(
                    TitleMark(
                        raw: RawTitle(source: .icy, text: []), text: .none, position: StreamPosition(),
                        wall: WallTime(nanoseconds: 0))))
            _ = backlog.drop(beyond: 10)
        }
        let entries = Mirror(reflecting: backlog).descendant("entries") as? [Any]
        #expect((70...90).contains(entries?.count ?? 0))
    }
}
