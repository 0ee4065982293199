import Feed
import Glibc
import Platform
import StreamFormats
import TestStations
import Testing

@testable import Recording

private func text(_ title: String, _ kind: TitleClass = .track) -> TitleText {
    TitleText(text: title, title: title, kind: title.isEmpty ? .none : kind)
}

@Suite("Which titles begin a track")
struct TrackPlannerTests {
    /// Plays titles for so many seconds each, ten steps a second.
    private func changes(_ script: [(TitleText, Double)]) -> [String] {
        var planner = TrackPlanner(rules: TrackRules())
        var believed: [String] = []
        var now = 0.0
        for (title, seconds) in script {
            planner.title(title, at: now)
            for _ in 0..<Int(seconds * 10) {
                now += 0.1
                believed += planner.advance(to: now).map(\.text.text)
            }
        }
        return believed
    }

    @Test("audio before the first title belongs to it, and so does a first piece that is too short")
    func firstPiece() {
        let text = { TitleText(text: $0, title: $0, kind: .track) }
        var planner = TrackPlanner(rules: TrackRules())
        planner.title(text("A"), at: 1)
        #expect(planner.takeRenaming()?.text == text("A"))
        planner.title(text("B"), at: 5)
        #expect(planner.advance(to: 16).isEmpty)
        #expect(planner.takeRenaming()?.text == text("B"))
        #expect(planner.takeRenaming() == nil)
        var alone = TrackPlanner(rules: TrackRules(), joinsFirst: false)
        alone.title(text("A"), at: 1)
        alone.title(text("B"), at: 5)
        #expect(alone.advance(to: 16).map(\.at) == [5])
    }

    @Test("a song is one track, whatever flashes up in it")
    func interruptions() {
        let (a, b) = (text("A"), text("B"))
        let ident = text("You are listening to Demo FM", .ident)
        #expect(changes([(a, 60), (b, 60)]) == ["B"])
        #expect(changes([(a, 30), (ident, 3), (a, 30), (b, 60)]) == ["B"])
        #expect(changes([(a, 30), (text(""), 3), (a, 30), (b, 60)]) == ["B"])
        #expect(changes([(a, 30), (text(""), 25), (a, 30), (b, 60)]) == ["B"])
        #expect(changes([(a, 30), (text("Call 555"), 4), (text("Demo FM"), 4), (a, 30), (b, 60)]) == ["B"])
        #expect(changes([(a, 30), (text("a "), 30), (b, 60)]) == ["B"])
    }

    @Test("what is too short belongs to its neighbour, what lasts is a piece of its own")
    func pieces() {
        let (a, b) = (text("A"), text("B"))
        #expect(changes([(a, 60), (text("News", .talk), 5), (b, 60)]) == ["B"])
        #expect(changes([(a, 60), (text(""), 45), (b, 60)]) == ["", "B"])
        #expect(changes([(a, 60), (text("Spot", .advert), 20), (b, 60)]) == ["Spot", "B"])
        #expect(changes([(text(""), 2), (a, 60), (b, 60)]) == ["B"])
        #expect(changes([(a, 60), (b, 8)]) == [])
    }
}

@Suite("Which tracks are kept")
struct TrackRulesTests {
    private static func rules(_ change: (inout TrackRules) -> Void) -> TrackRules {
        var rules = TrackRules()
        change(&rules)
        return rules
    }

    @Test(
        "by length, completeness, wish and ignore lists; all of them unless rules say otherwise",
        arguments: [
            (rules { _ in }, "Any", 3.0, false, true),
            (rules { $0.leastSeconds = 90 }, "Any", 89.9, true, false),
            (rules { $0.leastSeconds = 90 }, "Any", 90, true, true),
            (rules { $0.mostSeconds = 600 }, "Any", 600, true, true),
            (rules { $0.mostSeconds = 600 }, "Any", 600.1, true, false),
            (rules { $0.keepsIncomplete = false }, "Any", 200, false, false),
            (rules { $0.wished = ["björk"] }, "BJÖRK - Hyperballad", 200, true, true),
            (rules { $0.wished = ["björk"] }, "Other - Song", 200, true, false),
            (rules { $0.ignored = ["JINGLE"] }, "A Jingle", 200, true, false),
            (
                rules {
                    $0.wished = ["a"]; $0.ignored = ["ab"]
                }, "abc", 200, true, false
            ),
        ])
    func refusals(rules: TrackRules, title: String, seconds: Double, isComplete: Bool, isKept: Bool) {
        #expect((rules.refusal(title: title, seconds: seconds, isComplete: isComplete) == nil) == isKept)
    }
}

