import Feed
import Platform
import Store
import StreamFormats
import TestPrograms
import TestStations
import Testing

@testable import Recording

@Suite("How late titles come")
struct OffsetTests {
    @Test("what silences have shown is there after a restart, and says where the next cut is looked for")
    func persisted() throws {
        let folder = try TemporaryFolder("offsets")
        let path = folder.path("a.db")
        let first = try Database.open(path, schemas: [OffsetBook.schema])
        let offsets = try OffsetBook(database: first).offsets()
        #expect(offsets.offset(of: "demo") == nil)
        for offset in [2.9, 3.0, 3.1] { offsets.saw(offset, at: "demo") }
        first.close()
        let second = try Database.open(path, schemas: [OffsetBook.schema])
        let again = try OffsetBook(database: second).offsets()
        #expect(abs((again.offset(of: "demo") ?? 0) - 3) < 0.1)
        #expect(again.count(of: "demo") == 3)
        let cutter = Cutter(sound: nil, offsets: again)
        #expect(abs(cutter.offset(of: "demo", lag: 0, rules: TrackRules()) - 3) < 0.1)
        #expect(cutter.offset(of: "other", lag: 0.5, rules: TrackRules()) == -0.5)
        second.close()
    }

    @Test("an offset that the station's entry says wins over what was learned, and the cut is made there")
    func ruled() {
        let offsets = StationOffsets(known: ["demo": [2.9, 3.0, 3.1]])
        let source = NumberedFrames(.mp3)
        var rules = TrackRules()
        rules.titleOffset = -2
        func cut(_ sound: (any SoundSource)?) -> FoundCut {
            let frames = Int(30 / source.secondsPerUnit)
            let run = RecordingRig.run(0..<frames, source)
            return Cutter(sound: sound, offsets: offsets).find(
                CutQuestion(
                    number: 1, station: "demo", at: 20, lag: 0, rules: rules,
                    format: RecordingRig.format(source), run: run,
                    end: Double(frames) * source.secondsPerUnit))
        }
        #expect(cut(nil).seconds == 18)
        // Silences three seconds to both sides: only the one that the rule leads to is believed.
        let sound = ScriptedSound(songs: [0, 17.6], silences: [16.8...17.6, 22.4...23.2])
        #expect((16.8...17.6).contains(cut(sound).seconds), "\(cut(sound))")
    }
}
