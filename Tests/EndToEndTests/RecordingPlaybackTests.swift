import Foundation
import JSONText
import TestPrograms
import TestSound
import Testing

/// Recordings in the service's own player, by all of its remote controls.
@Suite(
    "EndToEnd: recordings in the service's player", .serialized,
    .enabled(if: RunningProgram.isInstalled("icecast2"), "needs icecast2"))
struct RecordingPlaybackTests {
    private let folder: TemporaryFolder
    private let mpdPort = FreePort.next()

    init() throws { folder = try TemporaryFolder("playback") }

    /// The station: it is on the air for as long as somebody holds it.
    private struct Air {
        let icecast: Icecast
        let source: RunningProgram
        func stop() { source.stop() }
    }

    /// A service that has recorded a tone for so many seconds.
    private func recorded(
        seconds: Double, settings: String = "[player]\noutput = \"null\"\n",
        environment: [String: String] = [:]
    ) throws -> (AircheckService, Air, id: String) {
        let icecast = try Icecast(in: folder)
        let source = try FFmpegSource.tone(1000, to: icecast, mount: "tone", in: folder)
        try icecast.awaitSources("tone", in: folder)
        let service = try AircheckService(
            in: folder,
            stations: """
                [[station]]
                id = "tone"
                name = "Tone"
                urls = ["\(icecast.url("tone"))"]
                local = true
                """, settings: settings,
            environment: environment.merging(["AIRCHECK_MPD_PORT": "\(mpdPort)"]) { $1 })
        let made = try service.call("POST", "/api/v1/recordings", ["station": "tone", "show": "Nightwatch"])
        let id = try #require(made["id"]?.string)
        try icecast.setTitle("The Band - First", mount: "tone", in: folder)
        Thread.sleep(forTimeInterval: seconds / 2)
        try icecast.setTitle("The Band - Second", mount: "tone", in: folder)
        Thread.sleep(forTimeInterval: seconds / 2)
        return (service, Air(icecast: icecast, source: source), id)
    }

    private func player(_ service: AircheckService) -> JSONValue {
        (try? service.get("/api/v1/player")) ?? .null
    }
    private func place(_ service: AircheckService) -> Double {
        player(service)["recording"]?["position"]?.double ?? -1
    }
    private func state(_ service: AircheckService) -> String? { player(service)["state"]?.string }

