import Foundation
import JSONText
import TestPrograms
import Testing

/// Programs of others drive the player, as they are.
@Suite(
    "EndToEnd: remote controls", .serialized,
    .enabled(if: RunningProgram.isInstalled("icecast2"), "needs icecast2"))
struct RemoteControlTests {
    private let folder: TemporaryFolder
    private let mpdPort = FreePort.next()

    init() throws { folder = try TemporaryFolder("remote") }

    /// The stations: they are on the air for as long as somebody holds them.
    private struct Air {
        let icecast: Icecast
        let sources: [RunningProgram]
        func stop() {
            sources.forEach { $0.stop() }
            icecast.stop()
        }
    }

    /// Three stations of one Icecast, one of them with a title, and a service that knows them.
    private func broadcast(environment: [String: String] = [:]) throws -> (AircheckService, Air) {
        let icecast = try Icecast(in: folder)
        let names = ["alpha", "beta", "gamma"]
        let sources = try names.enumerated().map { number, name in
            try FFmpegSource.tone(400 + 200 * number, to: icecast, mount: name, in: folder)
        }
        try icecast.awaitSources("alpha", "beta", "gamma", in: folder)
        try icecast.setTitle("The Band - The Song", mount: "alpha", in: folder)
        let stations = names.map { name in
            """
            [[station]]
            id = "\(name)"
            name = "Radio \(name)"
            genre = "jazz"
            urls = ["\(icecast.url(name))"]
            local = true

            """
        }.joined()
        let service = try AircheckService(
            in: folder, stations: stations, settings: "[player]\noutput = \"null\"\n",
            environment: environment.merging(["AIRCHECK_MPD_PORT": "\(mpdPort)"]) { $1 })
        for name in names {
            try service.call("PUT", "/api/v1/stations/\(name)/favourite", ["value": true])
        }
        return (service, Air(icecast: icecast, sources: sources))
    }

    private func mpc(_ words: String...) throws -> String {
        let answer = try RunningProgram.run(
            "mpc", words, in: folder,
            environment: ["MPD_HOST": "127.0.0.1", "MPD_PORT": "\(mpdPort)"], within: 20)
        return answer.exitCode == 0 ? answer.output : "exit \(answer.exitCode ?? -1): \(answer.errors)"
    }

