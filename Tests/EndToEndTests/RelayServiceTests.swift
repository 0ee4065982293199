import Foundation
import JSONText
import TestPrograms
import TestStations
import Testing

/// The relay as its service runs it: sources among the stations, pushes, new settings and new programs under listeners.
@Suite("EndToEnd: the relay", .serialized)
struct RelayServiceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("relay") }

    private static let silent = "[player]\noutput = \"null\"\n[mpd]\nport = 0\n[mpris]\nenabled = false\n"

    private func token(_ service: AircheckService, _ role: String) throws -> String {
        let lines = try service.command(["token", "create", "test", "--role", role]).output.split(
            separator: "\n")
        return try #require(lines.map(String.init).first { $0.hasPrefix("ac_") })
    }

    /// ffmpeg as a source client of the service.
    private func source(_ service: AircheckService, _ token: String, _ mount: String, name: String) throws
        -> RunningProgram
    {
        try RunningProgram(
            "ffmpeg",
            [
                "-loglevel", "error", "-re", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100",
                "-ac", "2",
                "-c:a", "libmp3lame", "-b:a", "128k", "-content_type", "audio/mpeg", "-ice_name", "Kitchen",
                "-f",
                "mp3", "icecast://source:\(token)@127.0.0.1:\(service.port)/\(mount)",
            ], in: folder, name: name)
    }

    private func isListed(_ service: AircheckService, _ id: String) throws -> Bool {
        try service.get("/api/v1/stations?query=")["stations"]?.array?.contains { $0["id"]?.string == id }
            == true
    }

    @Test("what a source client sends is listed, recorded and still known after a restart")
    func sourceStation() throws {
        let service = try AircheckService(in: folder, settings: Self.silent)
        let token = try token(service, "operator")
        let first = try source(service, token, "live.mp3", name: "first")
        #expect(eventually(within: 20) { (try? isListed(service, "live-mp3")) == true }, "\(first.errors)")
        let station = try service.get("/api/v1/stations/live-mp3")
        #expect(station["name"]?.string == "Kitchen")
        let recording = try service.call("POST", "/api/v1/recordings", ["station": "live-mp3"])
        let id = try #require(recording["id"]?.string)
        #expect(
            eventually(within: 20) {
                (try? service.get("/api/v1/recordings/\(id)")["seconds"]?.double).flatMap { $0 } ?? 0 > 2
            })
        first.stop()
        service.stop()
        try service.start()
        #expect(try isListed(service, "live-mp3"))
        let again = try source(service, token, "live.mp3", name: "again")
        defer { again.stop() }
        #expect(
            eventually(within: 20) {
                _ = try? RunningProgram.run(
                    "curl",
                    ["-s", "-m", "2", "-o", folder.path("heard.mp3"), service.address + "/live.mp3"],
                    in: folder)
                return size("heard.mp3") > 20_000
            })
        #expect(try isListed(service, "live-mp3"))
        #expect(try !isListed(service, "live-mp3-2"))
    }

    @Test("SIGHUP takes new settings and stations, begins a push, and drops nobody; mistakes change nothing")
    func reload() throws {
        let icecast = try Icecast(in: folder)
        let service = try AircheckService(in: folder, settings: Self.silent)
        let listener = try RunningProgram(
            "curl", ["-s", "-N", "-o", folder.path("heard.mp3"), service.address + "/demo"], in: folder,
            name: "listener")
        #expect(eventually(within: 20) { size("heard.mp3") > 40_000 })
        func settings(_ more: String) throws {
            _ = try folder.write("config/aircheck/aircheck.toml", Self.silent + more)
            kill(service.pid, SIGHUP)
        }
        _ = try folder.write(
            "config/aircheck/stations/more.toml",
            """
            [[station]]
            id = "mirror"
            name = "Mirror"
            urls = ["http://127.0.0.1:\(service.demoPort)/"]
            local = true
            always_on = true
            aliases = ["old/name.mp3"]
            """)
        try settings(
            "[relay]\nbatch = \"100ms\"\nmax_listeners = 1\npush = [\"demo http://source:\(Icecast.password)@127.0.0.1:\(icecast.port)/out.mp3\"]\n"
        )
        func push() throws -> JSONValue? { try service.get("/api/v1/status")["pushes"]?.array?.first }
        #expect(
            eventually(within: 20) { (try? push()?["state"]?.string) == "sending" },
            "\(service.program.errors)")
        // Always on: connected though nobody listens.
        #expect(eventually(within: 20) { (try? service.station("mirror")?["state"]?.string) == "live" })
        // The one place is taken; its listener stays.
        let refused = try RunningProgram.run(
            "curl",
            ["-s", "-m", "3", "-o", "/dev/null", "-w", "%{http_code}", service.address + "/old/name.mp3"],
            in: folder)
        #expect(refused.output == "503")
        try settings("[relay]\nbatch = \"soon\"\n")
        #expect(eventually(within: 10) { service.program.errors.contains("settings stay as they were") })
        #expect(try push()?["state"]?.string == "sending")
        try settings("")
        #expect(
            eventually(within: 10) { (try? service.get("/api/v1/status")["pushes"]?.array?.isEmpty) == true })
        let alias = try RunningProgram.run(
            "curl", ["-s", "-I", service.address + "/old/name.mp3"], in: folder)
        #expect(
            alias.output.contains("HTTP/1.0 200 OK") && alias.output.contains("audio/mpeg"), "\(alias.output)"
        )
        let before = size("heard.mp3")
        #expect(listener.isRunning && eventually(within: 10) { size("heard.mp3") > before + 8000 })
        listener.stop()
        let decoded = try RunningProgram.run(
            "ffmpeg", ["-v", "error", "-i", folder.path("heard.mp3"), "-f", "null", "-"], in: folder)
        #expect(decoded.errors.isEmpty, "\(decoded.errors)")
    }

    @Test(
        "a station that is gone while somebody hears it, and comes back with another address, is read from there"
    )
    func goneAndBack() throws {
        let (before, after) = (try Self.numbers(), try Self.numbers())
        let service = try AircheckService(in: folder, settings: Self.silent)
        let file = "config/aircheck/stations/moved.toml"
        func reload(_ url: String?, isListed: Bool) throws {
            if let url {
                _ = try folder.write(
                    file, "[[station]]\nid = \"moved\"\nname = \"Moved\"\nurls = [\"\(url)\"]\nlocal = true\n"
                )
            } else {
                try FileManager.default.removeItem(atPath: folder.path(file))
            }
            kill(service.pid, SIGHUP)
            #expect(
                eventually(within: 10) { ((try? service.get("/api/v1/stations/moved")) != nil) == isListed })
        }
        try reload(before.url(), isListed: true)
        let listener = try RunningProgram(
            "curl", ["-s", "-N", "-o", folder.path("moved.mp3"), service.address + "/moved"], in: folder,
            name: "listener")
        defer { listener.stop() }
        #expect(eventually(within: 20) { size("moved.mp3") > 40_000 })
        try reload(nil, isListed: false)
        #expect(after.acceptedConnections == 0)
        try reload(after.url(), isListed: true)
        #expect(eventually(within: 20) { after.openConnections == 1 && before.openConnections == 0 })
        let heard = size("moved.mp3")
        #expect(listener.isRunning && eventually(within: 10) { size("moved.mp3") > heard + 8000 })
        // Gone again, and then its last listener: nothing of it is left.
        try reload(nil, isListed: false)
        listener.stop()
        #expect(eventually(within: 30) { (try? isKnown(service, "moved")) == false })
    }

    private func isKnown(_ service: AircheckService, _ id: String) throws -> Bool {
        try service.station(id)?["id"]?.string == id
    }

    private static func numbers() throws -> ScriptedStation {
        try ScriptedStation(Programme(NumberedFrames())) { _ in
            Step.icecast() + [.burst(6), .play(.infinity)]
        }
    }

    private func size(_ name: String) -> Int {
        let facts = try? FileManager.default.attributesOfItem(atPath: folder.path(name))
        return (facts?[.size] as? Int) ?? 0
    }

    @Test("SIGUSR2 puts the program anew in its place: listeners hear on, titles too, and nobody is refused")
    func upgrade() throws {
        let frames = NumberedFrames()
        let station = try ScriptedStation(Programme(frames, titles: [.init(at: 0, "Numbers - One")])) { _ in
            Step.icecast() + [.burst(6), .play(.infinity)]
        }
        let service = try AircheckService(
            in: folder,
            stations: """
                [[station]]
                id = "numbers"
                name = "Numbers"
                urls = ["\(station.url())"]
                local = true
                """, settings: Self.silent)
        let listeners = try [[], ["-H", "Icy-MetaData: 1"]].enumerated().map { number, words in
            try RunningProgram(
                "curl",
                ["-s", "-N", "-o", folder.path("heard\(number)")] + words + [service.address + "/numbers"],
                in: folder, name: "listener\(number)")
        }
        #expect(eventually(within: 20) { size("heard0") > 60_000 && size("heard1") > 60_000 })
        let started = try service.get("/api/v1/status")["started"]?.string
        // It is told to the second; the new one must have another.
        Thread.sleep(forTimeInterval: 1.1)
        let before = (size("heard0"), size("heard1"))
        kill(service.pid, SIGUSR2)
        // Who connects meanwhile waits, and is never refused.
        var codes: [String] = []
        let isNew = eventually(within: 40, every: 0.05) {
            let answer = try? RunningProgram.run(
                "curl",
                [
                    "-s", "-m", "20", "-o", "/dev/null", "-w", "%{http_code} %{exitcode}",
                    service.address + "/readyz",
                ],
                in: folder, within: 25)
            codes.append(answer?.output ?? "")
            return (try? service.get("/api/v1/status")["started"]?.string).flatMap { $0 } ?? started
                != started
        }
        #expect(isNew && service.program.isRunning, "\(service.program.errors.suffix(2000))")
        #expect(codes.filter { $0.hasSuffix(" 7") }.isEmpty, "refused: \(codes)")
        #expect(
            eventually(within: 30) {
                size("heard0") > before.0 + 60_000 && size("heard1") > before.1 + 60_000
            })
        let areThere = listeners.allSatisfy { $0.isRunning }
        #expect(areThere)
        for listener in listeners { listener.stop() }
        for (number, hasTitles) in [(0, false), (1, true)] {
            var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder.path("heard\(number)"))))
            if hasTitles { bytes = withoutTitles(bytes) }
            let numbers = stride(from: 0, to: bytes.count - 417, by: 417).map {
                frames.number(of: bytes, at: $0)
            }
            // Every frame is whole and in its place, across the change of processes; some may be heard twice, few are missed.
            #expect(!numbers.contains(nil), "listener \(number): frame \(numbers.firstIndex(of: nil) ?? -1)")
            let steps = zip(numbers, numbers.dropFirst()).compactMap { a, b in
                a.flatMap { a in b.map { $0 - a } }
            }
            #expect(steps.filter { $0 != 1 }.count <= 1, "\(steps.filter { $0 != 1 })")
            #expect((steps.filter { $0 != 1 }.first ?? 1) < 40, "\(steps.filter { $0 != 1 })")
        }
    }

    private func withoutTitles(_ bytes: [UInt8]) -> [UInt8] {
        var (audio, offset) = ([UInt8](), 0)
        while offset < bytes.count {
            let end = min(offset + 16_000, bytes.count)
            audio += bytes[offset..<end]
            guard end < bytes.count else { break }
            offset = end + 1 + Int(bytes[end]) * 16
        }
        return audio
    }

    @Test("a socket that systemd opened is used, and it is told when the service is ready")
    func activation() throws {
        let port = FreePort.next()
        for name in ["data", "config", "config/aircheck", "run"] {
            _ = try folder.folder(name, permissions: 0o700)
        }
        _ = try folder.write("config/aircheck/aircheck.toml", Self.silent)
        let script = try folder.write(
            "activate.py",
            """
            import os, socket, sys
            told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            told.bind("\(folder.path("notify"))")
            listening = socket.socket(); listening.bind(("127.0.0.1", \(port))); listening.listen(64)
            child = os.fork()
            if child == 0:
                os.dup2(listening.fileno(), 3, inheritable=True)
                os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()), NOTIFY_SOCKET="\(folder.path("notify"))",
                                  WATCHDOG_USEC="1000000")
                os.execv("\(Built.aircheck)", ["aircheck", "serve", "--listen", "127.0.0.1:\(port)"])
            # The first to connect comes before the service is there.
            early = socket.create_connection(("127.0.0.1", \(port)))
            early.sendall(b"GET /readyz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n")
            told.settimeout(30)
            words = [told.recv(200).decode() for _ in range(3)]
            early.settimeout(30)
            answer = early.recv(200).decode()
            os.kill(child, 15)
            while True:
                words.append(told.recv(200).decode())
                if words[-1] == "STOPPING=1": break
            os.waitpid(child, 0)
            print(words, answer.splitlines()[0])
            """)
        let run = try RunningProgram.run(
            "python3", [script], in: folder, environment: Built.environment(folder), within: 60)
        #expect(
            run.output.contains("READY=1") && run.output.contains("WATCHDOG=1"), "\(run.output) \(run.errors)"
        )
        #expect(run.output.contains("STOPPING=1") && run.output.contains("HTTP/1.1 200 OK"), "\(run.output)")
    }
}
