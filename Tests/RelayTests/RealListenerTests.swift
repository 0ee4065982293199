import Feed
import Foundation
import JSONText
import Platform
import Relay
import StreamFormats
import TestPrograms
import Testing

/// Publishes the frames of a real file in real time, again and again, on a thread of its own.
final class Playout: @unchecked Sendable {
    // Sendable because what changes is touched by the thread alone, but for `isOver`, which has a lock.
    private let feed: Feed
    let run: FrameRun
    let format: AudioFormat
    private let isOver = Lock(false)

    /// - Parameter file: its frames; what is before the first (a tag) is left out.
    init(file: String, into feed: Feed) throws {
        self.feed = feed
        var reader = ElementaryReader()
        var found: [StreamElement] = []
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        reader.push(bytes.span, into: &found)
        reader.finish(into: &found)
        run = found.reduce(into: FrameRun()) { run, element in
            guard case .frames(let more) = element else { return }
            run.bytes += more.bytes
            run.frames += more.frames
        }
        format = try #require(
            found.lazy.compactMap { if case .format(let format) = $0 { format } else { nil } }.first)
        feed.publish(format: format)
    }

    /// Twenty seconds at once, for the burst, then as time goes.
    func start() {
        let thread = Thread { [self] in
            let begun = Date()
            var published = -20.0
            var (frame, byte) = (0, 0)
            while !isOver.withLock({ $0 }) {
                var piece = FrameRun()
                while published < Date().timeIntervalSince(begun) {
                    let info = run.frames[frame]
                    piece.frames.append(info)
                    piece.bytes += run.bytes[byte..<(byte + Int(info.length))]
                    byte += Int(info.length)
                    frame += 1
                    if frame == run.frames.count { (frame, byte) = (0, 0) }
                    published += Double(info.samples) / Double(format.sampleRate)
                }
                feed.publish(frames: piece)
                Thread.sleep(forTimeInterval: 0.05)
            }
        }
        thread.start()
    }

    func stop() { isOver.withLock { $0 = true } }

    /// True when `bytes` are the file's own, begun on a frame, as far as they go.
    func contains(_ bytes: [UInt8]) -> Bool {
        let rounds = bytes.count / max(1, run.bytes.count) + 2
        let played = Array(repeatElement(run.bytes, count: rounds).joined())
        var start = 0
        for info in run.frames {
            if played[start..<(start + bytes.count)].elementsEqual(bytes) { return true }
            start += Int(info.length)
        }
        return false
    }
}

@Suite("Real listeners", .serialized)
struct RealListenerTests {
    private static let title = "Zoë & the Tones - It's a test"

    private struct Setting {
        let folder: TemporaryFolder
        let bench: RelayBench
        let playout: Playout

        init(_ arguments: [String], named name: String) throws {
            folder = try TemporaryFolder()
            let file = folder.path(name)
            let made = try RunningProgram.run(
                "ffmpeg",
                [
                    "-loglevel", "error", "-f", "lavfi", "-i",
                    "sine=frequency=440:sample_rate=44100:duration=8", "-ac", "2",
                ]
                    + arguments + [file], in: folder)
            guard made.exitCode == 0 else { throw StartFailure("ffmpeg: \(made.errors)") }
            bench = try RelayBench(settings: RelaySettings())
            playout = try Playout(file: file, into: bench.source.feed("demo"))
            bench.title(RealListenerTests.title)
            playout.start()
        }
    }

    private static let mp3 = [
        "-c:a", "libmp3lame", "-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0",
    ]
    private static let codings: [(name: String, arguments: [String])] = [
        ("tone.mp3", mp3), ("tone.aac", ["-c:a", "aac", "-b:a", "64k"]),
    ]

    @Test("curl gets the station's own bytes, from a frame on", arguments: codings)
    func curl(coding: (name: String, arguments: [String])) throws {
        let setting = try Setting(coding.arguments, named: coding.name)
        defer { setting.playout.stop() }
        for titles in [false, true] {
            let file = setting.folder.path("heard")
            _ = try RunningProgram.run(
                "curl",
                ["-s", "-m", "2", "-o", file] + (titles ? ["-H", "Icy-MetaData: 1"] : []) + [
                    setting.bench.url("demo")
                ],
                in: setting.folder)
            var heard = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
            #expect(heard.count > 32 << 10)
            if titles {
                let icy = IcyReader(heard)
                #expect(icy.titles == ["StreamTitle='\(Self.title)';"])
                heard = icy.audio
            }
            #expect(setting.playout.contains(heard))
        }
    }

