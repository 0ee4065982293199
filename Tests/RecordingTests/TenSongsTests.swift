import Feed
import Foundation
import Glibc
import Platform
import StreamFormats
import TestPrograms
import TestStations
import Testing

@testable import Recording

@Suite("Ten songs")
struct TenSongsTests {
    /// Ten songs of forty seconds. In the middle of each something flashes up: an ident of three seconds, an advert, nothing.
    @Test(
        "give ten files, whatever flashes up in their middle", arguments: [TitleClass.ident, .none, .advert])
    func tenFiles(kind: TitleClass) throws {
        let starts = (0..<10).map { Double($0) * 40 }
        let sound = ScriptedSound(songs: starts, silences: starts.dropFirst().map { $0 - 0.8...$0 })
        let request = TrackRequest(folder: "/r")
        let rig = try RecordingRig(
            target: .whole(path: "/r/whole.mp3"), sound: sound, change: { $0.tracks = request })
        // Ten frames a tick: 153 ticks are forty seconds.
        for song in 0..<10 {
            let text = "Artist \(song) - Song \(song)"
            rig.title(text)
            rig.run(ticks: 70)
            rig.title(kind == .ident ? "Demo FM" : kind == .advert ? "adw_ad" : "", kind: kind)
            rig.run(ticks: 12)
            rig.title(text)
            rig.run(ticks: 71)
        }
        rig.end()
        #expect(rig.facts.tracks.map(\.text.text) == (0..<10).map { "Artist \($0) - Song \($0)" })
        let files = rig.disk.paths.filter { $0.hasSuffix(".mp3") && !$0.contains("whole") }
        #expect(files.count == 10, "\(files)")
        let numbers = rig.facts.tracks.flatMap { track -> [Int] in
            let bytes = rig.disk.bytes("/r/" + (track.name ?? "")) ?? []
            let tag = ID3.length(ofTagAt: bytes)
            let xing = XingFrame(at: Array(bytes.dropFirst(tag).prefix(2000)))?.bytes.count ?? 0
            let verdict = Judge.verdict(on: Array(bytes.dropFirst(tag + xing)), of: rig.source)
            #expect(verdict.isPerfect)
            return verdict.numbers
        }
        // No frame broken or lost, none at the head, none at the tail.
        #expect(numbers == Array(0..<rig.nextFrame))
        // A chapter for every title, at our own cut.
        let tag = try #require(ID3.read(rig.disk.bytes("/r/whole.mp3") ?? []))
        for track in rig.facts.tracks {
            #expect(
                tag.chapters.contains { $0.title == track.text.text && abs($0.start - track.start) < 0.1 })
        }
    }

    private static let hostile = [
        "../../../etc/passwd", "/etc/cron.d/evil", "-rf --no-preserve-root", "tab\there and\u{1B}[2J there",
        "null\u{0}byte", String(repeating: "ö", count: 300), "CON", "it's';DROP TABLE x; --",
        "a\u{202E}gpj.exe",
        "AC/DC: \"Back\" | in? *Black*",
    ]

    @Test("ten hostile titles make ten right tags and ten safe names, on a real disk")
    func hostileTitles() throws {
        let folder = try TemporaryFolder("hostile")
        let tracks = try folder.folder("tracks")
        let feed = Feed(station: Station(id: "demo", name: "Demo FM", urls: []))
        let source = NumberedFrames(.mp3)
        let done = Lock<RecordingFacts?>(nil)
        let recorder = Recorder { event in
            if case .finished(let facts) = event { done.withLock { $0 = facts } }
        }
        let id = try recorder.start(
            RecordingRequest(
                target: nil, tracks: TrackRequest(folder: tracks, template: NameTemplate("{title}"))),
            feed: feed)
        feed.publish(format: RecordingRig.format(source))
        for (number, title) in Self.hostile.enumerated() {
            feed.publish(
                title: RawTitle(source: .icy, text: Array(title.utf8)),
                reading: TitleText(text: title, title: title, kind: .track))
            feed.publish(frames: RecordingRig.run(number * 600..<(number + 1) * 600, source))
            usleep(50_000)
        }
        try recorder.stopAndWait(id)
        recorder.shutDown()
        let facts = try #require(done.withLock { $0 })
        #expect(facts.tracks.count == 10)
        for (track, title) in zip(facts.tracks, Self.hostile) {
            let name = try #require(track.name)
            #expect(
                track.folders.isEmpty && name.utf8.count <= 240 && !name.hasPrefix("-") && !name.contains("/")
            )
            let tag = try #require(
                ID3.read([UInt8](try Data(contentsOf: URL(fileURLWithPath: tracks + "/" + name)))))
            #expect(tag["TIT2"] == String(title.unicodeScalars.filter { $0.value != 0 }.map(Character.init)))
        }
        #expect(Set(facts.tracks.compactMap(\.name)).count == 10)
        // Nothing went anywhere else.
        let inside = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        #expect(
            inside.filter { $0.hasSuffix(".mp3") }.allSatisfy {
                $0.hasPrefix("tracks/") && $0.split(separator: "/").count == 2
            })
        #expect(inside.filter { $0.hasSuffix(".mp3") }.count == 10)
    }
}
