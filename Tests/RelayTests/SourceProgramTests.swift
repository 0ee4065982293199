import Feed
import Foundation
import HTTPWire
import Platform
import Reactor
import Relay
import StreamFormats
import TestPrograms
import Testing

/// Programs that people stream with, each sending to a mount of ours.
@Suite("Programs that send", .serialized)
struct SourceProgramTests {
    private static let title = "Zoë - It's live"

    /// A relay with its Shoutcast door beside it, and a tone as MP3.
    private final class Studio {
        let bench: RelayBench
        let folder: TemporaryFolder
        let door: Listener
        let tone: String

        init() throws {
            folder = try TemporaryFolder("studio")
            bench = try RelayBench()
            let loop = bench.loops.loops[0]
            door = try Studio.listener(loop, ShoutcastDoor(relay: bench.relay, loop: loop))
            tone = folder.path("tone.mp3")
            let made = try RunningProgram.run(
                "ffmpeg",
                [
                    "-loglevel", "error", "-f", "lavfi", "-i",
                    "sine=frequency=440:sample_rate=44100:duration=6", "-ac", "2", "-c:a", "libmp3lame",
                    "-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0", tone,
                ], in: folder)
            guard made.exitCode == 0 else { throw StartFailure("ffmpeg: \(made.errors)") }
        }

        private static func listener(_ loop: EventLoop, _ door: ShoutcastDoor) throws -> Listener {
            try Listener(.tcp(host: "127.0.0.1", port: 0), on: loop, handler: door)
        }

        deinit { door.close() }

        var doorPort: Int { Int(door.endpoint.port ?? 0) }
        var port: Int { Int(bench.port) }

        func feed(_ mount: String) -> Feed? { bench.relay.sourceFeed(mount) }

        /// Waits until so many seconds of a mount have come.
        func hears(_ mount: String, seconds: Double, within limit: Double = 30) -> Bool {
            eventually(within: limit) { (feed(mount)?.position.seconds ?? 0) >= seconds }
        }

        func says(_ title: String, on mount: String) -> Bool {
            eventually(within: 10) { feed(mount)?.nowAiring?.text.text == title }
        }
    }

    private static func compiled(in folder: TemporaryFolder) throws -> String {
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Programs/shout.c").path
        let program = folder.path("shout")
        let made = try RunningProgram.run(
            "sh", ["-c", "cc -o '\(program)' '\(source)' $(pkg-config --cflags --libs shout)"], in: folder)
        guard made.exitCode == 0 else { throw StartFailure("cc: \(made.errors)") }
        return program
    }

    private static let hasLibshout: Bool = {
        guard RunningProgram.isInstalled("cc"), let folder = try? TemporaryFolder() else { return false }
        return (try? RunningProgram.run("pkg-config", ["--exists", "shout"], in: folder))?.exitCode == 0
    }()

