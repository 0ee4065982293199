import Foundation
import JSONText
import TestPrograms
import Testing

/// Schedules through the command line and the service, with the demo station and the real clock.
@Suite("EndToEnd: schedules", .serialized)
struct ScheduleTests {
    private static let settings = "[player]\noutput = \"null\"\n"

    /// So many seconds from now, as the command line takes it.
    private func at(_ seconds: Double) -> String {
        let format = DateFormatter()
        format.dateFormat = "yyyy-MM-dd HH:mm:ss"
        format.timeZone = .gmt
        format.locale = Locale(identifier: "en_US_POSIX")
        return format.string(from: Date(timeIntervalSinceNow: seconds))
    }

    private func add(
        _ service: AircheckService, in seconds: Double, for length: String, _ more: [String] = []
    ) throws
        -> String
    {
        let added = try service.command(
            ["schedule", "add", "demo", "--at", at(seconds), "--for", length, "--zone", "Etc/UTC", "--json"]
                + more)
        #expect(added.exitCode == 0, "\(added.errors)")
        return try JSONValue.parse(added.output)["id"]?.string ?? ""
    }

    private func last(_ service: AircheckService, _ id: String) throws -> JSONValue? {
        try service.get("/api/v1/schedules/\(id)")["occurrences"]?.array?.first
    }

    @Test("a show in three seconds is recorded, to its length, and is done")
    func records() throws {
        let folder = try TemporaryFolder("schedule")
        let service = try AircheckService(in: folder, settings: Self.settings)
        let id = try add(service, in: 3, for: "4s", ["--name", "Jazz Hour"])
        #expect(try service.command(["schedule", "next"]).output.contains("Jazz Hour"))
        #expect(eventually(within: 30) { (try? last(service, id)?["state"]?.string) == "done" })
        let recording = try #require(try last(service, id)?["recordings"]?.array?.first?.string)
        let facts = try service.get("/api/v1/recordings/\(recording)")
        #expect(facts["show"]?.string == "Jazz Hour")
        let seconds = facts["seconds"]?.double ?? 0
        #expect((3.5...6).contains(seconds), "\(seconds) s")
        #expect(FileManager.default.fileExists(atPath: facts["path"]?.string ?? ""))
        #expect(try service.command(["schedule", "missed"]).output.isEmpty)
        service.stop()
    }

    @Test("new schedules begin and end their recordings as much earlier and later as the settings say")
    func padding() throws {
        let folder = try TemporaryFolder("schedule-padding")
        let service = try AircheckService(
            in: folder,
            settings: Self.settings + "[recording]\npadding_before = \"1m\"\npadding_after = \"3m\"\n")
        func pads(_ more: [String]) throws -> [Int64?] {
            let entry = try service.get("/api/v1/schedules/\(try add(service, in: 600, for: "1h", more))")
            return [entry["pad_before"]?.int, entry["pad_after"]?.int]
        }
        #expect(try pads([]) == [60, 180])
        #expect(try pads(["--pad-before", "5s", "--pad-after", "0s"]) == [5, 0])
        #expect(try pads(["--action", "play"]) == [0, 0])
        service.stop()
    }

    @Test("what was to happen while the service was down is listed after the next start, with the reason")
    func misses() throws {
        let folder = try TemporaryFolder("schedule-missed")
        let service = try AircheckService(in: folder, settings: Self.settings)
        let id = try add(service, in: 4, for: "1s")
        service.stop()
        // The show comes and goes.
        Thread.sleep(forTimeInterval: 6)
        try service.start()
        #expect(eventually(within: 10) { (try? last(service, id)?["state"]?.string) == "missed" })
        let listed = try service.command(["schedule", "missed"])
        #expect(listed.output.contains("the service was not running"))
        #expect(listed.output.contains(id))
        service.stop()
    }

