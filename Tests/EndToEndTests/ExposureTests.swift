import Foundation
import JSONText
import TestPrograms
import Testing

/// Nobody reaches what is not theirs, and a configuration that would let them is refused.
@Suite("EndToEnd: exposure", .serialized)
struct ExposureTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("exposure")
        for name in ["config", "config/aircheck", "run"] { _ = try folder.folder(name, permissions: 0o700) }
    }

    @Test(
        "the service refuses to open itself to others without a token or the word for it",
        arguments: [
            (["--listen", "0.0.0.0:PORT"], ""), ([], "[server]\nbind = \"0.0.0.0\"\n"),
        ])
    func refusesToStart(arguments: [String], settings: String) throws {
        _ = try folder.write("config/aircheck/aircheck.toml", settings)
        let words = arguments.map { $0.replacingOccurrences(of: "PORT", with: "\(FreePort.next())") }
        let ended = try Built.run(["serve"] + words, in: folder, within: 20)
        #expect(ended.exitCode == 78)
        #expect(ended.errors.contains("token"), "\(ended.errors)")
    }

    @Test(
        "what changes something needs a token or the socket; a foreign Host is refused; nothing changes by GET"
    )
    func controlRole() throws {
        let service = try AircheckService(in: folder, settings: "[player]\noutput = \"null\"\n")
        func status(_ words: [String]) throws -> String {
            try RunningProgram.run(
                "curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}"] + words, in: folder
            ).output
        }
        let json = ["-H", "Content-Type: application/json", "-d", #"{"station":"demo"}"#]
        let play = service.address + "/api/v1/player/play"
        #expect(try status(json + [play]) == "403" || status(json + [play]) == "401")
        #expect(try status(json + ["-H", "Origin: http://127.0.0.1:\(service.port)", play]) == "403")
        #expect(try status([service.address + "/api/v1/status"]) == "200")
        #expect(try status(["-H", "Host: evil.example", service.address + "/api/v1/status"]) == "421")
        #expect(try status(["-H", "Host: evil.example", service.address + "/demo"]) == "421")
        #expect(try status([play]) == "405")
        let token = try service.command(["token", "create", "test", "--role", "operator"]).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try status(json + ["-H", "Authorization: Bearer \(token)", play]) == "200")
        #expect(
            try status([
                "-X", "DELETE", "-H", "Content-Type: application/json", "-H",
                "Authorization: Bearer \(token)", service.address + "/api/v1/stations/demo",
            ]) == "403")
        let database = try Data(contentsOf: URL(fileURLWithPath: folder.path("data/aircheck/aircheck.db")))
        #expect(database.range(of: Data(token.split(separator: ".")[1].utf8)) == nil)
    }

    @Test("a proxy on this machine does not make those behind it people who sit here")
    func proxied() throws {
        let service = try AircheckService(in: folder, settings: "[player]\noutput = \"null\"\n")
        func status(_ path: String, _ headers: [String]) throws -> String {
            try RunningProgram.run(
                "curl",
                ["-s", "-m", "2", "-o", "/dev/null", "-w", "%{http_code}"] + headers.flatMap { ["-H", $0] }
                    + [service.address + path], in: folder
            ).output
        }
        for path in ["/demo", "/all.m3u", "/api/v1/status"] {
            #expect(try status(path, []) == "200")
            #expect(try status(path, ["X-Forwarded-For: 203.0.113.9"]) == "401", "\(path)")
            #expect(try status(path, ["Via: 1.1 front"]) == "401", "\(path)")
        }
        let token = try service.command(["token", "create", "far", "--role", "listener"]).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let words = ["X-Forwarded-For: 203.0.113.9", "Authorization: Bearer \(token)"]
        #expect(try status("/demo", words) == "200")
    }

    @Test("on a listen door of its own the page is for whoever may listen, and the API is for nobody")
    func listenDoor() throws {
        let port = FreePort.next()
        // The last one counts: control stays on 127.0.0.1.
        let service = try AircheckService(
            in: folder, settings: "[player]\noutput = \"null\"\n",
            arguments: ["--listen", "127.0.0.2:\(port)"])
        func status(_ path: String, at host: String = "127.0.0.2", _ headers: [String]) throws -> String {
            try RunningProgram.run(
                "curl",
                ["-s", "-o", "/dev/null", "-w", "%{http_code}"] + headers.flatMap { ["-H", $0] }
                    + ["http://\(host):\(port)\(path)"], in: folder
            ).output
        }
        // Whoever comes through a proxy is a stranger.
        let stranger = ["X-Forwarded-For: 203.0.113.9"]
        let pages = ["/player/", "/player/recordings", "/player/app.js"]
        for (isOpen, answer) in [(false, "401"), (true, "200"), (false, "401")] {
            try service.call("PUT", "/api/v1/sharing", ["guests": .bool(isOpen)])
            for path in pages { #expect(try status(path, stranger) == answer, "\(path), \(isOpen)") }
            for path in ["/api/v1/status", "/api/v1/openapi.json", "/metrics"] {
                #expect(try status(path, stranger) == "404", "\(path), \(isOpen)")
                #expect(try status(path, []) == "404", "\(path), \(isOpen)")
            }
            #expect(try status("/player/", []) == "200", "this machine may listen")
        }
        #expect(try status("/api/v1/status", at: "127.0.0.1", []) == "200")
        service.stop()
    }

    @Test(
        "behind a trusted proxy wrong tokens count against the client that sent them, and against nobody else"
    )
    func trustedProxy() throws {
        let service = try AircheckService(
            in: folder,
            settings: "[player]\noutput = \"null\"\n[server]\ntrusted_proxies = [\"127.0.0.1\"]\n")
        let token = try service.command(["token", "create", "far", "--role", "viewer"]).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        func status(_ client: String, _ token: String) throws -> String {
            try RunningProgram.run(
                "curl",
                [
                    "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "X-Forwarded-For: \(client)", "-H",
                    "Authorization: Bearer \(token)", service.address + "/api/v1/status",
                ], in: folder
            ).output
        }
        for _ in 0..<6 { _ = try status("192.0.2.7", "ac_00000000.0") }
        #expect(try status("192.0.2.7", token) == "429")
        #expect(try status("192.0.2.8", token) == "200")
        // A client behind the proxy that calls itself this machine is not.
        #expect(try status("127.0.0.1", "") == "401")
        service.stop()
    }

    @Test("the media helper is the one that the settings name")
    func helper() throws {
        _ = try folder.write(
            "config/aircheck/aircheck.toml", "[paths]\nmedia_helper = \"/nonexistent/helper\"\n")
        let missing = try Built.run(["doctor"], in: folder, within: 30)
        #expect(missing.output.contains("/nonexistent/helper"), "\(missing.output)")
        let link = folder.path("my-helper")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: Built.folder + "/aircheck-media")
        _ = try folder.write("config/aircheck/aircheck.toml", "[paths]\nmedia_helper = \"\(link)\"\n")
        #expect(try Built.run(["doctor"], in: folder, within: 30).output.contains("helper: \(link)"))
    }

    @Test("no number that a caller sends ends the service")
    func strangeNumbers() throws {
        let service = try AircheckService(
            in: folder,
            stations:
                "[[station]]\nid = \"silent\"\nname = \"Silent\"\nurls = [\"http://127.0.0.1:9/\"]\nlocal = true\n",
            settings: "[player]\noutput = \"null\"\n[home]\nreceiver_port = \(FreePort.next())\n")
        let pid = service.pid
        for number in ["-1e19", "1e300", "-9223372036854775808", "9223372036854775807", "0.0"] {
            let value = try JSONValue.parse(number)
            for (method, path, member) in [
                ("POST", "/api/v1/recordings", "give_up"), ("POST", "/api/v1/recordings", "seconds"),
                ("POST", "/api/v1/recordings", "slot"), ("POST", "/api/v1/recordings", "keep_age"),
                ("PUT", "/api/v1/player/volume", "change"), ("PUT", "/api/v1/player/volume", "percent"),
                ("PUT", "/api/v1/player/gain", "decibels"), ("PUT", "/api/v1/player/sleep", "seconds"),
                ("POST", "/api/v1/keep", "seconds"),
            ] {
                // Refused or carried out, as long as it is answered.
                let body = JSONValue.object([.init("station", "silent"), .init(member, value)])
                let alone = JSONValue.object([.init(member, value)])
                _ = try? service.call(method, path, path.contains("/player/") ? alone : body)
            }
            _ = try? service.get("/setupapp/x/navXML.asp?start=\(number)&howmany=\(number)")
        }
        #expect(try service.get("/readyz")["status"]?.string == "ready")
        #expect(service.pid == pid && service.program.isRunning)
    }

    @Test("a second service on the same folders is refused with a sentence")
    func secondService() throws {
        let service = try AircheckService(in: folder)
        let second = try Built.run(
            ["serve", "--listen", "127.0.0.1:\(FreePort.next())"], in: folder, within: 20)
        #expect(second.exitCode == 69)
        #expect(second.errors.contains("in use") || second.errors.contains("another"), "\(second.errors)")
        service.stop()
    }

    @Test("a title with escape sequences is shown and never sent to the terminal")
    func hostileTitles() throws {
        let line = try Built.run(["stations", "search", "\u{1B}]0;x\u{07}"], in: folder)
        #expect(!line.output.contains("\u{1B}") && !line.errors.contains("\u{1B}"))
    }

    @Test(
        "what is typed wrong is answered with what, where and the remedy",
        arguments: [
            (["frobnicate"], 64, "frobnicate"), (["record"], 64, "STATION"),
            (["record", "demo", "--fro", "1s"], 64, "--for"),
            (["record", "demo", "--for", "soon"], 64, "soon"),
            (["tune", "no-such-station"], 66, "no-such-station"),
            (["now"], 69, "serve"), (["stations", "list"], 66, "paths.stations"),
            (["config", "check", "--config", "/nonexistent.toml"], 78, "/nonexistent.toml"),
        ])
    func mistakes(arguments: [String], code: Int32, word: String) throws {
        let ended = try Built.run(arguments, in: folder, within: 20)
        #expect(ended.exitCode == code, "\(ended.errors)")
        #expect(ended.errors.contains(word), "\(ended.errors)")
    }

    @Test("every command and every family explains itself when it is asked to, and ends with 0")
    func help() throws {
        let overview = try Built.run(["--help"], in: folder)
        #expect(overview.exitCode == 0)
        let lines = overview.output.split(separator: "\n").filter { $0.hasPrefix("  ") }
        let names = lines.compactMap { $0.dropFirst(2).components(separatedBy: "  ").first }
        #expect(names.count > 60 && names.contains("recordings list"), "\(names)")
        for name in names {
            let page = try Built.run(name.split(separator: " ").map(String.init) + ["--help"], in: folder)
            #expect(page.exitCode == 0 && page.errors.isEmpty, "\(name): \(page.errors)")
            #expect(page.output.contains("usage: aircheck \(name)"), "\(name): \(page.output)")
        }
        let families = Set(names.filter { $0.contains(" ") }.compactMap { $0.split(separator: " ").first })
        for family in families.map(String.init) where !names.contains(family) {
            let page = try Built.run([family, "--help"], in: folder)
            #expect(page.exitCode == 0 && page.errors.isEmpty, "\(family): \(page.errors)")
            for name in names where name.hasPrefix(family + " ") { #expect(page.output.contains(name)) }
            let alone = try Built.run([family], in: folder)
            #expect(alone.exitCode == 64 && alone.output.isEmpty, "\(family): \(alone)")
        }
    }

    @Test(
        "a folder that cannot be made ends with 73 and its path before anything is asked of the station",
        arguments: ["--output", "--tracks"])
    func noFolder(option: String) throws {
        let file = try folder.write("file", "no folder")
        for path in [file + "/below", file, "/proc/aircheck/music"] {
            let ended = try Built.run(
                ["record", "http://127.0.0.1:9/", option, path, "--give-up", "30s"], in: folder, within: 20)
            #expect(ended.exitCode == 73, "\(path): \(ended)")
            #expect(ended.errors.contains(path) && ended.errors.contains(option), "\(ended.errors)")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "no folder")
        }
    }

    @Test("giving up before the first audio ends with 69 and the reason")
    func givingUp() throws {
        let port = FreePort.next()
        let ended = try Built.run(
            ["record", "http://127.0.0.1:\(port)/", "--whole", folder.path("x.mp3"), "--give-up", "2s"],
            in: folder,
            within: 30)
        #expect(ended.exitCode == 69)
        #expect(ended.errors.contains("refused"), "\(ended.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("x.mp3")))
    }
}