    @Test(
        "libshout feeds a mount over HTTP and by Shoutcast's way, and says titles",
        .enabled(if: hasLibshout, "libshout-dev and cc are not installed"), arguments: ["http", "icy"])
    func libshout(way: String) throws {
        let studio = try Studio()
        let program = try Self.compiled(in: studio.folder)
        let mount = way == "icy" ? "stream" : "live.mp3"
        let port = way == "icy" ? studio.doorPort - 1 : studio.port
        // libshout goes to the port after the one it is given for its Shoutcast way; titles then go to that one itself,
        // which here is another program's.
        let title = way == "icy" ? "" : Self.title
        let run = try RunningProgram.run(
            "sh",
            [
                "-c",
                "'\(program)' 127.0.0.1 \(port) /\(mount) \(way) mp3 \"$0\" < '\(studio.tone)'", title,
            ], in: studio.folder, within: 40)
        #expect(run.exitCode == 0 && run.output.contains("sent"), "\(run.errors)")
        #expect(studio.hears(mount, seconds: 5.9), "\(studio.feed(mount)?.position.seconds ?? -1)")
        if way == "http" { #expect(studio.says(Self.title, on: mount)) }
        #expect(studio.feed(mount)?.status.stationName == "Shout Radio")
    }

    @Test(
        "liquidsoap feeds a mount over HTTP and by Shoutcast's way, with its titles",
        .enabled(if: RunningProgram.isInstalled("liquidsoap"), "liquidsoap is not installed"))
    func liquidsoap() throws {
        let studio = try Studio()
        let script = try studio.folder.write(
            "radio.liq",
            """
            settings.log.stdout.set(true)
            settings.init.allow_root.set(true)
            s = metadata.map(fun (_) -> [("title", "It's live"), ("artist", "Zoë")], single("\(studio.tone)"))
            s = mksafe(s)
            output.icecast(%mp3(bitrate=128), host="127.0.0.1", port=\(studio.port), password="sourcesecret",
              mount="soap.mp3", name="Soap Radio", encoding="UTF-8", s)
            output.icecast(%vorbis, host="127.0.0.1", port=\(studio.port), password="sourcesecret",
              mount="soap.ogg", name="Soap Ogg", s)
            output.shoutcast(%mp3(bitrate=128), host="127.0.0.1", port=\(studio.doorPort - 1),
              password="sourcesecret", name="Soap Cast", s)
            """)
        let soap = try RunningProgram("liquidsoap", [script], in: studio.folder)
        defer { soap.stop() }
        for mount in ["soap.mp3", "soap.ogg", "stream"] {
            #expect(studio.hears(mount, seconds: 4, within: 60), "\(mount): \(soap.output.suffix(1500))")
        }
        #expect(studio.says(Self.title, on: "soap.mp3"), "\(soap.output.suffix(1500))")
        #expect(studio.says(Self.title, on: "soap.ogg"))
        #expect(studio.feed("soap.ogg")?.format?.codec == .vorbis)
        #expect(studio.feed("stream")?.status.stationName == "Soap Cast")
    }

    @Test(
        "ezstream feeds a mount",
        .enabled(if: RunningProgram.isInstalled("ezstream"), "ezstream is not installed"))
    func ezstream() throws {
        let studio = try Studio()
        let settings = try studio.folder.write(
            "ezstream.xml",
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <ezstream>
              <servers><server><protocol>HTTP</protocol><hostname>127.0.0.1</hostname>
                <port>\(studio.port)</port><user>source</user><password>sourcesecret</password>
                <reconnect_attempts>1</reconnect_attempts></server></servers>
              <streams><stream><mountpoint>/ez.mp3</mountpoint>
                <stream_name>Ez Radio</stream_name><format>MP3</format><public>No</public></stream></streams>
              <intakes><intake><type>file</type><filename>\(studio.tone)</filename>
                <stream_once>Yes</stream_once></intake></intakes>
            </ezstream>
            """)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: settings)
        let ezstream = try RunningProgram("ezstream", ["-v", "-c", settings], in: studio.folder)
        defer { ezstream.stop() }
        #expect(studio.hears("ez.mp3", seconds: 4), "\(ezstream.output) \(ezstream.errors)")
        #expect(studio.feed("ez.mp3")?.status.stationName == "Ez Radio")
    }

    @Test("ffmpeg sends AAC, Ogg Vorbis, Opus and FLAC, each a mount of its own type")
    func codings() throws {
        let studio = try Studio()
        let login = "source:sourcesecret@127.0.0.1:\(studio.port)"
        let codings: [(mount: String, codec: Codec, arguments: [String])] = [
            ("a.aac", .aac, ["-c:a", "aac", "-content_type", "audio/aac", "-f", "adts"]),
            ("a.ogg", .vorbis, ["-c:a", "libvorbis", "-content_type", "application/ogg", "-f", "ogg"]),
            ("a.opus", .opus, ["-c:a", "libopus", "-content_type", "application/ogg", "-f", "ogg"]),
            ("a.oga", .flac, ["-c:a", "flac", "-content_type", "application/ogg", "-f", "ogg"]),
        ]
        for coding in codings {
            let run = try RunningProgram.run(
                "ffmpeg",
                ["-loglevel", "error", "-i", studio.tone] + coding.arguments + [
                    "icecast://\(login)/\(coding.mount)"
                ],
                in: studio.folder)
            #expect(run.exitCode == 0, "\(coding.mount): \(run.errors)")
            #expect(studio.hears(coding.mount, seconds: 5.5, within: 5), "\(coding.mount)")
            #expect(studio.feed(coding.mount)?.format?.codec == coding.codec, "\(coding.mount)")
        }
    }
}