@Suite("Where a track is cut")
struct CutFinderTests {
    private func shape(_ sound: ScriptedSound, from frame: Int, seconds: Double) throws -> SoundShape {
        let source = NumberedFrames(.mp3)
        let count = Int(seconds / source.secondsPerUnit)
        return try sound.shape(
            format: RecordingRig.format(source), run: RecordingRig.run(frame..<frame + count, source))
    }

    @Test("inside a silence, wherever the title came", arguments: [4.0, 7.0, 10.0])
    func silence(expected: Double) throws {
        let sound = ScriptedSound(songs: [0, 7.5], silences: [6.6...7.4])
        let found = CutFinder(expected: expected, tolerance: 1, reach: 6).find(
            in: try shape(sound, from: 0, seconds: 14))
        #expect(found.way == .silence)
        #expect((6.6...7.4).contains(found.seconds))
        #expect(found.confidence >= 0.5)
    }

    @Test("where the sound changes, if the title came near")
    func change() throws {
        let sound = ScriptedSound(songs: [0, 7.5], silences: [])
        let found = CutFinder(expected: 7, tolerance: 1, reach: 6).find(
            in: try shape(sound, from: 0, seconds: 14))
        #expect(found.way == .change)
        #expect(abs(found.seconds - 7.5) < 0.1)
    }

    @Test("at the title, where the sound says nothing")
    func metadata() throws {
        let sound = ScriptedSound(songs: [0], silences: [])
        let found = CutFinder(expected: 7, tolerance: 1, reach: 6).find(
            in: try shape(sound, from: 0, seconds: 14))
        #expect(found == FoundCut(seconds: 7, way: .metadata, confidence: 0.2, onset: 7))
    }

    @Test("an offset is believed after three silences, and is their middle")
    func learning() {
        var learner = OffsetLearner()
        for offset in [-3.1, -2.9] { learner.saw(offset) }
        #expect(learner.offset(lag: 0.5) == nil)
        learner.saw(-9)
        #expect(learner.offset(lag: 0.5) == -3.1)
        #expect(OffsetLearner([2.6, 2.8, 3.4]).offset(lag: 0.5) == 3)
        #expect(OffsetLearner([-0.2, -0.3, -0.4]).offset(lag: 0.5) == -0.5)
    }

    @Test("a tone that changes is measured as it is")
    func measuring() {
        let rate = 44_100
        let samples = (0..<rate * 4).map { index -> Int16 in
            let pitch = index < rate * 2 ? 440.0 : 1760.0
            return Int16(8000 * sin(2 * .pi * pitch * Double(index) / Double(rate)))
        }
        let shape = SoundShape(samples: samples, rate: rate)
        #expect(abs(shape.seconds - 4) < 0.02)
        #expect(abs(shape.level[100] - -15.3) < 0.3)
        let found = CutFinder(expected: 1.8, tolerance: 1, reach: 2).find(in: shape)
        #expect(found.way == .change)
        #expect(abs(found.seconds - 2) < 0.06)
    }
}

@Suite("A file per track")
struct TrackFileTests {
    /// Three songs of 40 s joined by silences, titles a second late, and an ident in the second.
    private func record(whole: Bool = false, rules: TrackRules = TrackRules()) throws -> RecordingRig {
        let sound = ScriptedSound(songs: [0, 40, 80], silences: [39.2...40, 79.2...80])
        let request = TrackRequest(folder: "/r", rules: rules)
        let rig = try RecordingRig(
            target: whole ? .whole(path: "/r/whole.mp3") : nil, sound: sound, change: { $0.tracks = request })
        rig.title("Ada - One")
        rig.run(ticks: 157)
        rig.title("Bob - Two")
        rig.run(ticks: 60)
        rig.title("Demo FM", kind: .ident)
        rig.run(ticks: 12)
        rig.title("Bob - Two")
        rig.run(ticks: 81)
        rig.title("Cid - Three")
        rig.run(ticks: 100)
        rig.end()
        return rig
    }

    private func verdicts(_ rig: RecordingRig) -> [Judge.Verdict] {
        rig.facts.tracks.map { track in
            let bytes = rig.disk.bytes("/r/" + (track.name ?? "")) ?? []
            return Judge.verdict(on: Array(bytes.dropFirst(audioOffset(bytes))), of: rig.source)
        }
    }

    private func audioOffset(_ bytes: [UInt8]) -> Int {
        let tag = ID3.length(ofTagAt: bytes)
        return tag + (XingFrame(at: Array(bytes.dropFirst(tag).prefix(2000)))?.bytes.count ?? 0)
    }

