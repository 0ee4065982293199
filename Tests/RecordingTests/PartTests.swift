import Feed
import Foundation
import Glibc
import Platform
import StreamFormats
import TestPrograms
import TestStations
import Testing

@testable import Recording

@Suite("Further files of one recording")
struct PartTests {
    private let adts = NumberedFrames(.adts)

    private func changeCodec(_ rig: RecordingRig) {
        rig.feed.publish(format: RecordingRig.format(adts))
        rig.feed.publish(frames: RecordingRig.run(0..<50, adts))
    }

    @Test(
        "a part's name that is taken costs nothing: it gets another one, also where the first may replace",
        arguments: [false, true])
    func taken(overwrite: Bool) throws {
        let disk = FakeDisk()
        disk.put([1, 2, 3], at: "/r/a (part 2).mp3")
        let rig = try RecordingRig(disk: disk, change: { $0.overwrite = overwrite })
        rig.run(ticks: 2)
        changeCodec(rig)
        rig.end()
        #expect(rig.facts.parts.map(\.name) == ["a.mp3", "a (part 2) (2).mp3"])
        #expect(disk.bytes("/r/a (part 2).mp3") == [1, 2, 3])
        let second = disk.bytes("/r/a (part 2) (2).mp3") ?? []
        #expect(Judge.verdict(on: second, of: adts).numbers == Array(0..<50))
        #expect(rig.facts.gaps.isEmpty && rig.facts.reason == nil)
    }

    @Test("a file that is being recorded is not replaced by another recording of that name")
    func busy() throws {
        let folder = try TemporaryFolder("busy")
        let first = Feed(station: Station(id: "a", name: "A", urls: []))
        let second = Feed(station: Station(id: "b", name: "B", urls: []))
        var request = RecordingRequest(target: .whole(path: folder.path("x.mp3")))
        request.overwrite = true
        let recorder = Recorder()
        defer { recorder.shutDown() }
        let id = try recorder.start(request, feed: first)
        let source = NumberedFrames(.mp3)
        first.publish(format: RecordingRig.format(source))
        first.publish(frames: RecordingRig.run(0..<100, source))
        #expect(eventually(within: 10) { (recorder.status(id)?.facts.frames ?? 0) >= 100 })
        let failure = #expect(throws: RecordingError.self) { try recorder.start(request, feed: second) }
        #expect(failure?.description.contains("being recorded") == true)
        try recorder.stopAndWait(id)
        // Now it may be; the last thread lets go of it in a moment.
        var started: RecordingID?
        #expect(
            eventually(within: 10) {
                started = try? recorder.start(request, feed: second)
                return started != nil
            })
        let again = try #require(started)
        second.publish(format: RecordingRig.format(source))
        second.publish(frames: RecordingRig.run(500..<540, source))
        #expect(eventually(within: 10) { (recorder.status(again)?.facts.frames ?? 0) >= 40 })
        try recorder.stopAndWait(again)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("x.mp3"))))
        let tag = ID3.length(ofTagAt: bytes)
        let xing = XingFrame(at: Array(bytes.dropFirst(tag).prefix(2000)))?.bytes.count ?? 0
        #expect(Judge.verdict(on: Array(bytes.dropFirst(tag + xing)), of: source).numbers == Array(500..<540))
    }

    @Test(
        "a suspect file is never synchronised again, and one that was deleted leaves no fault in a good recording"
    )
    func suspects() throws {
        let rig = try RecordingRig(target: .library(folder: "/r", template: NameTemplate("a")))
        rig.run(ticks: 4)
        rig.disk.setFault { operation, _ in operation == .synchronize ? EIO : nil }
        rig.session.keep(journal: NoJournal())
        rig.disk.setFault { _, _ in nil }
        rig.run(ticks: 4)
        // The second one goes, too, in another way.
        rig.disk.unlink("/r/a (part 2).mp3.part")
        rig.time.advance(bySeconds: 10)
        rig.run(ticks: 4)
        let names = Lock<[String]>([])
        rig.disk.state.withLock { state in
            let before = state.done[.synchronize, default: 0]
            state.pause = { operation, number in
                if operation == .synchronize, number >= before { names.withLock { $0.append("\(number)") } }
            }
        }
        rig.end()
        #expect(rig.facts.parts.map(\.isSuspect) == [true, true, false])
        #expect(rig.facts.reason == nil)
        #expect(rig.facts.state == .finished)
        // The third file, and the sidecar.
        #expect(names.withLock { $0 }.count == 2)
    }

    @Test("why a file was left is told, though nothing was held for it")
    func reason() throws {
        let rig = try RecordingRig()
        rig.run(ticks: 4)
        rig.session.shared.withLock { $0.syncFailure = SystemError(code: EIO, while: "synchronising") }
        rig.run(ticks: 4)
        rig.end()
        let reasons = rig.events.withLock { events in
            events.compactMap { event -> String? in
                if case .newPart(_, _, let reason) = event { reason } else { nil }
            }
        }
        #expect(reasons.count == 1)
        #expect(reasons.first?.contains("synchronising") == true)
    }
}

@Suite("Audio time on the wall")
struct ClockMapTests {
    private let start = WallTime(nanoseconds: 1_800_000_000_000_000_000)

    /// Pieces of a second each that come when they were on the air; `set` moves the clock at a second.
    private func map(pieces count: Int, length: Double = 1, set: (at: Int, by: Double)?) -> ClockMap {
        var map = ClockMap()
        for index in 0..<count {
            let end = Double(index + 1) * length
            let step = set.map { index >= $0.at ? $0.by : 0 } ?? 0
            map.arrived(endingAt: end, from: end - length, wall: start.advanced(bySeconds: end + step))
        }
        return map
    }

    @Test(
        "a clock that is set moves what comes after, and not what was before", arguments: [-90.0, -3.5, 90.0])
    func set(by step: Double) {
        let anchors = map(pieces: 7200, set: (3600, step)).anchors
        #expect(anchors.count == 2)
        let before = ClockMap.seconds(at: start.advanced(bySeconds: 600), in: anchors, length: 7200)
        #expect(before.map { abs($0 - 600) < 0.01 } == true)
        let after = ClockMap.seconds(at: start.advanced(bySeconds: 5000 + step), in: anchors, length: 7200)
        #expect(after.map { abs($0 - 5000) < 0.01 } == true)
    }

    @Test("a burst begins no stretch of its own, however long its pieces are", arguments: [0.3, 4.0])
    func burst(length: Double) {
        var map = ClockMap()
        for index in 0..<5 {
            map.arrived(endingAt: Double(index + 1) * length, from: Double(index) * length, wall: start)
        }
        #expect(map.anchors.count == 1)
        let end = ClockMap.wall(at: 5 * length, in: map.anchors)?.secondsSince1970 ?? 0
        #expect(abs(end - start.secondsSince1970) < 1e-3)
    }
}
