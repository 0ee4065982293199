import Feed
import Foundation
import Platform
import StreamFormats
import TestPrograms
import Testing

@testable import Relay

@Suite("Ogg mounts", .serialized)
struct OggMountTests {
    private static let codings: [(name: String, arguments: [String])] = [
        ("tone.opus", ["-c:a", "libopus", "-b:a", "96k"]),
        ("tone.ogg", ["-c:a", "libvorbis", "-b:a", "128k"]),
        ("tone.oga", ["-c:a", "flac", "-f", "ogg"]),
    ]

    private struct Setting {
        let folder: TemporaryFolder
        let bench: RelayBench
        let playout: Playout

        init(_ coding: (name: String, arguments: [String])) throws {
            folder = try TemporaryFolder()
            let file = folder.path(coding.name)
            let made = try RunningProgram.run(
                "ffmpeg",
                [
                    "-loglevel", "error", "-f", "lavfi", "-i",
                    "sine=frequency=440:sample_rate=48000:duration=8", "-ac", "2",
                    "-metadata", "title=From the file",
                ] + coding.arguments + [file], in: folder)
            guard made.exitCode == 0 else { throw StartFailure("ffmpeg: \(made.errors)") }
            bench = try RelayBench(settings: RelaySettings())
            playout = try Playout(file: file, into: bench.source.feed("demo"))
            playout.start()
        }
    }

    /// Packets of a stream as the reader finds them, with what else it says.
    private static func read(_ bytes: [UInt8]) -> (
        run: FrameRun, formats: [AudioFormat], titles: [String], junk: Int
    ) {
        var reader = ElementaryReader()
        var found: [StreamElement] = []
        reader.push(bytes.span, into: &found)
        return found.reduce(into: (FrameRun(), [], [], 0)) { all, element in
            switch element {
            case .frames(let run):
                all.0.bytes += run.bytes
                all.0.frames += run.frames
            case .format(let format): all.1.append(format)
            case .title(let raw): all.2.append(String(decoding: raw.text, as: UTF8.self))
            case .junk(let count): all.3 += count
            }
        }
    }

    @Test("every join begins with its headers, then whole packets, bit for bit", arguments: codings)
    func joins(coding: (name: String, arguments: [String])) throws {
        let setting = try Setting(coding)
        defer { setting.playout.stop() }
        for _ in 0..<5 {
            let listener = RawListener(port: setting.bench.port, get: "demo", headers: ["Icy-MetaData: 1"])
            #expect(listener.head().contains("Content-Type: audio/ogg\r\n"))
            #expect(!listener.head().contains("icy-metaint: "))
            let heard = Self.read(listener.body(upTo: 60_000))
            #expect(heard.formats.first?.codec == setting.playout.format.codec)
            #expect(heard.junk == 0)
            #expect(heard.run.frames.count > 10)
            #expect(setting.playout.contains(heard.run.bytes))
        }
    }

    @Test("ffmpeg decodes it without a complaint about what it hears first", arguments: codings)
    func ffmpeg(coding: (name: String, arguments: [String])) throws {
        let setting = try Setting(coding)
        defer { setting.playout.stop() }
        let wave = setting.folder.path("heard.wav")
        let ffmpeg = try RunningProgram.run(
            "ffmpeg", ["-y", "-loglevel", "error", "-i", setting.bench.url("demo"), "-t", "2", wave],
            in: setting.folder)
        #expect(ffmpeg.exitCode == 0)
        #expect(ffmpeg.errors.isEmpty, "\(ffmpeg.errors)")
        let size = try FileManager.default.attributesOfItem(atPath: wave)[.size] as? Int
        #expect((size ?? 0) > 2 * 44_100 * 4 - 10_000)
    }

    @Test(
        "a title from elsewhere chains a stream whose comments say it, and the packets go on",
        arguments: codings)
    func chained(coding: (name: String, arguments: [String])) throws {
        let setting = try Setting(coding)
        defer { setting.playout.stop() }
        let listener = RawListener(port: setting.bench.port, get: "demo")
        _ = listener.body(upTo: 1000)
        setting.bench.source.feed("demo").publish(
            title: RawTitle(source: .source, text: []),
            reading: TitleText(text: "A - B", artist: "A", title: "B", kind: .track))
        let late = eventually(within: 10) {
            listener.read(upTo: listener.received.count + 1000)
            return Self.read(listener.body).formats.count == 2
        }
        #expect(late)
        listener.read(upTo: listener.received.count + 40_000)
        let heard = Self.read(listener.body)
        #expect(heard.junk == 0)
        #expect(heard.titles.contains { $0.contains("B") }, "\(heard.titles)")
        #expect(setting.playout.contains(heard.run.bytes))
        let joiner = Self.read(RawListener(port: setting.bench.port, get: "demo").body(upTo: 20_000))
        #expect(joiner.junk == 0 && joiner.formats.count >= 1)
    }
}
