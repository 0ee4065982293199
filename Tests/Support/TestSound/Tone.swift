package import StreamFormats
internal import Foundation
package import TestPrograms

/// How a tone is coded for a test.
package enum ToneCodec: String, Sendable, CaseIterable {
    case mp3, aac, vorbis, opus, flac

    var arguments: [String] {
        switch self {
        case .mp3:
            [
                "-c:a", "libmp3lame", "-b:a", "128k", "-reservoir", "0", "-write_xing", "0", "-id3v2_version",
                "0", "-f",
                "mp3",
            ]
        case .aac: ["-c:a", "aac", "-b:a", "128k", "-f", "adts"]
        case .vorbis: ["-c:a", "libvorbis", "-q:a", "5", "-f", "ogg"]
        case .opus: ["-c:a", "libopus", "-b:a", "96k", "-ar", "48000", "-f", "ogg"]
        case .flac: ["-c:a", "flac", "-f", "ogg"]
        }
    }
}

/// A coded sound: its format and its frames, one by one.
package struct Tone: Sendable {
    package let format: AudioFormat
    package private(set) var frames: [FrameRun]
    /// The coded file.
    package let bytes: [UInt8]

    /// Near 1 kHz, and a whole number of waves in every MP3 frame: may be sent round and round without a seam.
    package static let loopable = 26 * 44_100.0 / 1152

    /// Amplitude of a tone, of full scale.
    package static let amplitude = 0.3

    /// Encodes a sine with ffmpeg.
    package init(
        hertz: Double, as codec: ToneCodec = .mp3, seconds: Double, rate: Int = 44_100,
        in folder: TemporaryFolder
    ) throws {
        try self.init(
            expression: "\(Self.amplitude)*sin(2*PI*\(hertz)*t)", as: codec, seconds: seconds, rate: rate,
            in: folder)
    }

    /// Encodes what an expression of ffmpeg's aevalsrc makes.
    package init(
        expression: String, as codec: ToneCodec = .mp3, seconds: Double, rate: Int = 44_100,
        in folder: TemporaryFolder
    ) throws {
        try self.init(
            bytes: Self.file(expression: expression, as: codec, seconds: seconds, rate: rate, in: folder))
    }

    /// The coded file alone.
    package static func file(
        expression: String, as codec: ToneCodec, seconds: Double, rate: Int = 44_100,
        in folder: TemporaryFolder
    ) throws -> [UInt8] {
        let file = folder.path("tone-\(UUID().uuidString.prefix(8))")
        let source = "aevalsrc=\(expression)|\(expression):s=\(rate):d=\(seconds)"
        let answer = try RunningProgram.run(
            "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", source] + codec.arguments + [file], in: folder)
        guard answer.exitCode == 0, let data = FileManager.default.contents(atPath: file) else {
            throw StartFailure("ffmpeg made no \(codec): \(answer.errors)")
        }
        return Array(data)
    }

    /// Cuts a coded file into frames.
    package init(bytes: [UInt8]) throws {
        var reader = ElementaryReader()
        var found: [StreamElement] = []
        reader.push(bytes.span, into: &found)
        reader.finish(into: &found)
        var (format, frames) = (AudioFormat?.none, [FrameRun]())
        for element in found {
            switch element {
            case .format(let new): format = format ?? new
            case .frames(let run): frames += run.single
            case .title, .junk: break
            }
        }
        guard let format, !frames.isEmpty else { throw StartFailure("no frames in the tone") }
        self.format = format
        self.frames = frames
        self.bytes = bytes
    }

    /// Without the frames at both ends, where the coder begins and stops.
    package var middle: Tone {
        var tone = self
        tone.frames = Array(frames.dropFirst(20).dropLast(20))
        return tone
    }

    /// All frames together.
    package var run: FrameRun {
        FrameRun(bytes: frames.flatMap(\.bytes), frames: frames.flatMap(\.frames))
    }

    package var seconds: Double { Double(run.samples) / Double(format.sampleRate) }
}

extension FrameRun {
    /// Every frame as a run of its own.
    fileprivate var single: [FrameRun] {
        var start = 0
        return frames.map { frame in
            defer { start += Int(frame.length) }
            return FrameRun(bytes: Array(bytes[start..<start + Int(frame.length)]), frames: [frame])
        }
    }
}
