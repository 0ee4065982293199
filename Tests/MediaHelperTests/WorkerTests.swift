import Foundation
import MediaHelper
import Platform
import StreamFormats
import TestPrograms
import TestSound
import Testing

/// 2 s of 440 Hz, 1 s of silence, 2 s of 900 Hz.
private let threeParts =
    "if(lt(t\\,2)\\,0.3*sin(2*PI*440*t)\\,if(lt(t\\,3)\\,0\\,0.3*sin(2*PI*900*t)))"

@Suite("Worker", .enabled(if: RunningProgram.isInstalled("ffmpeg"), "ffmpeg is not installed"))
struct WorkerTests {
    private let folder: TemporaryFolder
    private let worker: MediaWorker

    init() throws {
        folder = try TemporaryFolder("worker")
        worker = MediaWorker(binary: try HelperBinary.find())
    }

    private func file(_ name: String, _ bytes: [UInt8]) throws -> Int32 {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path(name)))
        return open(folder.path(name), O_RDWR | O_CLOEXEC)
    }

    @Test(
        "features show where it is silent and where it changes, to a frame", arguments: ToneCodec.allCases)
    func features(codec: ToneCodec) throws {
        let tone = try Tone(expression: threeParts, as: codec, seconds: 5, in: folder)
        let found = try worker.features(format: tone.format, frames: tone.run)
        #expect(abs(Double(found.energy.count) * FrameFeatures.step - tone.seconds) < 0.02)
        #expect(found.energy.count == found.novelty.count)
        #expect(abs(found.energy[100] - 0.212) < 0.01)
        #expect(found.energy[250] < 0.001)
        let quiet = found.energy.indices.filter { found.energy[$0] < 0.05 && $0 > 50 }
        // Coders delay the sound by up to 1100 samples at either end.
        #expect(abs(Double(quiet.first ?? 0) / 100 - 2) < 0.06)
        let loudest = found.novelty[250..<350].indices.max { found.novelty[$0] < found.novelty[$1] } ?? 0
        #expect(abs(Double(loudest) / 100 - 3) < 0.06)
    }

    @Test("features of a span from mid stream lie where the frames lie", arguments: ToneCodec.allCases)
    func span(codec: ToneCodec) throws {
        let tone = try Tone(expression: threeParts, as: codec, seconds: 5, in: folder)
        let skipped = Int(0.8 / tone.seconds * Double(tone.frames.count))
        let run = FrameRun(
            bytes: tone.frames[skipped...].flatMap(\.bytes), frames: tone.frames[skipped...].flatMap(\.frames)
        )
        let start =
            Double(tone.frames[..<skipped].reduce(0) { $0 + $1.samples }) / Double(tone.format.sampleRate)
        let found = try worker.features(format: tone.format, frames: run)
        let quiet = found.energy.indices.filter { found.energy[$0] < 0.05 && $0 > 20 }
        #expect(abs(start + Double(quiet.first ?? 0) / 100 - 2) < 0.06)
    }

    @Test("decoded samples are the tone")
    func decode() throws {
        let tone = try Tone(hertz: 700, seconds: 30, in: folder)
        let sound = try worker.decode(format: tone.format, frames: tone.run)
        let heard = Sound(samples: sound.samples.map { Float($0) / 32768 }, rate: sound.sampleRate)
        #expect(abs(heard.seconds - tone.seconds) < 0.001)
        #expect(abs(heard.part(from: 1, to: 29).frequency - 700) < 0.1)
    }

    @Test(
        "loudness, silence and waveform of a file are right",
        arguments: ToneCodec.allCases)
    func analyse(codec: ToneCodec) throws {
        let path = folder.path("all.\(codec)")
        let bytes = try Tone.file(expression: threeParts, as: codec, seconds: 5, in: folder)
        let input = try file("all.\(codec)", bytes)
        defer { close(input) }
        let found = try worker.analyse(file: input, [.loudness, .silence, .peaks])
        #expect(abs(found.seconds - 5) < 0.1, "\(path)")
        // A sine of 0 dBFS in both channels is 0 LUFS at 1 kHz (BS.1770), a little less below.
        #expect(abs((found.loudness?.integrated ?? 0) + 10.9) < 0.9)
        #expect(abs((found.loudness?.truePeak ?? 0) + 10.46) < 0.6)
        let silence = try #require(found.silences?.first)
        #expect(abs(silence.start - 2) < 0.08)
        #expect(abs(silence.end - 3) < 0.08)
        #expect(abs(Int(found.waveform?.peaks[10] ?? 0) - 77) < 8)
        #expect(found.waveform?.peaks[25] ?? 255 < 2)
        #expect(try worker.silence(file: input).count == 1)
        #expect(try worker.peaks(file: input).peaks.count >= 50)
        #expect(try worker.loudness(file: input) == found.loudness)
    }

    @Test("ADTS becomes an M4A with every frame and every chapter", arguments: [0, 3, 300])
    func remux(chapters count: Int) throws {
        let tone = try Tone(hertz: 500, as: .aac, seconds: 30, in: folder)
        let source = try file("in.aac", tone.bytes)
        let target = open(folder.path("out.m4a"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(source); close(target) }
        let chapters = (0..<count).map { MediaChapter(start: Double($0) * 0.1, title: "Kapitel \($0) — 東京") }
        let result = try worker.remux(
            from: source, to: target, chapters: chapters,
            tags: [MediaTag(name: "title", value: "Nachtprogramm")])
        #expect(result.packets == Int64(tone.frames.count))
        let probe = try RunningProgram.run(
            "ffprobe",
            ["-v", "error", "-show_chapters", "-show_format", "-of", "json", folder.path("out.m4a")],
            in: folder)
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(probe.output.utf8)) as? [String: Any])
        let told = json["chapters"] as? [[String: Any]] ?? []
        #expect(told.count == count)
        for (index, chapter) in told.enumerated() {
            #expect((chapter["tags"] as? [String: Any])?["title"] as? String == chapters[index].title)
            let start = Double(chapter["start_time"] as? String ?? "") ?? -1
            #expect(abs(start - chapters[index].start) < 0.002)
        }
        let format = json["format"] as? [String: Any]
        #expect((format?["tags"] as? [String: Any])?["title"] as? String == "Nachtprogramm")
        #expect(abs((Double(format?["duration"] as? String ?? "") ?? 0) - result.seconds) < 0.03)
        // The frames are the same, bit for bit.
        let copy = try RunningProgram.run(
            "ffmpeg",
            [
                "-v", "error", "-i", folder.path("out.m4a"), "-map", "0:a", "-c", "copy", "-f", "adts",
                folder.path("again.aac"),
            ],
            in: folder)
        #expect(copy.exitCode == 0)
        let again = try Tone(
            bytes: [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("again.aac")))))
        #expect(again.run.frames.count == tone.run.frames.count)
        #expect(
            again.frames.map { Array($0.bytes.dropFirst(7)) }
                == tone.frames.map { Array($0.bytes.dropFirst(7)) })
    }

    @Test(
        "what cannot be read is refused with a reason",
        arguments: [[], [UInt8](repeating: 0xA5, count: 5000)])
    func refused(bytes: [UInt8]) throws {
        let input = try file("noise", bytes)
        defer { close(input) }
        #expect(throws: MediaError.self) { try worker.analyse(file: input, .loudness) }
    }

    @Test(
        "frames of noise give silence or a refusal, and the next question is answered",
        arguments: Codec.allCases)
    func noise(codec: Codec) throws {
        var random = SystemRandomNumberGenerator()
        let frames = (0..<50).map { _ in FrameInfo(length: 300, samples: 1024) }
        let bytes = (0..<15_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let container: Container = codec.isSelfFraming ? .elementary : .ogg
        for setup in [[], [[UInt8]](repeating: Array(bytes[..<60]), count: 3)] {
            let format = AudioFormat(
                codec: codec, container: container, sampleRate: 44_100, channels: 2, setup: setup)
            _ = try? worker.features(format: format, frames: FrameRun(bytes: bytes, frames: frames))
        }
        let tone = try Tone(hertz: 700, seconds: 1, in: folder)
        #expect(try worker.features(format: tone.format, frames: tone.run).energy.count > 90)
    }

    @Test("an answer that does not come in time ends the worker, not the asker")
    func timeout() throws {
        let tone = try Tone(hertz: 700, seconds: 1, in: folder)
        #expect(throws: MediaError.timedOut(seconds: 0)) {
            try worker.features(format: tone.format, frames: tone.run, timeout: 0)
        }
        #expect(try worker.features(format: tone.format, frames: tone.run).energy.count > 90)
    }

    @Test("a helper that is not there is named with the remedy")
    func missing() {
        let absent = MediaWorker(binary: "/nonexistent/aircheck-media")
        #expect(throws: MediaError.self) { try absent.analyse(file: 0, .loudness) }
        #expect(MediaError.missing(searched: ["/a"]).description.contains("AIRCHECK_MEDIA"))
    }
}