    @Test("ffmpeg, mpv and mpg123 play it and show the title")
    func players() throws {
        let setting = try Setting(Self.mp3, named: "tone.mp3")
        defer { setting.playout.stop() }
        let url = setting.bench.url("demo")
        let ffmpeg = try RunningProgram.run(
            "ffmpeg", ["-hide_banner", "-icy", "1", "-i", url, "-t", "2", "-f", "null", "-"],
            in: setting.folder)
        #expect(ffmpeg.exitCode == 0)
        #expect(ffmpeg.errors.contains(Self.title), "\(ffmpeg.errors)")
        #expect(ffmpeg.errors.contains("mp3") && ffmpeg.errors.contains("Demo Radio"))
        if RunningProgram.isInstalled("mpv") {
            let mpv = try RunningProgram.run(
                "mpv", ["--no-config", "--ao=null", "--no-video", "--length=2", "--msg-level=all=info", url],
                in: setting.folder)
            #expect(mpv.exitCode == 0)
            #expect((mpv.output + mpv.errors).contains(Self.title), "\(mpv.output)")
        }
        if RunningProgram.isInstalled("mpg123") {
            let mpg123 = try RunningProgram.run(
                "mpg123", ["-n", "120", "-w", setting.folder.path("heard.wav"), url], in: setting.folder)
            #expect(mpg123.exitCode == 0)
            #expect(
                (mpg123.output + mpg123.errors).contains("ICY-META: StreamTitle='\(Self.title)'"),
                "\(mpg123.errors)")
        }
    }

    @Test(
        "mplayer plays it and shows the title",
        .enabled(if: RunningProgram.isInstalled("mplayer"), "mplayer is not installed"))
    func mplayer() throws {
        let setting = try Setting(Self.mp3, named: "tone.mp3")
        defer { setting.playout.stop() }
        let run = try RunningProgram.run(
            "mplayer", ["-ao", "null", "-endpos", "2", "-noconsolecontrols", setting.bench.url("demo")],
            in: setting.folder, environment: ["HOME": setting.folder.path], within: 60)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.output.contains("StreamTitle='\(Self.title)';"), "\(run.output.prefix(2000))")
        #expect(
            run.output.contains("Name   : Demo Radio") && run.output.contains("(02."),
            "\(run.output.suffix(300))")
    }

    @Test(
        "ffplay plays it", .enabled(if: RunningProgram.isInstalled("ffplay"), "ffplay is not installed"))
    func ffplay() throws {
        let setting = try Setting(Self.mp3, named: "tone.mp3")
        defer { setting.playout.stop() }
        let ffplay = try RunningProgram(
            "ffplay", ["-hide_banner", "-nodisp", "-loglevel", "info", setting.bench.url("demo")],
            in: setting.folder,
            environment: [
                "SDL_AUDIODRIVER": "dummy", "SDL_VIDEODRIVER": "dummy", "HOME": setting.folder.path,
            ])
        defer { ffplay.stop() }
        // Its clock of seconds played; the first number of each line.
        let plays = eventually(within: 40) {
            ffplay.errors.split(whereSeparator: { $0 == "\r" || $0 == "\n" }).contains { line in
                line.contains("M-A:") && line.split(separator: " ").first.flatMap { Double($0) } ?? 0 > 2
            }
        }
        #expect(plays, "\(ffplay.errors.suffix(500))")
        #expect(ffplay.errors.contains("icy-name        : Demo Radio"))
    }

    @Test(
        "VLC plays it, asks for titles and gets them",
        .enabled(
            if: RunningProgram.isInstalled("cvlc") && getuid() == 0, "needs cvlc, and root to become nobody"))
    func vlc() throws {
        let setting = try Setting(Self.mp3, named: "tone.mp3")
        defer { setting.playout.stop() }
        let home = try setting.folder.folder("vlc")
        try setting.folder.give(toNobody: "vlc")
        let vlc = try RunningProgram(
            "cvlc",
            [
                "-vv", "-I", "dummy", "--no-dbus", "--no-lua", "--aout=adummy", setting.bench.url("demo"),
                "vlc://quit",
            ], in: setting.folder, environment: ["HOME": home, "XDG_RUNTIME_DIR": home], asNobody: true)
        defer { vlc.stop() }
        #expect(
            eventually(within: 40) { vlc.errors.contains("New Icy-Title=\(Self.title)") },
            "\(vlc.errors.suffix(3000))")
        #expect(vlc.errors.contains("Icy-Name: Demo Radio") || vlc.errors.contains("Icy-Name=Demo Radio"))
        #expect(setting.bench.relay.snapshot.connected == 1)
    }

    @Test(
        "MPD plays it and shows name and title",
        .enabled(
            if: RunningProgram.isInstalled("mpd") && RunningProgram.isInstalled("mpc"),
            "mpd and mpc are not installed"))
    func mpd() throws {
        let setting = try Setting(Self.mp3, named: "tone.mp3")
        defer { setting.playout.stop() }
        let (port, folder) = (FreePort.next(), setting.folder)
        let home = try folder.folder("mpd")
        let settings = try folder.write(
            "mpd.conf",
            """
            state_file "\(home)/state"
            playlist_directory "\(home)"
            bind_to_address "127.0.0.1"
            port "\(port)"
            zeroconf_enabled "no"
            audio_output {
              type "null"
              name "none"
            }
            """)
        let mpd = try RunningProgram("mpd", ["--no-daemon", "--stdout", settings], in: folder)
        defer { mpd.stop() }
        #expect(eventually(within: 20) { FreePort.isOpen(port) })
        func mpc(_ words: String...) throws -> String {
            try RunningProgram.run(
                "mpc", ["-h", "127.0.0.1", "-p", "\(port)"] + words, in: folder, within: 20
            ).output
        }
        _ = try mpc("add", setting.bench.url("demo"))
        _ = try mpc("play")
        var shown = ""
        let plays = eventually(within: 20, every: 0.3) {
            shown = (try? mpc("-f", "[%name%] / [%title%]", "status")) ?? ""
            return shown.hasPrefix("Demo Radio / \(Self.title)\n") && shown.contains("[playing]")
                && !shown.contains("0:00/")
        }
        #expect(plays, "\(shown) \(mpd.output.suffix(800))")
        guard ProcessInfo.processInfo.environment["AIRCHECK_TESTS"] == "all" else { return }
        Thread.sleep(forTimeInterval: 61)
        shown = try mpc("status")
        #expect(shown.contains("[playing]") && shown.contains(" 1:0"), "\(shown)")
    }

    @Test(
        "curl, ffmpeg, mpg123, mplayer and Chromium play it for a minute",
        .enabled(if: ProcessInfo.processInfo.environment["AIRCHECK_TESTS"] == "all", "set AIRCHECK_TESTS=all")
    )
    func minute() throws {
        let setting = try Setting(Self.mp3, named: "tone.mp3")
        defer { setting.playout.stop() }
        let (url, folder) = (setting.bench.url("demo"), setting.folder)
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Programs/browser.py").path
        let home = ["HOME": folder.path]
        let curl = try RunningProgram(
            "curl", ["-s", "-m", "60", "-o", folder.path("minute"), url], in: folder)
        let ffmpeg = try RunningProgram(
            "ffmpeg", ["-loglevel", "warning", "-stats", "-re", "-i", url, "-t", "60", "-f", "null", "-"],
            in: folder)
        let mpg123 = try RunningProgram(
            "mpg123", ["-n", "2400", "-w", folder.path("minute.wav"), url], in: folder)
        let mplayer = try RunningProgram(
            "mplayer", ["-ao", "null", "-endpos", "60", "-noconsolecontrols", url], in: folder,
            environment: home)
        let chromium = try RunningProgram(
            "python3", [script, "1", url], in: folder, environment: home.merging(["HOLD": "60"]) { $1 })
        for program in [curl, ffmpeg, mpg123, mplayer, chromium] { #expect(program.wait(150)) }
        let heard = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("minute"))))
        #expect(heard.count > 59 * 16_000 && setting.playout.contains(heard))
        #expect(
            ffmpeg.exitCode == 0 && ffmpeg.errors.contains("time=00:01:00"), "\(ffmpeg.errors.suffix(300))")
        let wave = try FileManager.default.attributesOfItem(atPath: folder.path("minute.wav"))[.size] as? Int
        #expect(mpg123.exitCode == 0 && (wave ?? 0) > 60 * 44_100 * 4, "\(wave ?? 0)")
        #expect(mplayer.exitCode == 0, "\(mplayer.errors)")
        let held = chromium.output.split(separator: "\n").last.flatMap { try? JSONValue.parse(String($0)) }
        let seconds = held?["results"]?.array?.first?["held"]?.double
        #expect(seconds.map { $0 > 58 } == true, "\(chromium.output) \(chromium.errors)")
    }

    @Test("ffmpeg decodes AAC from the first frame without an error")
    func aac() throws {
        let setting = try Setting(Self.codings[1].arguments, named: "tone.aac")
        defer { setting.playout.stop() }
        let ffmpeg = try RunningProgram.run(
            "ffmpeg",
            ["-loglevel", "warning", "-i", setting.bench.url("demo"), "-t", "2", "-f", "null", "-"],
            in: setting.folder)
        #expect(ffmpeg.exitCode == 0)
        #expect(ffmpeg.errors.isEmpty, "\(ffmpeg.errors)")
    }
}
