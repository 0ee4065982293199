import Feed
import Platform
import StreamFormats
import TestStations
import Testing

@testable import Recording

@Suite("Where the files of tracks are, and what number they have")
struct TrackPlaceTests {
    /// A station whose first title comes some time after its first sound, as every ICY station's does.
    private func record(
        _ template: String, titles: [String], repeats: TrackRules.Repeats = .version, sound: Bool = false
    ) throws -> RecordingRig {
        var rules = TrackRules()
        rules.repeats = repeats
        var request = TrackRequest(folder: "/r", rules: rules)
        request.template = try NameTemplate(template)
        let rig = try RecordingRig(
            target: nil, sound: sound ? ScriptedSound(songs: [0, 20, 40], silences: []) : nil,
            change: { $0.tracks = request })
        rig.run(ticks: 4)
        for title in titles {
            rig.title(title)
            rig.run(ticks: 80)
        }
        rig.end()
        return rig
    }

    private func kept(_ rig: RecordingRig) -> [String] {
        rig.disk.paths.filter { $0.hasSuffix(".mp3") || $0.hasSuffix(".part") }.sorted()
    }

    @Test("a file lies in the folder that the library names, though its artist came after its first sound")
    func folders() throws {
        let rig = try record("{artist}/{title}", titles: ["Ada - One", "Bob - Two"])
        #expect(kept(rig) == ["/r/Ada/One (incomplete).mp3", "/r/Bob/Two (incomplete).mp3"])
        #expect(rig.facts.tracks.map { rig.facts.path(of: $0) } == kept(rig))
    }

    @Test("the longest of a song replaces the one in the song's folder, wherever it was begun")
    func longest() throws {
        let disk = try record("{artist}/{title}", titles: ["X - Y", "Ada - One", "Bob - Two"]).disk
        var rules = TrackRules()
        rules.repeats = .longest
        var request = TrackRequest(folder: "/r", rules: rules)
        request.template = try NameTemplate("{artist}/{title}")
        let again = try RecordingRig(target: nil, disk: disk, change: { $0.tracks = request })
        again.title("X - Y")
        again.run(ticks: 80)
        // Its artist is read wrongly until the charset is known.
        again.title("Wrong - One")
        again.run(ticks: 60)
        let marks = again.feed.titles.suffix(1).map { mark in
            var mark = mark
            mark.text = TitleText(text: "Ada - One", artist: "Ada", title: "One", kind: .track)
            return mark
        }
        again.session.take(.retitled(marks))
        again.run(ticks: 40)
        again.title("Bob - Two")
        again.run(ticks: 80)
        again.end()
        let track = try #require(again.facts.tracks.first { $0.text.artist == "Ada" })
        #expect(again.facts.path(of: track) == "/r/Ada/One.mp3")
        #expect(disk.bytes("/r/Ada/One.mp3").map { Judge.frames($0) } == Int(track.frames))
        #expect(!disk.paths.contains { $0.hasPrefix("/r/Wrong/") })
    }

    @Test("they are counted from 1, in the tag and in the name", arguments: [false, true])
    func numbers(sound: Bool) throws {
        let rig = try record("{n} {title}", titles: ["A", "B", "C"], sound: sound)
        #expect(
            rig.facts.tracks.map(\.name) == ["1 A (incomplete).mp3", "2 B.mp3", "3 C (incomplete).mp3"])
        let tags = rig.facts.tracks.map { ID3.read(rig.disk.bytes(rig.facts.path(of: $0)) ?? [])?["TRCK"] }
        #expect(tags == ["1", "2", "3"])
    }

    @Test("two that are found together, when the recording ends, are counted one after the other")
    func together() throws {
        // Both wait for sound that does not come any more.
        var rules = TrackRules()
        rules.searchSeconds = 30
        let request = TrackRequest(folder: "/r", rules: rules)
        let rig = try RecordingRig(target: nil, change: { $0.tracks = request })
        for title in ["A", "B", "C"] {
            rig.title(title)
            rig.run(ticks: 48)
        }
        rig.end()
        #expect(rig.facts.tracks.map(\.text.text) == ["A", "B", "C"])
        #expect(rig.facts.tracks.map(\.number) == [1, 2, 3])
    }
}

extension Judge {
    /// Frames of a file with a tag in front.
    fileprivate static func frames(_ bytes: [UInt8]) -> Int {
        let tag = ID3.length(ofTagAt: bytes)
        let xing = XingFrame(at: Array(bytes.dropFirst(tag).prefix(2000)))?.bytes.count ?? 0
        return verdict(on: Array(bytes.dropFirst(tag + xing)), of: NumberedFrames(.mp3)).frames
    }
}
