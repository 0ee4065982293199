import Foundation
import JSONText
import TestPrograms
import TestStations
import Testing

/// Stations that are logged: by the settings, over REST, and by a command without a service.
@Suite("EndToEnd: the logger", .serialized)
struct LoggerTests {
    private let folder: TemporaryFolder
    private let source = NumberedFrames(.mp3)
    private let air: ScriptedStation

    init() throws {
        folder = try TemporaryFolder("logger")
        air = try ScriptedStation(
            Programme(source), script: { _ in Step.icecast() + [.burst(2), .play(600)] })
    }

    /// The audio of files one after another.
    private func verdict(_ paths: [String]) throws -> Judge.Verdict {
        let audio = try paths.flatMap { Array(MP3File(try Data(contentsOf: URL(fileURLWithPath: $0))).audio) }
        return Judge.verdict(on: audio, of: source)
    }

    private static func isOver(_ recording: JSONValue) -> Bool { recording["state"]?.string == "finished" }

    @Test("a station of the settings is logged; old files go by rule, which is told, and the rest joins")
    func settings() throws {
        let service = try AircheckService(
            in: folder,
            stations: "[[station]]\nid = \"air\"\nname = \"Air\"\nurls = [\"\(air.url())\"]\nlocal = true\n",
            settings: """
                [player]
                output = "null"
                [logger]
                stations = ["air"]
                slot = "5s"
                keep_files = 3
                """)
        func files() throws -> [JSONValue] {
            (try service.get("/api/v1/recordings")["recordings"]?.array ?? []).reversed()
        }
        #expect(
            eventually(within: 40) {
                ((try? service.get("/api/v1/deletions")["deletions"]?.array) ?? []).count >= 2
            })
        let left = try files()
        #expect((2...4).contains(left.count))
        #expect(left.allSatisfy { $0["slot_seconds"]?.int == 5 })
        let gone = try service.command(["recordings", "deleted"])
        #expect(gone.exitCode == 0)
        #expect(gone.output.split(separator: "\n").allSatisfy { $0.contains("count") && $0.contains("air") })
        let paths = gone.output.split(separator: "\n").compactMap { line in
            line.firstIndex(of: "/").map { String(line[$0...]).trimmingCharacters(in: .whitespaces) }
        }
        #expect(!paths.isEmpty && paths.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
        #expect(air.mostOpenConnections == 1)
        service.stop()
        // Ended properly, the last file too. A file may have gone since.
        let stored = try FileManager.default.subpathsOfDirectory(atPath: folder.path("Music/aircheck"))
            .filter { $0.hasSuffix(".mp3") }.sorted().map { folder.path("Music/aircheck") + "/" + $0 }
        let verdict = try verdict(stored)
        #expect(verdict.isPerfect, "\(verdict) of \(stored)")
        air.stop()
    }

    private func station(_ id: String, _ name: String) -> String {
        "[[station]]\nid = \"\(id)\"\nname = \"\(name)\"\nurls = [\"\(air.url())\"]\nlocal = true\n"
    }

    private func running(_ service: AircheckService) -> [JSONValue] {
        (try? service.get("/api/v1/status")["recordings"]?.array) ?? []
    }

    @Test("one that somebody has begun goes on after a restart with its rules, until it is stopped")
    func resumed() throws {
        let service = try AircheckService(
            in: folder, stations: station("air", "Air"), settings: "[player]\noutput = \"null\"\n")
        let order: JSONValue = [
            "station": "air", "slot": 5, "keep_age": 8, "show": "By hand", "template": "{show}/{start:%s}",
        ]
        let begun = try service.call("POST", "/api/v1/recordings", order)
        #expect(eventually(within: 15) { (running(service).first?["seconds"]?.double ?? 0) > 1 })
        service.stop()
        try service.start()
        #expect(eventually(within: 20) { (running(service).first?["seconds"]?.double ?? 0) > 1 })
        let again = try #require(running(service).first)
        #expect(again["slot"]?["seconds"]?.int == 5 && again["show"]?.string == "By hand")
        #expect(again["slot"]?["series"]?.string != begun["id"]?.string)
        // `keep_age` deletes what was there before, the file of the first run among it.
        #expect(
            eventually(within: 40) {
                let gone = (try? service.get("/api/v1/deletions")["deletions"]?.array) ?? []
                return gone.contains {
                    $0["id"]?.string == begun["id"]?.string && $0["rule"]?.string == "age"
                }
            })
        let listed = try service.get("/api/v1/status")["loggers"]?.array
        #expect(listed?.count == 1 && listed?.first?["is_set"]?.bool == false)
        // Any of its files ends it, also one that is over.
        let over = try service.get("/api/v1/recordings?state=finished")["recordings"]?.array?.first
        let id = try #require(over?["id"]?.string)
        _ = try service.call("POST", "/api/v1/recordings/\(id)/stop", nil)
        #expect(running(service).isEmpty)
        #expect(try service.get("/api/v1/status")["loggers"]?.array?.isEmpty == true)
        service.stop()
        try service.start()
        Thread.sleep(forTimeInterval: 7)
        #expect(running(service).isEmpty)
        service.stop()
        air.stop()
    }

    @Test("the id under which it was begun ends it after a restart, too")
    func endedByItsFirstFile() throws {
        let service = try AircheckService(
            in: folder, stations: station("air", "Air"), settings: "[player]\noutput = \"null\"\n")
        let begun = try service.call("POST", "/api/v1/recordings", ["station": "air", "slot": 60])
        let id = try #require(begun["id"]?.string)
        #expect(eventually(within: 15) { (running(service).first?["seconds"]?.double ?? 0) > 1 })
        service.stop()
        try service.start()
        #expect(eventually(within: 20) { (running(service).first?["seconds"]?.double ?? 0) > 1 })
        #expect(running(service).first?["id"]?.string != id)
        _ = try service.call("POST", "/api/v1/recordings/\(id)/stop", nil)
        #expect(running(service).isEmpty)
        #expect(try service.get("/api/v1/status")["loggers"]?.array?.isEmpty == true)
        service.stop()
        air.stop()
    }

    @Test("one more than may be looked after is refused, with the setting that says so, and the others go on")
    func tooMany() throws {
        let service = try AircheckService(
            in: folder, stations: station("air", "Air"),
            settings: "[player]\noutput = \"null\"\n[ingest]\nmax_stations = 2\n")
        let order: JSONValue = ["station": "air", "slot": 5]
        for _ in 0..<2 { try service.call("POST", "/api/v1/recordings", order) }
        let refusal = #expect(throws: (any Error).self) {
            try service.call("POST", "/api/v1/recordings", order)
        }
        let text = refusal.map { "\($0)" } ?? ""
        #expect(text.contains("2 loggers already") && text.contains("ingest.max_stations"), "\(text)")
        // A recording with an end is none of them.
        try service.call("POST", "/api/v1/recordings", ["station": "air", "seconds": 1])
        #expect(try service.get("/api/v1/status")["loggers"]?.array?.count == 2)
        service.stop()
        air.stop()
    }

    @Test(
        "a station that is not there is told of once and shown; an id and a name that mean one station are one"
    )
    func unknown() throws {
        let service = try AircheckService(
            in: folder, stations: station("air", "Night Air"),
            settings: """
                [player]
                output = "null"
                [logger]
                stations = ["air", "nowhere", "Night Air"]
                slot = "1h"
                """)
        #expect(eventually(within: 15) { (running(service).first?["seconds"]?.double ?? 0) > 1 })
        Thread.sleep(forTimeInterval: 12)
        #expect(running(service).count == 1)
        let told = service.program.errors.split(separator: "\n").filter { $0.contains("cannot be logged") }
        #expect(told.count == 1 && told.first?.contains("nowhere") == true, "\(told)")
        let loggers = try service.get("/api/v1/status")["loggers"]?.array ?? []
        #expect(loggers.count == 2)
        #expect(loggers.first { $0["station"]?.string == "nowhere" }?["reason"]?.string?.isEmpty == false)
        #expect(try service.command(["status"]).output.contains("not logged: nowhere"))
        // It comes later: nobody has to start anything again.
        _ = try folder.write(
            "config/aircheck/stations/later.toml", station("nowhere", "Nowhere"))
        kill(service.pid, SIGHUP)
        #expect(eventually(within: 15) { running(service).count == 2 })
        let after = try service.get("/api/v1/status")["loggers"]?.array ?? []
        #expect(after.allSatisfy { $0["reason"]?.isNull ?? true })
        service.stop()
        air.stop()
    }

    @Test("a command logs without a service, a line for every file")
    func command() throws {
        // It is not there yet.
        let files = folder.path("files/of the/logger")
        let done = try Built.run(
            ["record", air.url(), "--slot", "5s", "--for", "12s", "--output", files, "--json"], in: folder)
        #expect(done.exitCode == 0, "\(done.errors)")
        let lines = try done.output.split(separator: "\n").map {
            try JSONValue.parse(String($0), limit: 1 << 20)
        }
        #expect((3...4).contains(lines.count))
        let paths = lines.compactMap { line in
            line["files"]?.array?.first?["name"]?.string.map { files + "/" + $0 }
        }
        let verdict = try verdict(paths)
        #expect(verdict.isPerfect, "\(verdict)")
        #expect(verdict.first == 0 || verdict.frames > 380)
        air.stop()
    }

    @Test("what does not go together is refused with the remedy")
    func refusals() throws {
        for words in [["--slot", "7s"], ["--slot", "1h", "--whole", "x.mp3"], ["--keep-files", "3"]] {
            let done = try Built.run(["record", air.url()] + words, in: folder)
            #expect(done.exitCode == 64, "\(words): \(done.errors)")
        }
        air.stop()
    }
}
