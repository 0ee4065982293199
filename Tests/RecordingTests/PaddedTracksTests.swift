import Feed
import Platform
import StreamFormats
import TestStations
import Testing

@testable import Recording

@Suite("Tracks with padding, and no whole")
struct PaddedTracksTests {
    private func recorded(padding: Double, titles: [String] = ["A", "B", "C"]) throws -> RecordingRig {
        var rules = TrackRules()
        rules.paddingSeconds = padding
        let request = TrackRequest(folder: "/r", rules: rules)
        let rig = try RecordingRig(target: nil, change: { $0.tracks = request })
        for title in titles {
            rig.title(title)
            rig.run(ticks: 80)
        }
        rig.end()
        return rig
    }

    private func numbers(_ disk: FakeDisk, _ path: String) -> [Int] {
        let bytes = disk.bytes(path) ?? []
        let tag = ID3.length(ofTagAt: bytes)
        let xing = XingFrame(at: Array(bytes.dropFirst(tag).prefix(2000)))?.bytes.count ?? 0
        return Judge.verdict(on: Array(bytes.dropFirst(tag + xing)), of: NumberedFrames(.mp3)).numbers
    }

    @Test("cut anew or exported, every frame comes once", arguments: [0.0, 2.0])
    func once(padding: Double) throws {
        let rig = try recorded(padding: padding)
        let recorder = Recorder(disk: rig.disk, time: rig.time)
        let all = Array(0..<rig.nextFrame)
        #expect(abs(rig.facts.audioSeconds - Double(all.count) * rig.source.secondsPerUnit) < 0.01)
        let span = try recorder.export(
            [rig.facts], from: rig.facts.started.advanced(bySeconds: -10),
            to: rig.facts.ended.advanced(bySeconds: 10), target: .whole(path: "/r/span.mp3"))
        #expect(span?.frames == Int64(all.count))
        #expect(numbers(rig.disk, "/r/span.mp3") == all)
        let cut = try recorder.recut(rig.facts, into: TrackRequest(folder: "/r"))
        #expect(cut.tracks.flatMap { numbers(rig.disk, cut.path(of: $0)) } == all)
        #expect(cut.tracks.map(\.text.text) == ["A", "B", "C"])
    }

    @Test("played, every frame comes once and the place never jumps back", arguments: [0.0, 2.0])
    func played(padding: Double) throws {
        let rig = try recorded(padding: padding)
        var (bytes, places): ([UInt8], [Double]) = ([], [])
        try RecordingReader(
            Recorder(disk: rig.disk, time: rig.time), rig.facts.id, from: 0, known: { rig.facts },
            isWanted: { true }
        ).run { run, _, seconds in
            bytes += run.bytes
            places.append(seconds)
        }
        #expect(Judge.verdict(on: bytes, of: NumberedFrames(.mp3)).numbers == Array(0..<rig.nextFrame))
        #expect(places == places.sorted())
    }

    @Test("while it runs, a finished track is followed by the next one as soon as that is finished")
    func followed() throws {
        let rig = try RecordingRig(target: nil, change: { $0.tracks = TrackRequest(folder: "/r") })
        func play(_ title: String) {
            rig.title(title)
            rig.run(ticks: 80)
            // The keeper's thread does it.
            rig.session.finishTracks()
        }
        play("A")
        play("B")
        var (bytes, idle, stage, played): ([UInt8], Int, Int, [Int]) = ([], 0, 0, [])
        let reader = RecordingReader(
            rig.disk, from: 0, running: { stage < 2 ? rig.facts : nil }, known: { rig.facts }
        ) {
            idle += 1
            // It has waited a while for more.
            if idle > 5, stage < 2 {
                played.append(Judge.verdict(on: bytes, of: NumberedFrames(.mp3)).numbers.count)
                if stage == 0 {
                    play("C")
                } else {
                    rig.end()
                }
                (stage, idle) = (stage + 1, 0)
            }
            return true
        }
        try reader.run { run, _, _ in
            bytes += run.bytes
            idle = 0
        }
        #expect(Judge.verdict(on: bytes, of: NumberedFrames(.mp3)).numbers == Array(0..<rig.nextFrame))
        // Three songs of equal length: one was finished at first, then two.
        let shares = played.map { (Double($0) / Double(rig.nextFrame) * 3).rounded() }
        #expect(shares == [1, 2])
    }

    @Test("rules that leave some of it out are refused, whatever is in two files")
    func refused() throws {
        let rig = try recorded(padding: 0, titles: ["A", "B", "C", "D", "E"])
        var rules = TrackRules()
        rules.ignored = ["b"]
        // A second of B is in no file; of the others twenty seconds each are in two.
        rules.paddingSeconds = 9.9
        let before = rig.disk.paths
        #expect(throws: RecordingError.self) {
            try Recorder(disk: rig.disk, time: rig.time).recut(
                rig.facts, into: TrackRequest(folder: "/r", rules: rules))
        }
        #expect(rig.disk.paths == before)
    }
}