    @Test("killed in the middle of a show, the next start goes on with it and says that it is not whole")
    func resumes() throws {
        let folder = try TemporaryFolder("schedule-killed")
        let service = try AircheckService(in: folder, settings: Self.settings)
        let id = try add(service, in: -1, for: "18s")
        #expect(
            eventually(within: 10) { (try? last(service, id)?["recordings"]?.array?.count) == 1 },
            "the schedule knows it, on the disk")
        kill(service.pid, SIGKILL)
        service.stop()
        try service.start()
        #expect(eventually(within: 40) { (try? last(service, id)?["state"]?.string) == "partial" })
        let occurrence = try #require(try last(service, id))
        #expect(occurrence["recordings"]?.array?.count == 2)
        #expect(occurrence["reason"]?.string?.contains("interrupted") == true)
        service.stop()
    }

    @Test("a calendar goes out and comes in, and mistakes are answered with what to do")
    func calendars() throws {
        let folder = try TemporaryFolder("schedule-calendar")
        let service = try AircheckService(in: folder, settings: Self.settings)
        let added = try service.command([
            "schedule", "add", "demo", "--weekly", "mon,fri", "--at", "20:00", "--until", "22:00", "--zone",
            "Europe/Berlin", "--action", "tracks", "--pad-after", "3m",
        ])
        #expect(added.exitCode == 0, "\(added.errors)")
        let exported = try service.command(["schedule", "export"])
        #expect(exported.output.contains("RRULE:FREQ=WEEKLY;BYDAY=MO,FR"))
        let file = try folder.write("shows.ics", exported.output)
        let imported = try service.command(["schedule", "import", file])
        #expect(imported.errors.contains("0 added, 1 changed"), "\(imported.errors)")
        for (words, remedy) in [
            (["--at", "20:00"], "how long"), (["--at", "25:00", "--for", "1h"], "write 20:00"),
            (["--at", "20:00", "--for", "1h", "--zone", "Mars/Olympus"], "Europe/Berlin"),
            (["--at", "20:00", "--for", "1h", "--rrule", "FREQ=SECONDLY"], "FREQ=DAILY"),
            (["--for", "1h"], "--at"),
        ] {
            let refused = try service.command(["schedule", "add", "demo"] + words)
            #expect(refused.exitCode != 0)
            #expect(refused.errors.contains(remedy), "\(refused.errors)")
        }
        service.stop()
    }

    @Test("an alarm tunes the player and fades it out; a show with tracks leaves a file per track")
    func actions() throws {
        let folder = try TemporaryFolder("schedule-actions")
        let service = try AircheckService(
            in: folder, settings: Self.settings + "[tracks]\npiece = \"2s\"\n")
        let set = try service.command(
            ["alarm", at(2), "demo", "--for", "4s", "--zone", "Etc/UTC", "--json"])
        let alarm = try #require(try JSONValue.parse(set.output)["id"]?.string, "\(set.errors)")
        let tracks = try add(service, in: 1, for: "20s", ["--action", "tracks"])
        func player() -> String? { try? service.get("/api/v1/player")["state"]?.string }
        #expect(eventually(within: 10) { player() == "live" }, "\(player() ?? "")")
        #expect(
            eventually(within: 10) {
                (try? service.get("/api/v1/player")["sleep_seconds"]?.double).flatMap { $0 } != nil
            }, "it grows quieter before it stops")
        #expect(eventually(within: 30) { player() == "stopped" }, "\(player() ?? "")")
        #expect(eventually(within: 10) { (try? last(service, alarm)?["state"]?.string) == "done" })
        #expect(eventually(within: 40) { (try? last(service, tracks)?["state"]?.string) == "done" })
        let recording = try #require(try last(service, tracks)?["recordings"]?.array?.first?.string)
        let facts = try service.get("/api/v1/recordings/\(recording)")
        // A title of the demo station lasts sixteen seconds.
        let kept = facts["tracks"]?.array?.compactMap { $0["name"]?.string } ?? []
        #expect(kept.count >= 2, "\(kept)")
        service.stop()
    }

    @Test("of a guide the times of one series are taken, once")
    func guide() throws {
        let folder = try TemporaryFolder("schedule-guide")
        let service = try AircheckService(in: folder, settings: Self.settings)
        let format = DateFormatter()
        format.dateFormat = "yyyyMMddHHmmss"
        format.timeZone = .gmt
        format.locale = Locale(identifier: "en_US_POSIX")
        func programme(_ days: Double, _ title: String) -> String {
            let start = Date(timeIntervalSinceNow: days * 86_400)
            return """
                <programme start="\(format.string(from: start)) +0000" \
                stop="\(format.string(from: start + 3600)) +0000" channel="one"><title>\(title)</title></programme>
                """
        }
        let guide = try folder.write(
            "guide.xml",
            "<?xml version=\"1.0\"?><tv>" + programme(1, "Jazz Hour &amp; more") + programme(2, "News")
                + programme(3, "jazz hour") + "</tv>")
        let refused = try service.command(["schedule", "import", guide, "--station", "demo"])
        #expect(refused.exitCode != 0 && refused.errors.contains("--series"), "\(refused.errors)")
        let words = ["schedule", "import", guide, "--station", "demo", "--series", "Jazz Hour"]
        let tried = try service.command(words + ["--try"])
        #expect(tried.exitCode == 0, "\(tried.errors)")
        #expect(try service.command(["schedule", "next"]).output.isEmpty)
        let imported = try service.command(words)
        #expect(imported.errors.contains("2 added, 0 changed"), "\(imported.errors)")
        #expect(try service.command(words).errors.contains("0 added, 2 changed"))
        let next = try service.command(["schedule", "next", "--json"]).output.split(separator: "\n")
        #expect(next.count == 2 && next[0].contains("Jazz Hour & more"), "\(next)")
        service.stop()
    }
}
