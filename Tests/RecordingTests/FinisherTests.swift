import Feed
import Foundation
import Platform
import StreamFormats
import TestPrograms
import TestStations
import Testing

@testable import Recording

/// Silent layer III frames whose bit rate changes from frame to frame, MPEG-1 at 44.1 kHz.
private func variableFrames(_ count: Int) -> FrameRun {
    var run = FrameRun()
    for number in 0..<count {
        let index = UInt8(1 + (number / 40 * 5) % 14)
        let head: [UInt8] = [0xFF, 0xFB, index << 4, 0xC4]
        let length = MPEGAudioHeader(head[0], head[1], head[2], head[3])?.frameLength ?? 0
        run.bytes += head + [UInt8](repeating: 0, count: length - 4)
        run.frames.append(FrameInfo(length: Int32(length), samples: 1152))
    }
    return run
}

@Suite("Finished files")
struct FinisherTests {
    @Test("an MP3 begins with a valid tag and ends up with its chapters, and the audio never moves")
    func inPlace() throws {
        let rig = try RecordingRig(settings: Self.settings)
        rig.title("A - One")
        rig.run(ticks: 4)
        let early = rig.disk.bytes("/r/a.mp3") ?? []
        #expect(ID3.read(early)?["TPE1"] == "Demo FM")
        rig.title("Б - Два")
        rig.run(ticks: 4)
        rig.end()
        let bytes = rig.disk.bytes("/r/a.mp3") ?? []
        let tag = try #require(ID3.read(bytes))
        #expect(tag.chapters.map(\.title) == ["A - One", "Б - Два"])
        #expect(abs(tag.chapters[1].start - 40 * rig.source.secondsPerUnit) < 0.001)
        #expect(rig.facts.parts[0].audioOffset > 128 << 10)
        #expect(
            early.dropFirst(Int(rig.facts.parts[0].audioOffset)).elementsEqual(
                bytes.dropFirst(Int(rig.facts.parts[0].audioOffset)).prefix(40 * 417)))
        #expect(rig.verdict.isPerfect)
    }

    private static let settings = Recorder.Settings()

    @Test("a thousand chapters make a nested table that reads back whole")
    func manyChapters() throws {
        var tag = TagFields()
        tag.chapters = (0..<1000).map {
            TagFields.Chapter(start: Double($0) * 200, end: Double($0 + 1) * 200, title: "Title number \($0)")
        }
        let bytes = try #require(ID3.tag(tag, length: 128 << 10))
        #expect(bytes.count == 128 << 10)
        #expect(ID3.read(bytes)?.chapters == tag.chapters)
        #expect(ID3.length(ofTagAt: bytes) == bytes.count)
        #expect(ID3.tag(tag, length: 4096) == nil)
    }

    @Test("hostile text comes back from a tag as it went in")
    func hostileText() throws {
        for text in [
            "it's a test'; not the end", "\u{1B}[2J", "😀 \"quoted\"", String(repeating: "日", count: 170),
        ] {
            var tag = TagFields()
            tag.add("TIT2", text)
            let bytes = try #require(ID3.tag(tag, length: 4096))
            #expect(ID3.read(bytes)?["TIT2"] == text)
        }
    }

    @Test(
        "ffprobe reads the right length to 0.03 s, constant and variable bit rate alike",
        arguments: [false, true])
    func lengths(variable: Bool) throws {
        try #require(RunningProgram.isInstalled("ffprobe"), "ffprobe is not installed")
        let folder = try TemporaryFolder()
        let feed = Feed(station: Station(id: "v", name: "V", urls: []))
        let recorder = Recorder()
        let id = try recorder.start(RecordingRequest(target: .whole(path: folder.path("v.mp3"))), feed: feed)
        feed.publish(format: AudioFormat(codec: .mp3, sampleRate: 44_100, channels: 2))
        feed.publish(
            frames: variable ? variableFrames(3000) : RecordingRig.run(0..<3000, NumberedFrames(.mp3)))
        try recorder.stopAndWait(id)
        recorder.shutDown()
        let found = try RunningProgram.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", folder.path("v.mp3")],
            in: folder)
        let seconds = try #require(Double(found.output.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(abs(seconds - 3000 * 1152 / 44100) < 0.03, "\(seconds)")
    }

    @Test("ffprobe finds every chapter of a recording with its title")
    func probeChapters() throws {
        try #require(RunningProgram.isInstalled("ffprobe"), "ffprobe is not installed")
        let folder = try TemporaryFolder()
        let rig = try RecordingRig()
        for number in 0..<300 {
            rig.title("Artist - Song \(number)")
            rig.run(ticks: 1)
        }
        rig.end()
        try Data(rig.disk.bytes("/r/a.mp3") ?? []).write(to: URL(fileURLWithPath: folder.path("c.mp3")))
        let found = try RunningProgram.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "chapter_tags=title", "-of", "csv=p=0", folder.path("c.mp3")],
            in: folder)
        let titles = found.output.split(separator: "\n").map(String.init)
        #expect(titles.count == 300)
        #expect(Set(titles).contains("Artist - Song 299"))
    }

    @Test("a cue sheet has every title up to 99, in 75ths of a second")
    func cue() throws {
        let rig = try RecordingRig()
        rig.title("A - \"One\"")
        rig.run(ticks: 6)
        rig.title("B - Two")
        rig.run(ticks: 4)
        rig.end()
        let text = CueSheet.text(rig.facts, part: 0)
        #expect(text.contains("TITLE \"'One'\"\n    PERFORMER \"A\""))
        #expect(
            text.contains("  TRACK 02 AUDIO\n    TITLE \"Two\"\n    PERFORMER \"B\"\n    INDEX 01 00:01:43"))
    }

    @Test("a seek index finds places to within a frame or two, however long the file is")
    func seekIndex() {
        var index = SeekIndex()
        var offset: Int64 = 0
        for number in 0..<100_000 {
            let length = Int32(100 + number % 300)
            index.add(at: offset, length: length)
            offset += Int64(length)
        }
        #expect(!index.isConstant)
        for share in [0, 0.1, 0.5, 0.9, 0.999] {
            #expect(abs(Double(index.offset(at: share, total: offset)) / Double(offset) - share) < 0.002)
        }
    }
}
