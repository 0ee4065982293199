import Foundation
import Glibc
import JSONText
import TestPrograms
import TestStations
import Testing

/// The whole service on a file system that loses everything that was not made safe, as without power.
@Suite("EndToEnd: the power fails", .serialized)
struct PowerCutTests {
    /// `_IOR('X', 125, u32)` with "do not flush the log": dirty pages vanish.
    private static let cut = """
        import fcntl, os, struct, sys
        fd = os.open(sys.argv[1], os.O_RDONLY)
        fcntl.ioctl(fd, 0x8004587D, struct.pack('I', 2))
        """

    private let folder: TemporaryFolder
    private let source = NumberedFrames(.mp3)

    init() throws { folder = try TemporaryFolder("power-rows") }

    private func run(_ program: String, _ arguments: [String]) throws {
        let done = try RunningProgram.run(program, arguments, in: folder)
        try #require(done.exitCode == 0, "\(program): \(done.errors)")
    }

    /// What has been acknowledged before the power fails.
    private struct Acknowledged {
        var favourites: [String] = []
        var schedules: [String] = []
        var filters: [String] = []
        var finished: [String] = []
        var kept: [String] = []
        var airplays: Set<String> = []
    }

    @Test(
        "no row that was acknowledged is lost: favourites, schedules, filters, recordings, marks, titles",
        .enabled(
            if: getuid() == 0 && ProcessInfo.processInfo.environment["AIRCHECK_TESTS"] == "all",
            "needs root for a loop device, and AIRCHECK_TESTS=all"),
        arguments: 1...3)
    func rows(round: Int) throws {
        let (image, disk) = (folder.path("disk.img"), try folder.folder("disk"))
        try run("truncate", ["-s", "256M", image])
        try run("mkfs.ext4", ["-q", image])
        try run("mount", ["-o", "loop", image, disk])
        defer { _ = try? RunningProgram.run("umount", ["-l", disk], in: folder) }
        let titles = (0..<200).map {
            Programme.Title(at: Int(Double($0) * 2 / source.secondsPerUnit), "Artist - Song \($0)")
        }
        let air = try ScriptedStation(
            Programme(source, titles: titles, past: 2),
            script: { _ in Step.icecast() + [.burst(1), .play(600)] })
        let stations = (0..<30).map {
            "[[station]]\nid = \"s\($0)\"\nname = \"S \($0)\"\nurls = [\"\(air.url())\"]\nlocal = true\n"
        }
        let service = try AircheckService(
            in: folder, stations: stations.joined(),
            settings: """
                [player]
                output = "null"
                [paths]
                recordings = "\(disk)/Music"
                [recording]
                free_for_new = 0
                free_for_all = 0
                """,
            environment: ["XDG_DATA_HOME": disk + "/data"])
        let said = try fill(service, round)
        // In the middle of whatever is going on.
        try run("python3", ["-c", Self.cut, disk])
        kill(service.pid, SIGKILL)
        #expect(eventually(within: 10) { !service.program.isRunning })
        try run("umount", [disk])
        try run("mount", ["-o", "loop", image, disk])
        try service.start()
        try expect(said, in: service)
        service.stop()
        air.stop()
    }

    private func fill(_ service: AircheckService, _ round: Int) throws -> Acknowledged {
        var said = Acknowledged()
        for number in 0..<12 {
            try service.call("PUT", "/api/v1/stations/s\(number)/favourite", ["value": true])
            said.favourites.append("s\(number)")
            let schedule = try service.call(
                "POST", "/api/v1/schedules",
                [
                    "station": .string("s\(number)"), "at": "2030-01-01 20:00", "seconds": 3600,
                    "zone": "Etc/UTC",
                ])
            said.schedules.append(schedule["id"]?.string ?? "")
            try service.call(
                "PUT", "/api/v1/filters/f\(number)",
                ["name": .string("Filter \(number)"), "rules": .object([])])
            said.filters.append("f\(number)")
            guard number % 3 == 0 else { continue }
            let id = try service.call("POST", "/api/v1/recordings", ["station": "s0"])["id"]?.string ?? ""
            Thread.sleep(forTimeInterval: 1.5)
            try service.call("POST", "/api/v1/recordings/\(id)/stop", nil)
            said.finished.append(id)
            try service.call("PUT", "/api/v1/recordings/\(id)/keep", ["value": true])
            said.kept.append(id)
        }
        // One goes on.
        try service.call("POST", "/api/v1/recordings", ["station": "s0"])
        Thread.sleep(forTimeInterval: 2 + Double(round) * 0.3)
        said.airplays = try airplays(service)
        #expect(!said.airplays.isEmpty)
        // The last word before the cut.
        try service.call("PUT", "/api/v1/stations/s20/favourite", ["value": true])
        said.favourites.append("s20")
        try service.call("PUT", "/api/v1/filters/last", ["name": "Last", "rules": .object([])])
        said.filters.append("last")
        return said
    }

    private func airplays(_ service: AircheckService) throws -> Set<String> {
        Set((try service.get("/api/v1/log?limit=200")["airings"]?.array ?? []).map { $0.text() })
    }

    private func expect(_ said: Acknowledged, in service: AircheckService) throws {
        func ids(_ path: String, _ list: String) throws -> Set<String> {
            Set((try service.get(path)[list]?.array ?? []).compactMap { $0["id"]?.string ?? $0.string })
        }
        #expect(try ids("/api/v1/favourites", "stations").isSuperset(of: said.favourites))
        #expect(try ids("/api/v1/schedules", "schedules").isSuperset(of: said.schedules))
        #expect(try ids("/api/v1/filters", "filters").isSuperset(of: said.filters))
        for id in said.finished {
            let facts = try service.get("/api/v1/recordings/\(id)")
            #expect(facts["state"]?.string == "finished" && facts["keep"]?.bool == said.kept.contains(id))
            let bytes = try Data(contentsOf: URL(fileURLWithPath: facts["path"]?.string ?? ""))
            #expect(Judge.verdict(on: Array(MP3File(bytes).audio), of: source).isPerfect)
        }
        let rows = try service.get("/api/v1/recordings")["recordings"]?.array ?? []
        #expect(rows.count == said.finished.count + 1)
        #expect(rows.first?["state"]?.string == "interrupted")
        #expect(try airplays(service).isSuperset(of: said.airplays))
        print(
            "rows after the cut: \(said.favourites.count) favourites, \(said.schedules.count) schedules,",
            "\(said.filters.count) filters, \(said.finished.count) recordings, \(said.airplays.count) airplays"
        )
    }
}