    @Test("REST: played, paused, sought, sped up; its place is kept, told, and gone on from")
    func rest() throws {
        let (service, source, id) = try recorded(seconds: 12)
        let live = try service.call("POST", "/api/v1/player/play", ["station": "tone"])
        #expect(live["recording"] == .null)
        for (method, path, body) in [
            ("POST", "pause", [:]), ("PUT", "position", ["seconds": 3]), ("PUT", "speed", ["value": 2]),
        ] as [(String, String, JSONValue)] {
            #expect(throws: StartFailure.self, "live has no \(path)") {
                try service.call(method, "/api/v1/player/\(path)", body)
            }
        }
        // While it is being recorded.
        let follower = try RunningProgram(
            "curl",
            [
                "-sN", "--unix-socket", folder.path("run/aircheck/control.sock"),
                "http://localhost/api/v1/events",
            ], in: folder, name: "events")
        try service.call("POST", "/api/v1/player/play", ["recording": .string(id), "position": 0])
        #expect(eventually(within: 10) { state(service) == "playing" })
        #expect(player(service)["recording"]?["growing"]?.bool == true)
        #expect(player(service)["station"] == .null)
        try service.call("POST", "/api/v1/recordings/\(id)/stop", [:])
        let length = try #require(try service.get("/api/v1/recordings/\(id)")["seconds"]?.double)
        #expect(eventually(within: 5) { player(service)["recording"]?["growing"]?.bool == false })
        #expect(eventually(within: 10) { place(service) > 1.5 })
        try service.call("POST", "/api/v1/player/pause", [:])
        #expect(eventually(within: 5) { state(service) == "paused" })
        Thread.sleep(forTimeInterval: 0.5)
        let there = place(service)
        Thread.sleep(forTimeInterval: 1)
        #expect(abs(place(service) - there) < 0.05)
        try service.call("PUT", "/api/v1/player/position", ["seconds": 7])
        #expect(abs(place(service) - 7) < 0.1 && state(service) == "paused")
        try service.call("PUT", "/api/v1/player/position", ["change": -2])
        #expect(abs(place(service) - 5) < 0.1)
        try service.call("POST", "/api/v1/player/play", [:])
        #expect(eventually(within: 5) { state(service) == "playing" })
        try service.call("POST", "/api/v1/player/next", [:])
        let second = try #require(
            try service.get("/api/v1/recordings/\(id)")["titles"]?.array?.last(where: {
                $0["title"]?.string == "Second"
            })?["seconds"]?.double)
        #expect(
            eventually(within: 5) { abs(place(service) - second) < 1.5 }, "\(place(service)) is not \(second)"
        )
        #expect(eventually(within: 5) { player(service)["now"]?["title"]?.string == "Second" })
        try service.call("PUT", "/api/v1/player/speed", ["value": 1.5])
        #expect(player(service)["recording"]?["speed"]?.double == 1.5)
        try service.call("PUT", "/api/v1/player/position", ["seconds": 3])
        #expect(eventually(within: 5) { place(service) > 3.3 && state(service) == "playing" })
        let (begin, then) = (place(service), ContinuousClock.now)
        Thread.sleep(forTimeInterval: 2)
        let pace = (place(service) - begin) / ((ContinuousClock.now - then) / .seconds(1))
        #expect(abs(pace - 1.5) < 0.2, "half as fast again: \(pace)")
        try service.call("POST", "/api/v1/player/stop", [:])
        let stopped = place(service)
        #expect(
            eventually(within: 5) {
                let kept = try? service.get("/api/v1/recordings/\(id)")["listening"]?["position"]?.double
                return kept.map { abs($0 - stopped) < 0.3 } == true
            }, "the place is kept")
        let again = try service.call("POST", "/api/v1/player/play", ["recording": .string(id)])
        #expect(abs((again["recording"]?["position"]?.double ?? 0) - stopped) < 0.3, "and gone on from")
        // To its end, and the first of the queue follows.
        try service.call("PUT", "/api/v1/queue", ["recordings": ["gone", .string(id)]])
        try service.call("PUT", "/api/v1/player/position", ["seconds": .number(length - 1)])
        #expect(
            eventually(within: 10) {
                (try? service.get("/api/v1/queue")["recordings"]?.array?.isEmpty) == true
            })
        #expect(eventually(within: 5) { state(service) == "playing" && place(service) < 5 })
        #expect(throws: StartFailure.self) {
            try service.call("POST", "/api/v1/player/play", ["recording": "nope"])
        }
        try service.call("POST", "/api/v1/player/play", ["station": "tone"])
        #expect(eventually(within: 10) { state(service) == "live" }, "\(player(service).text())")
        follower.stop()
        let events = follower.output
        #expect(events.contains("event: position\n") && events.contains("event: listening\n"))
        #expect(events.contains("\"state\":\"paused\"") && events.contains("\"finished\":true"))
        service.stop()
        source.stop()
    }

    @Test("the command line plays, seeks and pauses it")
    func commandLine() throws {
        let (service, source, id) = try recorded(seconds: 12)
        try service.call("POST", "/api/v1/recordings/\(id)/stop", [:])
        let played = try service.command(["recordings", "play", "last", "--at", "2s", "--speed", "1.25"])
        #expect(played.exitCode == 0, "\(played.errors)")
        #expect(played.output.hasPrefix("Nightwatch, "), "\(played.output)")
        #expect(eventually(within: 5) { state(service) == "playing" })
        #expect(try service.command(["pause"]).output.contains("paused"))
        #expect(try service.command(["seek", "5s"]).output.contains("0:05 of 0:"))
        #expect(try service.command(["seek", "-3s"]).output.contains("0:02 of"))
        #expect(try service.command(["speed", "2"]).output.contains("2.0 times as fast"))
        try service.call("PUT", "/api/v1/player/sleep", ["at": 9])
        for words in [["now"], ["sleep"], ["status"]] {
            let told = try service.command(words).output
            #expect(
                told.contains("Nightwatch, ") && told.contains("sleeps at 0:09 of the recording"), "\(told)")
        }
        #expect(try service.command(["play"]).exitCode == 0)
        #expect(eventually(within: 5) { state(service) == "playing" })
        #expect(try service.command(["stop"]).exitCode == 0)
        try service.call("POST", "/api/v1/player/play", ["station": "tone"])
        let refused = try service.command(["pause"])
        #expect(refused.exitCode != 0 && refused.errors.contains("live cannot be paused"), "\(refused)")
        service.stop()
        source.stop()
    }

    @Test(
        "mpc: a recording pauses and seeks as any track does",
        .enabled(if: RunningProgram.isInstalled("mpc"), "needs mpc"))
    func mpc() throws {
        let (service, source, id) = try recorded(seconds: 10)
        try service.call("POST", "/api/v1/recordings/\(id)/stop", [:])
        func mpc(_ words: String...) throws -> String {
            let answer = try RunningProgram.run(
                "mpc", words, in: folder, environment: ["MPD_HOST": "127.0.0.1", "MPD_PORT": "\(mpdPort)"],
                within: 20)
            return answer.exitCode == 0 ? answer.output : "exit \(answer.exitCode ?? -1): \(answer.errors)"
        }
        #expect(try mpc("ls", "Recordings").contains("recordings/\(id)"))
        #expect(try mpc("add", "recordings/\(id)").isEmpty)
        let place = try mpc("playlist").split(separator: "\n").count
        #expect(try mpc("play", "\(place)").contains("[playing] #\(place)/"))
        #expect(eventually(within: 5) { state(service) == "playing" })
        #expect(try mpc("pause").contains("[paused]"))
        #expect(try mpc("seek", "6").contains("0:06/0:"), "an absolute place")
        #expect(try mpc("seek", "-4").contains("0:02/0:"), "a change")
        #expect(try mpc("play").contains("[playing]"))
        #expect(try mpc("next").contains("[playing] #1/"), "behind it the queue goes round")
        #expect(eventually(within: 10) { player(service)["recording"] == .null })
        #expect(try mpc("seek", "+5").contains("Not seekable"))
        #expect(try mpc("prev").contains("#\(place)/"), "and back")
        #expect(eventually(within: 5) { state(service) == "playing" })
        #expect(try mpc("sticker", "recordings/\(id)", "set", "rating", "8").isEmpty)
        #expect(try mpc("sticker", "recordings/\(id)", "get", "rating").contains("rating=8"))
        #expect(try mpc("sticker", "recordings/\(id)", "set", "favourite", "1").isEmpty)
        #expect(try service.get("/api/v1/recordings/\(id)")["listening"]?["starred"]?.bool == true)
        service.stop()
        source.stop()
    }

    @Test(
        "playerctl: a recording has a length, a position and a pause",
        .enabled(if: DesktopBus.isInstalled, "needs playerctl and dbus"))
    func playerctl() throws {
        let bus = try DesktopBus(in: folder)
        defer { bus.stop() }
        let (service, source, id) = try recorded(seconds: 10, environment: bus.environment)
        try service.call("POST", "/api/v1/recordings/\(id)/stop", [:])
        try service.call("POST", "/api/v1/player/play", ["recording": .string(id), "position": 1])
        #expect(eventually(within: 10) { (try? bus.playerctl("status")) == "Playing\n" })
        #expect(try bus.playerctl("metadata").contains("mpris:length"))
        #expect(try bus.playerctl("pause") == "")
        #expect(eventually(within: 5) { (try? bus.playerctl("status")) == "Paused\n" })
        #expect(try bus.playerctl("position", "6") == "")
        #expect(eventually(within: 5) { abs(place(service) - 6) < 0.1 })
        #expect(
            abs((Double(try bus.playerctl("position").split(separator: "\n").first ?? "") ?? 0) - 6) < 0.1)
        #expect(try bus.playerctl("position", "2-") == "")
        #expect(eventually(within: 5) { abs(place(service) - 4) < 0.1 })
        #expect(try bus.playerctl("play") == "")
        #expect(eventually(within: 5) { (try? bus.playerctl("status")) == "Playing\n" })
        #expect(try bus.playerctl("stop") == "")
        #expect(eventually(within: 5) { state(service) == "stopped" })
        service.stop()
        source.stop()
    }

    @Test(
        "in the speaker the pitch is the recording's at every speed",
        .enabled(
            if: ["pulseaudio", "parec"].allSatisfy(RunningProgram.isInstalled), "needs pulseaudio"))
    func heard() throws {
        let pulse = try PulseServer(in: folder)
        let (service, source, id) = try recorded(
            seconds: 12, settings: "", environment: ["PULSE_SERVER": pulse.address])
        try service.call("POST", "/api/v1/recordings/\(id)/stop", [:])
        for speed in [0.5, 1.5, 3] {
            let (sound, place) = try listen(to: id, at: speed, on: pulse, service)
            let first = try #require(sound.firstIndex { abs($0) > 1000 })
            let last = try #require(sound.lastIndex { abs($0) > 1000 })
            let steady = Sound(
                samples: sound[(first + 22_050)..<(last - 22_050)].map(Float.init), rate: 44_100)
            #expect(steady.seconds > 0.5)
            #expect(abs(steady.usualFrequency - 1000) < 15, "\(speed)")
            let heard = Double(last - first) / 44_100
            #expect(abs((place - 1) / heard - speed) < speed / 4, "\(place - 1) s in \(heard) s")
        }
        service.stop()
        source.stop()
    }

    /// What comes out of the speaker until there are two seconds of it, from the first second of the recording on; and the
    /// place that it has come to.
    private func listen(
        to id: String, at speed: Double, on pulse: PulseServer, _ service: AircheckService
    ) throws -> (sound: [Int], place: Double) {
        let ear = try pulse.listen(to: "heard at \(speed)")
        func sound() -> [Int] {
            (try? Data(contentsOf: URL(fileURLWithPath: ear.outputPath))).map(Self.samples) ?? []
        }
        try service.call(
            "POST", "/api/v1/player/play",
            ["recording": .string(id), "position": 1, "speed": .number(speed)])
        // Seconds of what has come out, not of the clock: a sound server that was busy begins late.
        #expect(eventually(within: 15) { sound().count { abs($0) > 1000 } > 2 * 44_100 })
        try service.call("POST", "/api/v1/player/pause", [:])
        Thread.sleep(forTimeInterval: 1)
        ear.stop()
        return (sound(), place(service))
    }

    /// The left channel of 16 bit stereo.
    private static func samples(_ data: Data) -> [Int] {
        data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - 3, by: 4).map {
                Int(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8))
            }
        }
    }
}