    @Test("mpc", .enabled(if: RunningProgram.isInstalled("mpc"), "needs mpc"))
    func mpcSession() throws {
        let (service, air) = try broadcast()
        defer { air.stop() }
        #expect(try mpc("playlist").contains("Radio beta"))
        #expect(try mpc("clear").contains("volume"))
        #expect(try mpc("load", "Favourites").contains("loading: Favourites"))
        #expect(try mpc("play", "1").contains("[playing] #1/3"))
        #expect(try service.get("/api/v1/player")["station"]?["id"]?.string == "alpha")
        #expect(eventually(within: 15) { (try? mpc("current"))?.contains("The Band - The Song") == true })
        #expect(try mpc("next").contains("#2/3"))
        #expect(try mpc("prev").contains("#1/3"))
        #expect(try mpc("prev").contains("#3/3"), "the list goes round")
        #expect(try mpc("seek", "+5").contains("Not seekable"))
        #expect(try mpc("volume", "35").contains("35%"))
        #expect(try service.get("/api/v1/player")["volume"]?.int == 35)
        #expect(try !mpc("pause").contains("[paused]"))
        #expect(try service.get("/api/v1/player")["state"]?.string == "stopped")
        #expect(try mpc("toggle").contains("[playing]"))
        #expect(try mpc("stop").contains("volume"))
        #expect(try mpc("search", "any", "radio gam").hasSuffix("/gamma\n"))
        #expect(try mpc("ls").contains("Favourites\n"))
        #expect(try mpc("lsplaylists").contains("Presets\n"))
        #expect(try mpc("outputs").contains("is enabled"))
        #expect(try mpc("move", "3", "1").isEmpty)
        #expect(try mpc("playlist").hasPrefix("Radio gamma"))
        #expect(
            try mpc("add", air.icecast.url("alpha")).isEmpty,
            "an address of a station that is known is that station")
        #expect(try mpc("save", "Evening").isEmpty)
        #expect(try service.get("/api/v1/stations/alpha").text().contains("Evening"))
        let idle = try RunningProgram(
            "mpc", ["idle", "mixer"], in: folder,
            environment: ["MPD_HOST": "127.0.0.1", "MPD_PORT": "\(mpdPort)"])
        Thread.sleep(forTimeInterval: 0.5)
        #expect(idle.isRunning)
        // It may not have come in yet, and knows only of what changes after that.
        var percent: Int64 = 50
        #expect(
            eventually(within: 10, every: 0.3) {
                percent += 1
                _ = try? service.call("PUT", "/api/v1/player/volume", ["percent": .int(percent)])
                return !idle.isRunning
            })
        #expect(idle.output == "mixer\n")
        let locally = try RunningProgram.run(
            "mpc", ["status"], in: folder, environment: ["MPD_HOST": folder.path("run/aircheck/mpd.sock")])
        #expect(locally.exitCode == 0, "\(locally.errors)")
        service.stop()
    }

    @Test("SIGUSR2 leaves MPD's doors open: socket and port take who comes, before and after")
    func handOver() throws {
        let (service, air) = try broadcast()
        defer { air.stop() }
        let socket = folder.path("run/aircheck/mpd.sock")
        func locally() throws -> Int32? {
            try RunningProgram.run("mpc", ["status"], in: folder, environment: ["MPD_HOST": socket]).exitCode
        }
        func number() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: socket)[.systemFileNumber] as? Int
        }
        #expect(try locally() == 0)
        let before = try #require(try number())
        // While it has another name its number cannot become another socket's.
        #expect(link(socket, folder.path("held.sock")) == 0)
        let started = try service.get("/api/v1/status")["started"]?.string
        Thread.sleep(forTimeInterval: 1.1)
        kill(service.pid, SIGUSR2)
        // One after another comes while one program hands over to the next.
        var answers: [Int32?] = []
        let isNew = eventually(within: 40) {
            answers.append(try? locally())
            return (try? service.get("/api/v1/status")["started"]?.string).flatMap { $0 } ?? started
                != started
        }
        #expect(isNew)
        #expect(try number() == before, "it was never another socket")
        #expect(answers.allSatisfy { $0 == 0 }, "\(answers)")
        #expect(eventually(within: 10) { (try? locally()) == 0 })
        #expect(try mpc("status").contains("volume"))
        service.stop()
        #expect(!FileManager.default.fileExists(atPath: socket), "an end takes it away")
    }

    @Test(
        "ncmpcpp",
        .enabled(
            if: ["ncmpcpp", "tmux"].allSatisfy(RunningProgram.isInstalled), "needs ncmpcpp and tmux"))
    func ncmpcppSession() throws {
        let (service, air) = try broadcast()
        defer { air.stop() }
        try service.call("POST", "/api/v1/player/play", ["station": "beta", "list": "favourites"])
        let socket = folder.path("tmux")
        func tmux(_ words: [String]) throws -> String {
            try RunningProgram.run(
                "tmux", ["-S", socket] + words, in: folder, environment: ["TERM": "xterm"]
            ).output
        }
        _ = try folder.folder("ncmpcpp")
        _ = try folder.write(
            "ncmpcpp/config",
            "mpd_host = 127.0.0.1\nmpd_port = \(mpdPort)\nncmpcpp_directory = \(folder.path("ncmpcpp"))\n")
        _ = try tmux([
            "-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30",
            "LANG=C.UTF-8 HOME=\(folder.path) ncmpcpp -c \(folder.path("ncmpcpp/config"))",
        ])
        defer { _ = try? tmux(["kill-server"]) }
        func screen() -> String { (try? tmux(["capture-pane", "-p"])) ?? "" }
        #expect(eventually(within: 15, every: 0.2) { screen().contains("Radio gamma") }, "\(screen())")
        #expect(eventually(within: 15, every: 0.2) { screen().contains("Playing:") }, "\(screen())")
        _ = try tmux(["send-keys", ">"])
        #expect(
            eventually(within: 10) {
                (try? service.get("/api/v1/player")["station"]?["id"]?.string) == "gamma"
            })
        _ = try tmux(["send-keys", "s"])
        #expect(eventually(within: 10) { (try? service.get("/api/v1/player")["state"]?.string) == "stopped" })
        // The browser, and back.
        _ = try tmux(["send-keys", "2"])
        #expect(eventually(within: 10, every: 0.2) { screen().contains("Favourites") }, "\(screen())")
        service.stop()
    }

    @Test(
        "python-mpd2",
        .enabled(if: PythonTools.has("mpd"), "needs python-mpd2: make test-python"))
    func pythonSession() throws {
        let (service, air) = try broadcast()
        defer { air.stop() }
        let script = try folder.write(
            "session.py",
            """
            import sys, time, mpd
            c = mpd.MPDClient(); c.timeout = 10
            c.connect("127.0.0.1", \(mpdPort))
            assert c.mpd_version == "0.23.5", c.mpd_version
            commands = c.commands()
            assert "idle" in commands and "sticker" in commands and "mount" not in commands
            assert len(c.playlistinfo()) == 3
            c.play(1)
            status = c.status()
            assert status["state"] == "play" and status["song"] == "1" and "duration" not in status, status
            assert c.currentsong()["name"] == "Radio beta"
            try:
                c.seekcur(10); sys.exit("live was sought")
            except mpd.CommandError as error:
                assert "Not seekable" in str(error), error
            c.pause(1)
            assert c.status()["state"] == "stop"
            c.command_list_ok_begin(); c.setvol(20); c.play(0); c.status()
            assert c.command_list_end()[2]["volume"] == "20"
            assert c.search("any", "alpha")[0]["name"] == "Radio alpha"
            assert c.find("(name == 'Radio gamma')")[0]["file"].endswith("/gamma")
            assert c.listplaylistinfo("Favourites")[2]["name"] == "Radio gamma"
            assert c.readpicture(c.currentsong()["file"]) == {}
            song = c.currentsong()["file"]
            c.sticker_set("song", song, "rating", "7")
            assert c.sticker_get("song", song, "rating") == "7" and c.sticker_find("song", "", "rating")[0]["file"] == song
            assert c.sticker_list("song", song) == {"favourite": "1", "rating": "7"}, c.sticker_list("song", song)
            first = c.addid("http://127.0.0.1:1/nothing")
            c.deleteid(first)
            import threading
            told = []
            other = mpd.MPDClient(); other.connect("127.0.0.1", \(mpdPort))
            waiting = threading.Thread(target=lambda: told.extend(other.idle("mixer")))
            waiting.start(); c.setvol(33); waiting.join(5)
            assert told == ["mixer"], told
            other.disconnect()
            c.stop(); c.close(); c.disconnect()
            print("done")
            """)
        let session = try PythonTools.run(script, in: folder)
        #expect(session.output == "done\n", "\(session.errors)")
        service.stop()
    }

    @Test(
        "playerctl",
        .enabled(if: DesktopBus.isInstalled, "needs playerctl and dbus"))
    func playerctlSession() throws {
        let bus = try DesktopBus(in: folder)
        defer { bus.stop() }
        let (service, air) = try broadcast(environment: bus.environment)
        defer { air.stop() }
        try service.call("POST", "/api/v1/player/play", ["station": "alpha", "list": "favourites"])
        #expect(eventually(within: 10) { (try? bus.playerctl("status")) == "Playing\n" })
        #expect(eventually(within: 15) { (try? bus.playerctl("metadata", "title")) == "The Song\n" })
        #expect(try bus.playerctl("metadata", "artist") == "The Band\n")
        #expect(try bus.playerctl("metadata", "album") == "Radio alpha\n")
        #expect(try bus.playerctl("metadata").contains("mpris:length") == false)
        #expect(try bus.playerctl("next") == "")
        #expect(eventually(within: 10) { (try? bus.playerctl("metadata", "album")) == "Radio beta\n" })
        #expect(try bus.playerctl("previous") == "")
        #expect(eventually(within: 10) { (try? bus.playerctl("metadata", "album")) == "Radio alpha\n" })
        #expect(try bus.playerctl("volume", "0.25") == "")
        #expect(eventually(within: 10) { (try? service.get("/api/v1/player")["volume"]?.int) == 25 })
        #expect(try bus.playerctl("pause").hasPrefix("exit"), "live cannot be paused")
        #expect(try bus.playerctl("position", "10").hasPrefix("exit"), "live cannot be sought")
        #expect(try bus.playerctl("play-pause") == "")
        #expect(eventually(within: 10) { (try? bus.playerctl("status")) == "Stopped\n" })
        let follower = try RunningProgram(
            "playerctl", ["-p", "aircheck", "--follow", "status"], in: folder, name: "follow",
            environment: bus.environment)
        Thread.sleep(forTimeInterval: 0.5)
        #expect(try bus.playerctl("play") == "")
        #expect(eventually(within: 10) { follower.output.hasSuffix("Playing\n") })
        follower.stop()
        #expect(try bus.playerctl("open", air.icecast.url("gamma")) == "")
        #expect(
            eventually(within: 10) {
                (try? service.get("/api/v1/player")["station"]?["id"]?.string) == "gamma"
            })
        #expect(try bus.playerctl("stop") == "")
        #expect(eventually(within: 10) { (try? service.get("/api/v1/player")["state"]?.string) == "stopped" })
        service.stop()
    }
}
