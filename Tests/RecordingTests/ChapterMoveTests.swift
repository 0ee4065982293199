import Feed
import Foundation
import MediaHelper
import Platform
import StreamFormats
import TestPrograms
import TestStations
import Testing

@testable import Recording

@Suite("Chapters after a recording has been cut anew")
struct ChapterMoveTests {
    private static let songs = [("Ada - One", 157), ("Bob - Two", 153), ("Cid - Three", 100)]

    /// Three songs with titles a second late, and no tracks yet: chapters are where the titles came.
    private func recorded() throws -> RecordingRig {
        let rig = try RecordingRig(target: .library(folder: "/r", template: NameTemplate("show")))
        for (title, ticks) in Self.songs {
            rig.title(title)
            rig.run(ticks: ticks)
        }
        rig.end()
        return rig
    }

    private func recut(_ rig: RecordingRig) throws -> RecordingFacts {
        let sound = ScriptedSound(songs: [0, 40, 80], silences: [39.2...40, 79.2...80])
        return try Recorder(disk: rig.disk, sound: sound, time: rig.time).recut(
            rig.facts, into: TrackRequest(folder: "/r", template: NameTemplate("tracks/{title}")))
    }

    @Test("are in the tag, the cue sheet and the JSON where the cuts are; nothing else of the file changes")
    func id3() throws {
        let rig = try recorded()
        let before = rig.disk.bytes("/r/show.mp3") ?? []
        let cue = rig.disk.bytes("/r/show.cue")
        let facts = try recut(rig)
        let after = rig.disk.bytes("/r/show.mp3") ?? []
        let (old, new) = (try #require(ID3.read(before)), try #require(ID3.read(after)))
        #expect(new.fields == old.fields)
        #expect(new.chapters.map(\.title) == old.chapters.map(\.title))
        #expect(new.chapters != old.chapters)
        for track in facts.tracks {
            #expect(
                new.chapters.contains { $0.title == track.text.text && abs($0.start - track.start) < 0.1 })
        }
        let length = ID3.length(ofTagAt: before)
        #expect(after.count == before.count && ID3.length(ofTagAt: after) == length)
        #expect(before.dropFirst(length) == after.dropFirst(length))
        #expect(facts.parts == rig.facts.parts)
        #expect(rig.disk.bytes("/r/show.cue") != cue)
        #expect(rig.disk.bytes("/r/show.cue") == Array(CueSheet.text(facts, part: 0).utf8))
        let stored = LibraryWalk(disk: rig.disk).sidecars(in: "/r").first { $0.id == facts.id }
        let cuts = facts.titles.compactMap(\.cutSeconds)
        #expect(zip(stored?.titles.compactMap(\.cutSeconds) ?? [], cuts).allSatisfy { abs($0 - $1) < 1e-5 })
        #expect(facts.titles.dropFirst().allSatisfy { $0.cutSeconds != nil })
    }

