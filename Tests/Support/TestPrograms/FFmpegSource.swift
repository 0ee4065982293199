import Foundation

/// ffmpeg as a station's studio: sends a file or a tone to an Icecast, in real time, for ever.
package enum FFmpegSource {
    package enum Coding: String, Sendable, CaseIterable {
        case mp3, aac, vorbis, opus, flac

        fileprivate var arguments: [String] {
            switch self {
            case .mp3: ["-c:a", "libmp3lame", "-b:a", "128k", "-content_type", "audio/mpeg", "-f", "mp3"]
            case .aac: ["-c:a", "aac", "-b:a", "96k", "-content_type", "audio/aac", "-f", "adts"]
            case .vorbis:
                ["-c:a", "libvorbis", "-b:a", "128k", "-content_type", "application/ogg", "-f", "ogg"]
            case .opus: ["-c:a", "libopus", "-b:a", "96k", "-content_type", "application/ogg", "-f", "ogg"]
            case .flac: ["-c:a", "flac", "-content_type", "application/ogg", "-f", "ogg"]
            }
        }
    }

    /// Sends a tone of `hertz` that an ear, or a test, recognises.
    package static func tone(
        _ hertz: Int, as coding: Coding = .mp3, to icecast: Icecast, mount: String, in folder: TemporaryFolder
    ) throws -> RunningProgram {
        try RunningProgram(
            "ffmpeg",
            [
                "-loglevel", "error", "-re", "-f", "lavfi", "-i", "sine=frequency=\(hertz):sample_rate=44100",
                "-ac", "2",
            ]
                + coding.arguments + [icecast.sourceURL(mount)],
            in: folder, name: "ffmpeg-\(mount)")
    }

    /// Sends a file as it is, again and again, without encoding it anew.
    package static func file(
        _ path: String, type: String, format: String, to icecast: Icecast, mount: String,
        in folder: TemporaryFolder
    ) throws -> RunningProgram {
        try RunningProgram(
            "ffmpeg",
            [
                "-loglevel", "error", "-re", "-stream_loop", "-1", "-i", path, "-c", "copy", "-content_type",
                type, "-f",
                format, icecast.sourceURL(mount),
            ], in: folder, name: "ffmpeg-\(mount)")
    }
}
