import Feed
import Foundation
import Platform
import StreamFormats
import TestPrograms
import Testing

@testable import Recording

/// What a file of some container holds, as the readers of streams see it.
private struct Held: Equatable {
    var packets: [[UInt8]] = []
    var formats: [AudioFormat] = []
    var titles: [String] = []
    var seconds = 0.0

    init(_ bytes: [UInt8]) {
        var reader = ElementaryReader()
        var found: [StreamElement] = []
        reader.push(bytes.span, into: &found)
        reader.finish(into: &found)
        for element in found { add(element) }
    }

    private mutating func add(_ element: StreamElement) {
        switch element {
        case .format(let format): formats.append(format)
        case .title(let raw): titles.append(String(decoding: raw.text, as: UTF8.self))
        case .junk: break
        case .frames(let run):
            var start = 0
            for frame in run.frames {
                packets.append(Array(run.bytes[start..<start + Int(frame.length)]))
                start += Int(frame.length)
            }
            seconds += Double(run.samples) / Double(formats.last?.sampleRate ?? 1)
        }
    }
}

@Suite("Ogg and FLAC", .enabled(if: RunningProgram.isInstalled("ffmpeg"), "ffmpeg is not installed"))
struct ContainerTests {
    /// Seconds of tones, as one file of a codec, with a title.
    private func tone(_ codec: String, _ ext: String, title: String, pitch: Int, in folder: TemporaryFolder)
        throws -> [UInt8]
    {
        let path = folder.path("\(pitch).\(ext)")
        let made = try RunningProgram.run(
            "ffmpeg",
            [
                "-v", "error", "-y", "-f", "lavfi", "-i",
                "sine=frequency=\(pitch):duration=12:sample_rate=48000", "-ac", "2",
                "-c:a", codec, "-metadata", "title=\(title)", path,
            ], in: folder)
        #expect(made.exitCode == 0, "\(made.errors)")
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func record(_ bytes: [UInt8], to path: String, tracks: String? = nil) throws -> RecordingFacts {
        try StreamFile.record(bytes, to: .whole(path: path), tracks: tracks)
    }

    private func probed(_ path: String, in folder: TemporaryFolder) throws -> Double {
        let found = try RunningProgram.run(
            "ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path], in: folder
        )
        return try #require(
            Double(found.output.trimmingCharacters(in: .whitespacesAndNewlines)), "\(found.errors)")
    }