    @Test("what somebody has written into the tag stays")
    func foreignFields() throws {
        let rig = try recorded()
        var bytes = rig.disk.bytes("/r/show.mp3") ?? []
        let length = ID3.length(ofTagAt: bytes)
        var tag = try #require(ID3.read(bytes))
        tag.fields = [.init(name: "TIT2", value: "My own name"), .init(name: "TXXX:MOOD", value: "calm")]
        tag.picture = TagFields.Picture([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 7, count: 900))
        bytes.replaceSubrange(0..<length, with: try #require(ID3.tag(tag, length: length)))
        rig.disk.put(bytes, at: "/r/show.mp3")
        _ = try recut(rig)
        let after = rig.disk.bytes("/r/show.mp3") ?? []
        #expect(ID3.read(after)?["TIT2"] == "My own name" && ID3.read(after)?["TXXX:MOOD"] == "calm")
        #expect(ID3Tag(after[...])?.pictures.map(\.data) == [try #require(tag.picture).bytes])
        #expect(ID3.read(after)?.chapters.count == 3)
        #expect(bytes.dropFirst(length) == after.dropFirst(length))
    }

    @Test("a tag of another program's form is left as it is")
    func otherForm() throws {
        let rig = try recorded()
        var bytes = rig.disk.bytes("/r/show.mp3") ?? []
        bytes[3] = 3
        rig.disk.put(bytes, at: "/r/show.mp3")
        let facts = try recut(rig)
        #expect(rig.disk.bytes("/r/show.mp3") == bytes)
        #expect(facts.tracks.count == 3)
    }
}

@Suite(
    "Chapters of other files after a new cut",
    .enabled(if: RunningProgram.isInstalled("ffmpeg"), "ffmpeg is not installed"))
struct ChapterMoveFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("chapters") }

    /// Three minutes of tones with titles from outside the container, in a library.
    private func recorded(_ encoder: [String], _ ext: String, sound: (any SoundSource)?) throws
        -> RecordingFacts
    {
        let path = folder.path("source.\(ext)")
        let made = try RunningProgram.run(
            "ffmpeg",
            ["-v", "error", "-y", "-f", "lavfi", "-i", "sine=frequency=440:duration=90:sample_rate=48000"]
                + ["-ac", "2"] + encoder + [path], in: folder)
        try #require(made.exitCode == 0, "\(made.errors)")
        return try StreamFile.record(
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))),
            to: .library(folder: folder.path, template: NameTemplate("show")), sound: sound,
            titles: [(0, "One"), (30, "Two"), (60, "Three")])
    }

    private func chapters(_ path: String) throws -> [(start: Double, title: String)] {
        let found = try RunningProgram.run(
            "ffprobe",
            [
                "-v", "error", "-show_entries", "chapter=start_time:chapter_tags=title", "-of", "csv=p=0",
                path,
            ], in: folder)
        #expect(found.errors.isEmpty, "\(found.errors)")
        return found.output.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ",")
            return fields.count == 2 ? Double(fields[0]).map { ($0, String(fields[1])) } : nil
        }
    }

    private func packets(_ path: String) throws -> String {
        let found = try RunningProgram.run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-c", "copy", "-f", "md5", "-"], in: folder)
        #expect(found.exitCode == 0 && found.errors.isEmpty, "\(found.errors)")
        return found.output
    }

    @Test(
        "move in Ogg and in M4A, as ffprobe reads them; the packets stay as they are",
        arguments: [
            (["-c:a", "libvorbis", "-q:a", "2"], "ogg", "ogg"), (["-c:a", "libopus"], "opus", "opus"),
            (["-c:a", "aac", "-b:a", "64k"], "aac", "m4a"),
        ])
    func move(encoder: [String], source: String, ext: String) throws {
        let helper = (try? HelperBinary.find()).map { DecodedSound(MediaWorker(binary: $0)) }
        try #require(helper != nil || ext != "m4a", "aircheck-media has not been built")
        let facts = try recorded(encoder, source, sound: ext == "m4a" ? helper : nil)
        let path = folder.path("show.\(ext)")
        #expect(facts.path == path)
        #expect(try chapters(path).map(\.title) == ["One", "Two", "Three"])
        let sound = try packets(path)
        var moved = facts
        moved.titles[1].cutSeconds = 27.25
        moved.titles[2].cutSeconds = 64.5
        ChapterMove(disk: RealDisk(), floorBytes: 0).run(&moved)
        let after = try chapters(path)
        #expect(after.map(\.title) == ["One", "Two", "Three"])
        for (chapter, start) in zip(after, [0, 27.25, 64.5]) {
            #expect(abs(chapter.start - start) < 0.01, "\(chapter)")
        }
        #expect(try packets(path) == sound)
        #expect(try Recorder().verify(moved).isSound)
        let cue = try String(contentsOfFile: folder.path("show.cue"), encoding: .utf8)
        #expect(cue.contains("FILE \"show.\(ext)\" WAVE") && cue.contains("INDEX 01 01:04:38"))
    }
}
