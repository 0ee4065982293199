import Feed
import Foundation
import Platform
import StreamFormats
import TestPrograms
import Testing

@testable import Recording

/// More than a day of the smallest frames there are, as fast as the machine takes them.
@Suite(
    "A very long recording", .enabled(if: RunningProgram.isInstalled("ffprobe"), "ffprobe is not installed"))
struct LongRecordingTests {
    /// MPEG-2.5 layer III at 8 kbit/s and 8 kHz: 72 bytes, 72 ms.
    private static let head: [UInt8] = [0xFF, 0xE3, 0x18, 0xC4]
    private static let frameSeconds = 0.072

    private func run(frames: Int) -> FrameRun {
        let length = MPEGAudioHeader(Self.head[0], Self.head[1], Self.head[2], Self.head[3])?.frameLength ?? 0
        var run = FrameRun()
        for _ in 0..<frames {
            run.bytes += Self.head + [UInt8](repeating: 0, count: length - 4)
            run.frames.append(FrameInfo(length: Int32(length), samples: 576))
        }
        return run
    }

    /// Frames to a title: fifty seconds of them in the long runs, which makes twenty-five hours.
    private static let framesPerTitle = LongRuns.areOn ? 694 : 40

    /// A day and an hour of titles.
    @Test(
        "has its exact length, a chapter for every one of 1,800 titles, and a tag that has grown beyond its room"
    )
    func day() throws {
        let folder = try TemporaryFolder("day")
        let time = ManualTime()
        let feed = Feed(station: Station(id: "day", name: "Day FM", urls: []), time: time)
        let recorder = Recorder(disk: RealDisk(), time: time)
        let session = try recorder.makeSession(
            RecordingRequest(target: .library(folder: folder.path, template: NameTemplate("day"))), feed: feed
        )
        feed.publish(format: AudioFormat(codec: .mp3, sampleRate: 8000, channels: 1))
        let piece = run(frames: Self.framesPerTitle)
        for number in 0..<1800 {
            let text = "Artist with a long name \(number) - Песня \(number)"
            feed.publish(
                title: RawTitle(source: .icy, text: Array(text.utf8)),
                reading: TitleText(text: text, kind: .track))
            time.advance(bySeconds: Double(Self.framesPerTitle) * Self.frameSeconds)
            feed.publish(frames: piece)
            #expect(session.tick() == .running)
        }
        session.shared.withLock { $0.endAsked = true }
        #expect(session.tick() == .ended)
        var facts = session.finish(journal: NoJournal())
        let before = try audio(facts, in: folder)
        let room = ChapterRoom(disk: RealDisk(), floorBytes: 0)
        #expect(room.concerns(facts))
        room.run(&facts)
        #expect(!room.concerns(facts))
        #expect(try audio(facts, in: folder) == before)
        let seconds = 1800 * Double(Self.framesPerTitle) * Self.frameSeconds
        #expect(abs(facts.seconds - seconds) < 1e-6 && (seconds > 86_400 || !LongRuns.areOn))
        try probe(facts, seconds, in: folder)
        #expect(try recorder.verify(facts).isSound)
        #expect(FileManager.default.fileExists(atPath: folder.path("day.cue")))
        #expect(!FileManager.default.fileExists(atPath: folder.path("day.mp3.new")))
        recorder.shutDown()
    }

    /// A hash is enough of ninety megabytes.
    private func audio(_ facts: RecordingFacts, in folder: TemporaryFolder) throws -> Int {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("day.mp3")))
        let part = facts.parts[0]
        #expect(Int64(bytes.count) == part.bytes)
        #expect(facts.titles.allSatisfy { bytes[Int($0.byte)] == 0xFF })
        return bytes.dropFirst(Int(part.audioOffset)).hashValue
    }

    private func probe(_ facts: RecordingFacts, _ seconds: Double, in folder: TemporaryFolder) throws {
        let found = try RunningProgram.run(
            "ffprobe",
            [
                "-v", "error", "-show_entries", "format=duration:chapter=start_time:chapter_tags=title",
                "-of",
                "csv=p=0", folder.path("day.mp3"),
            ], in: folder)
        let lines = found.output.split(separator: "\n").map(String.init)
        let length = try #require(lines.compactMap { Double($0) }.first)
        #expect(abs(length - seconds) < 0.03, "\(length)")
        let chapters = lines.compactMap { line -> (Double, String)? in
            let parts = line.split(separator: ",", maxSplits: 1).map(String.init)
            return parts.count == 2 ? Double(parts[0]).map { ($0, parts[1]) } : nil
        }
        #expect(chapters.count == 1800)
        for (title, chapter) in zip(facts.titles, chapters) {
            #expect(chapter.1 == title.text.text)
            #expect(abs(chapter.0 - title.chapterSeconds) < 0.1)
        }
    }
}