    @Test(
        "every packet is kept bit for bit, and players read the right length",
        arguments: [
            ("libvorbis", "ogg"), ("libopus", "opus"), ("flac", "flac"), ("flac", "ogg"),
        ])
    func packets(codec: String, ext: String) throws {
        let folder = try TemporaryFolder("ogg")
        let bytes = try tone(codec, ext, title: "One", pitch: 440, in: folder)
        let path = folder.path("r.\(ext)")
        let facts = try record(bytes, to: path)
        let (sent, kept) = (Held(bytes), Held([UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))))
        #expect(!sent.packets.isEmpty)
        #expect(kept.packets == sent.packets)
        #expect(abs(facts.seconds - 12) < 0.05)
        #expect(abs(try probed(path, in: folder) - 12) < 0.05)
        let decoded = try RunningProgram.run(
            "ffmpeg", ["-v", "error", "-i", path, "-f", "null", "-"], in: folder)
        #expect(decoded.errors.isEmpty)
    }

    @Test(
        "a chain stays a chain in one file, and makes a track of every link, cut exactly",
        arguments: [
            ("libvorbis", "ogg"), ("libopus", "opus"),
        ])
    func chain(codec: String, ext: String) throws {
        let folder = try TemporaryFolder("chain")
        let links = try [("One", 440), ("Two", 660), ("Three", 880)].map {
            try tone(codec, ext, title: $0.0, pitch: $0.1, in: folder)
        }
        let path = folder.path("r.\(ext)")
        let tracks = try folder.folder("tracks")
        let facts = try record(links.flatMap { $0 }, to: path, tracks: tracks)
        let kept = Held([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(facts.parts.count == 1)
        #expect(kept.packets == links.flatMap { Held($0).packets })
        #expect(kept.titles == ["One", "Two", "Three"])
        #expect(facts.titles.map(\.text.text) == ["One", "Two", "Three"])
        #expect(facts.tracks.map(\.text.text) == ["One", "Two", "Three"])
        for (track, link) in zip(facts.tracks, links) {
            let name = try #require(track.name)
            let file = Held([UInt8](try Data(contentsOf: URL(fileURLWithPath: tracks + "/" + name))))
            #expect(file.packets == Held(link).packets)
        }
    }

    /// A minute of one link, with titles from outside the container.
    private func withTitles(_ codec: String, _ ext: String, in folder: TemporaryFolder) throws -> [UInt8] {
        let bytes = try tone(codec, ext, title: "Live", pitch: 440, in: folder)
        let feed = Feed(station: Station(id: "o", name: "Ogg FM", urls: []))
        let recorder = Recorder()
        let id = try recorder.start(
            RecordingRequest(target: .whole(path: folder.path("titled.\(ext)"))), feed: feed)
        var reader = ElementaryReader()
        var found: [StreamElement] = []
        reader.push(bytes.span, into: &found)
        reader.finish(into: &found)
        var runs: [FrameRun] = []
        for element in found {
            if case .format(let format) = element { feed.publish(format: format) }
            guard case .frames(let run) = element else { continue }
            let step = max(1, run.frames.count / 60)
            runs += stride(from: 0, to: run.frames.count, by: step).map {
                run.frames($0..<min($0 + step, run.frames.count))
            }
        }
        for (number, text) in ["A - One", "Ба - Два", "C - Three = 3"].enumerated() {
            feed.publish(
                title: RawTitle(source: .icy, text: Array(text.utf8)),
                reading: TitleText(text: text, kind: .track))
            let third = runs.count / 3
            for run in runs[number * third..<(number == 2 ? runs.count : (number + 1) * third)] {
                feed.publish(frames: run)
            }
        }
        try recorder.stopAndWait(id)
        recorder.shutDown()
        return bytes
    }

    @Test(
        "a single link gets its chapters as comments, and keeps every packet and the station's own comments",
        arguments: [("libvorbis", "ogg"), ("libopus", "opus")])
    func chapters(codec: String, ext: String) throws {
        let folder = try TemporaryFolder("chapters")
        let sent = try withTitles(codec, ext, in: folder)
        let path = folder.path("titled.\(ext)")
        let kept = Held([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(kept.packets == Held(sent).packets)
        #expect(kept.titles == ["Live"])
        let found = try RunningProgram.run(
            "ffprobe",
            [
                "-v", "error", "-show_entries", "chapter=start_time:chapter_tags=title", "-of", "csv=p=0",
                path,
            ],
            in: folder)
        let lines = found.output.split(separator: "\n").map { $0.split(separator: ",", maxSplits: 1) }
        #expect(lines.map { $0.last.map(String.init) } == ["A - One", "Ба - Два", "C - Three = 3"])
        let starts = lines.compactMap { $0.first.flatMap { Double($0) } }
        #expect(starts.count == 3 && starts[0] == 0 && abs(starts[1] - 4) < 0.5 && abs(starts[2] - 8) < 0.5)
        #expect(abs(try probed(path, in: folder) - 12) < 0.05)
        let decoded = try RunningProgram.run(
            "ffmpeg", ["-v", "error", "-i", path, "-f", "null", "-"], in: folder)
        #expect(decoded.errors.isEmpty)
    }

    @Test("a torn page at the end of an interrupted Ogg file is cut off, and the rest is kept")
    func torn() throws {
        let folder = try TemporaryFolder("torn")
        let bytes = try tone("libvorbis", "ogg", title: "One", pitch: 440, in: folder)
        let disk = FakeDisk()
        disk.put(Array(bytes.dropLast(100)), at: "/r/a.ogg.part")
        let now = SystemTime().wall
        try SidecarFile(folder: disk.folder("/r", below: [], creating: false)).write(
            RecordingFacts(
                id: RecordingID("a"), state: .recording, stationID: "a", stationName: "A", keep: false,
                started: now, ended: now, folder: "/r",
                parts: [RecordingPart(name: "a.ogg.part", startSeconds: 0)],
                titles: [], gaps: [], clock: []), named: "a.json", durably: false)
        let closed = Recorder(disk: disk).recover(folder: "/r", isDeep: false)
        #expect(closed.map(\.state) == [.interrupted])
        let kept = disk.bytes("/r/a.ogg") ?? []
        #expect(kept.count < bytes.count - 100)
        #expect(kept.elementsEqual(bytes.prefix(kept.count)))
        #expect((closed.first?.seconds ?? 0) > 10)
    }
}
