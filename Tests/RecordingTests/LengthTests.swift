import Foundation
import MediaHelper
import Platform
import StreamFormats
import TestPrograms
import Testing

@testable import Recording

/// What players make of finished files: how long they are, and where a seek leads.
@Suite(
    "Lengths and seeks", .enabled(if: RunningProgram.isInstalled("ffmpeg"), "ffmpeg is not installed"))
struct LengthTests {
    /// How a station might send it.
    struct Format: Sendable, CustomTestStringConvertible {
        var name: String
        var encoder: [String]
        /// Extension of what ffmpeg makes.
        var source: String
        /// Extension of what the recorder makes.
        var file: String

        var testDescription: String { name }

        static let all = [
            Format(name: "MP3", encoder: ["-c:a", "libmp3lame", "-b:a", "128k"], source: "mp3", file: "mp3"),
            Format(
                name: "MP3 VBR", encoder: ["-c:a", "libmp3lame", "-q:a", "4"], source: "mp3", file: "mp3"),
            Format(
                name: "MP3 at 22.05 kHz", encoder: ["-c:a", "libmp3lame", "-b:a", "48k", "-ar", "22050"],
                source: "mp3", file: "mp3"),
            Format(name: "MP2", encoder: ["-c:a", "mp2", "-b:a", "192k"], source: "mp2", file: "mp2"),
            Format(name: "AAC", encoder: ["-c:a", "aac", "-b:a", "96k"], source: "aac", file: "m4a"),
            Format(name: "Vorbis", encoder: ["-c:a", "libvorbis", "-q:a", "4"], source: "ogg", file: "ogg"),
            Format(name: "Opus", encoder: ["-c:a", "libopus", "-b:a", "96k"], source: "opus", file: "opus"),
            Format(name: "FLAC in Ogg", encoder: ["-c:a", "flac"], source: "oga", file: "ogg"),
            Format(name: "FLAC", encoder: ["-c:a", "flac"], source: "flac", file: "flac"),
        ]
    }

    private static let seconds = 40.7
    /// The pitch rises by so much every second, from the base: it says of any place where it is.
    private static let (base, step) = (400.0, 40.0)

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("lengths") }

    private func encoded(_ format: Format) throws -> [UInt8] {
        let path = folder.path("source.\(format.source)")
        // Louder and softer, with a little noise at times: variable bit rates do vary.
        let pitch =
            "sin(2*PI*(\(Self.base)+\(Self.step)*floor(t))*t)*(0.5+0.3*sin(t))+0.02*(1+sin(t/3))*(random(0)-0.5)"
        let made = try RunningProgram.run(
            "ffmpeg",
            [
                "-v", "error", "-y", "-f", "lavfi", "-i", "aevalsrc=\(pitch):s=48000:d=\(Self.seconds)",
                "-ac", "2", "-write_xing", "0", "-id3v2_version", "0",
            ].filter { format.source == "mp3" || !["-write_xing", "0", "-id3v2_version"].contains($0) }
                + format.encoder + [path], in: folder)
        try #require(made.exitCode == 0, "\(made.errors)")
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func probed(_ path: String) throws -> Double {
        let found = try RunningProgram.run(
            "ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path], in: folder
        )
        return try #require(
            Double(found.output.trimmingCharacters(in: .whitespacesAndNewlines)), "\(found.errors)")
    }

    /// Decodes to samples of 16 bits, one channel, 8,000 a second.
    private func decoded(_ path: String, from start: Double? = nil, for length: Double? = nil) throws
        -> [Int16]
    {
        let raw = folder.path("decoded.raw")
        let done = try RunningProgram.run(
            "ffmpeg",
            ["-v", "error", "-y"] + (start.map { ["-ss", "\($0)"] } ?? []) + ["-i", path]
                + (length.map { ["-t", "\($0)"] } ?? []) + ["-ac", "1", "-ar", "8000", "-f", "s16le", raw],
            in: folder)
        #expect(done.exitCode == 0 && done.errors.isEmpty, "\(done.errors)")
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        return stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
    }

    /// The second that sounds, by its pitch.
    private func second(_ samples: [Int16]) -> Double {
        let rises = zip(samples, samples.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
        return (Double(rises) * 8000 / Double(max(samples.count, 1)) - Self.base) / Self.step
    }

    @Test(
        "a player reads the length to 0.03 s, and a seek leads to the second that was asked for",
        arguments: Format.all)
    func lengths(format: Format) throws {
        let sound: DecodedSound? =
            format.file == "m4a"
            ? (try? HelperBinary.find()).map { DecodedSound(MediaWorker(binary: $0)) } : nil
        if format.file == "m4a" { try #require(sound != nil, "aircheck-media has not been built") }
        let facts = try StreamFile.record(
            encoded(format), to: .library(folder: folder.path, template: NameTemplate("recorded")),
            sound: sound)
        #expect(facts.parts.map(\.name) == ["recorded.\(format.file)"])
        let path = folder.path("recorded.\(format.file)")
        let (read, real) = (try probed(path), Double(try decoded(path).count) / 8000)
        print("\(format.name): ffprobe \(read) s, decoded \(real) s, sidecar \(facts.seconds) s")
        #expect(abs(read - real) <= 0.03)
        #expect(abs(facts.seconds - real) <= 0.03)
        #expect(abs(real - Self.seconds) < 0.1)
        for place in [3.2, 17.2, 29.2, 38.2] {
            // What a decoder needs to come in is behind by then.
            let found = second(Array(try decoded(path, from: place, for: 0.5).dropFirst(1600)))
            #expect(abs(found - place.rounded(.down)) < 0.2, "a seek to \(place) s led to second \(found)")
        }
    }

    @Test("raw ADTS has as many frames as were sent")
    func adts() throws {
        let sent = try encoded(Format.all[4])
        let facts = try StreamFile.record(sent, to: .whole(path: folder.path("raw.aac")))
        let kept = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("raw.aac"))))
        #expect(kept == sent)
        var (frames, place) = (0, 0)
        while place + 7 <= kept.count, kept[place] == 0xFF, kept[place + 1] & 0xF6 == 0xF0 {
            place += Int(kept[place + 3] & 3) << 11 | Int(kept[place + 4]) << 3 | Int(kept[place + 5] >> 5)
            frames += 1
        }
        #expect(place == kept.count)
        #expect(facts.frames == Int64(frames))
        #expect(abs(facts.seconds - Double(frames) * 1024 / 48_000) < 1e-6)
    }
}