    @Test("tracks are cut in the silences, join without a lost frame, and an ident breaks nothing")
    func threeSongs() throws {
        let rig = try record()
        let verdicts = verdicts(rig)
        #expect(
            rig.facts.tracks.map(\.name) == [
                "Ada - One (incomplete).mp3", "Bob - Two.mp3", "Cid - Three (incomplete).mp3",
            ])
        #expect(verdicts.allSatisfy { $0.isPerfect })
        #expect(verdicts.flatMap(\.numbers) == Array(0..<rig.nextFrame))
        let starts = verdicts.dropFirst().compactMap(\.first).map { Double($0) * rig.source.secondsPerUnit }
        #expect((39.2...40).contains(starts[0]) && (79.2...80).contains(starts[1]))
        #expect(rig.facts.tracks.dropFirst().allSatisfy { $0.cut?.way == .silence })
        #expect(rig.facts.tracks.map(\.frames) == verdicts.map { Int64($0.frames) })
        #expect(rig.disk.paths.filter { $0.hasSuffix(".part") }.isEmpty)
        #expect(rig.disk.paths.count == 4)
    }

    @Test("beside the tracks a whole file is written, and its chapters are at the cuts")
    func withWhole() throws {
        let rig = try record(whole: true)
        #expect(rig.verdict.numbers == Array(0..<rig.nextFrame))
        #expect(verdicts(rig).flatMap(\.numbers) == Array(0..<rig.nextFrame))
        let tag = try #require(ID3.read(rig.disk.bytes("/r/whole.mp3") ?? []))
        #expect(
            tag.chapters.map(\.title) == ["Ada - One", "Bob - Two", "Demo FM", "Bob - Two", "Cid - Three"])
        for track in rig.facts.tracks {
            #expect(
                tag.chapters.contains { $0.title == track.text.text && abs($0.start - track.start) < 0.1 })
        }
    }

    @Test("tags say artist, title and station")
    func tags() throws {
        let rig = try record()
        let tag = try #require(ID3.read(rig.disk.bytes("/r/Bob - Two.mp3") ?? []))
        #expect(tag["TIT2"] == "Two")
        #expect(tag["TPE1"] == "Bob")
        #expect(tag["TRSN"] == "Demo FM")
    }

    @Test("rules decide which tracks are kept")
    func rules() throws {
        var rules = TrackRules()
        rules.ignored = ["bob"]
        rules.keepsIncomplete = false
        let rig = try record(rules: rules)
        #expect(rig.facts.tracks.map(\.name) == [nil, nil, nil])
        #expect(rig.facts.tracks[1].refusal == "on the ignore list")
        #expect(rig.disk.paths.filter { $0.hasSuffix(".mp3") }.isEmpty)
    }

    @Test("the same song again is another version, unless the longest is to stay")
    func repeats() throws {
        let (version, longest, skip) = (try takes(.version), try takes(.longest), try takes(.skip))
        #expect(version == ["/r/A.mp3", "/r/A (2).mp3"])
        #expect(longest == ["/r/A.mp3"])
        #expect(skip == ["/r/A.mp3"])
    }

    private func takes(_ repeats: TrackRules.Repeats) throws -> [String] {
        var rules = TrackRules()
        rules.repeats = repeats
        let request = TrackRequest(folder: "/r", rules: rules)
        let rig = try RecordingRig(target: nil, change: { $0.tracks = request })
        for title in ["X", "A", "Y", "A", "Z"] {
            rig.title(title)
            rig.run(ticks: 60)
        }
        rig.end()
        return rig.disk.paths.filter { $0.contains("/A") }.sorted { $0.count < $1.count }
    }

    @Test("padding goes into both files")
    func padding() throws {
        var rules = TrackRules()
        rules.paddingSeconds = 1
        let rig = try record(rules: rules)
        let verdicts = verdicts(rig)
        #expect(verdicts.allSatisfy { $0.isPerfect })
        let overlap = (verdicts[0].last ?? 0) - (verdicts[1].first ?? 0)
        #expect(abs(Double(overlap) * rig.source.secondsPerUnit - 2) < 0.2)
    }

    @Test("without a decoder the metadata decides, and still nothing is lost")
    func withoutSound() throws {
        let request = TrackRequest(folder: "/r")
        let rig = try RecordingRig(target: nil, change: { $0.tracks = request })
        for title in ["A", "B", "C"] {
            rig.title(title)
            rig.run(ticks: 60)
        }
        rig.end()
        #expect(verdicts(rig).flatMap(\.numbers) == Array(0..<1800))
        #expect(rig.facts.tracks.dropFirst().allSatisfy { $0.cut?.way == .metadata })
        #expect(
            rig.facts.tracks.map(\.start).map { Int(($0 / rig.source.secondsPerUnit).rounded()) } == [
                0, 600, 1200,
            ])
    }
}
