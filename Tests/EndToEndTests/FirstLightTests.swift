import Foundation
import JSONText
import TestPrograms
import Testing

/// What somebody does in the first five minutes: the demo station, heard, recorded and relayed.
@Suite("EndToEnd: first light", .serialized)
struct FirstLightTests {
    private let folder: TemporaryFolder
    private let service: AircheckService

    init() throws {
        folder = try TemporaryFolder("first-light")
        service = try AircheckService(in: folder, settings: "[player]\noutput = \"null\"\n")
    }

    @Test("the demo station is in the list, is found by a part of its name, and has titles")
    func demoStation() throws {
        let list = try service.command(["stations", "list"])
        #expect(list.output.contains("demo"))
        #expect(list.output.contains("aircheck demo"))
        let found = try service.command(["stations", "search", "aircheck", "--json"])
        #expect(try JSONValue.parse(found.output)["id"]?.string == "demo")
        _ = try service.call("POST", "/api/v1/player/play", ["station": "demo"])
        #expect(
            eventually(within: 15) { (try? service.get("/api/v1/player")["now"]?["title"]?.string) != nil })
    }

    @Test("tune plays it into a WAV file that holds sound")
    func tune() throws {
        let wav = folder.path("tuned.wav")
        let tuned = try service.command(["tune", "demo", "--output", wav, "--for", "6s"])
        #expect(tuned.exitCode == 0, "\(tuned.errors)")
        #expect(tuned.output.contains("live"))
        let level = try RunningProgram.run("sox", [wav, "-n", "stat"], in: folder)
        let lines = level.errors.split(separator: "\n")
        let rms = lines.first { $0.hasPrefix("RMS     amplitude") }.flatMap {
            Double($0.split(separator: " ").last ?? "")
        }
        #expect((rms ?? 0) > 0.01, "\(level.errors)")
        let length = lines.first { $0.hasPrefix("Length") }.flatMap {
            Double($0.split(separator: " ").last ?? "")
        }
        #expect((length ?? 0) > 3)
    }

    @Test("record makes a file of the length that was asked for, which ffmpeg decodes without an error")
    func record() throws {
        let recorded = try service.command(["record", "demo", "--for", "6s", "--json"])
        #expect(recorded.exitCode == 0, "\(recorded.errors)")
        let recording = try JSONValue.parse(recorded.output, limit: 1 << 20)
        let path = recording["path"]?.string ?? ""
        #expect(path.hasPrefix(folder.path))
        // Six seconds by the clock, and as much of the station's burst as came with the first of them.
        #expect((5.5...16).contains(recording["seconds"]?.double ?? 0))
        let decoded = try RunningProgram.run(
            "ffmpeg", ["-v", "error", "-i", path, "-f", "null", "-"], in: folder)
        #expect(decoded.exitCode == 0)
        #expect(decoded.errors == "")
        #expect(recording["titles"]?.array?.isEmpty == false)
        let id = recording["id"]?.string ?? ""
        let verified = try service.command(["recordings", "verify", id])
        #expect(
            verified.exitCode == 0 && verified.output.contains("as they were written"), "\(verified.output)")
        let renamed = try service.command(["recordings", "rename", id, "../Evening: one"])
        #expect(
            renamed.exitCode == 0 && !renamed.output.contains("/.."), "\(renamed.output)\(renamed.errors)")
        let listed = try service.command(["recordings", "list"])
        #expect(listed.output.contains("finished"))
    }

    @Test(
        "players listen to the relay and hear it",
        .enabled(
            if: ["mpv", "mpg123", "ffmpeg"].allSatisfy(RunningProgram.isInstalled),
            "needs mpv, mpg123 and ffmpeg"))
    func players() throws {
        let url = service.address + "/demo"
        let mpv = try RunningProgram.run(
            "mpv", ["--no-config", "--ao=null", "--no-video", "--length=5", url], in: folder, within: 30)
        #expect(mpv.exitCode == 0, "\(mpv.output)")
        #expect(mpv.output.contains("icy-title"))
        let mpg123 = try RunningProgram.run(
            "mpg123", ["-n", "200", "-o", "none", "-t", url], in: folder, within: 30)
        #expect(mpg123.exitCode == 0)
        #expect(mpg123.errors.contains("ICY-META"))
        let ffmpeg = try RunningProgram.run(
            "ffmpeg", ["-v", "error", "-icy", "1", "-i", url, "-t", "2", "-f", "null", "-"], in: folder,
            within: 30)
        #expect(ffmpeg.exitCode == 0)
        #expect(ffmpeg.errors == "")
        let curl = try RunningProgram.run(
            "curl", ["-s", "-m", "3", "-o", folder.path("curl.mp3"), url], in: folder, within: 30)
        #expect(curl.exitCode == 28)
        let probe = try RunningProgram.run(
            "ffprobe", ["-v", "error", "-show_streams", folder.path("curl.mp3")], in: folder)
        #expect(probe.output.contains("codec_name=mp3"))
    }

    @Test("playlists lead to the mount by the host that was asked")
    func playlists() throws {
        for suffix in ["m3u", "pls", "xspf"] {
            let answer = try RunningProgram.run(
                "curl", ["-s", "-f", "\(service.address)/demo.\(suffix)"], in: folder)
            #expect(answer.exitCode == 0, "\(suffix)")
            #expect(
                answer.output.contains("http://127.0.0.1:\(service.port)/demo"), "\(suffix): \(answer.output)"
            )
        }
    }

    @Test("the commands that ask the service print what a person can read, and JSON that a program can")
    func commands() throws {
        for command in [
            ["status"], ["now"], ["volume"], ["token", "list"], ["recordings", "list"], ["config", "check"],
        ] {
            let answer = try service.command(command)
            #expect(answer.exitCode == 0, "\(command): \(answer.errors)")
        }
        let status = try JSONValue.parse(try service.command(["status", "--json"]).output, limit: 1 << 20)
        #expect(status["version"]?.string != nil)
        #expect(status["listen"]?.string == service.address)
    }

    @Test("a list with nothing in it says so, and which command puts something there")
    func emptyLists() throws {
        for (words, next) in [
            (["watch", "list"], "watch add"), (["favourites"], "stations favourite"),
            (["dial", "list"], "dial add"), (["recordings", "list"], "record"),
            (["schedule", "list"], "schedule add"), (["token", "list"], "token create"),
        ] {
            let answer = try service.command(words)
            #expect(answer.exitCode == 0 && answer.output.isEmpty, "\(words): \(answer)")
            #expect(answer.errors.contains("`aircheck \(next) "), "\(words): \(answer.errors)")
        }
    }
}
