import Foundation
import JSONText
import TestPrograms
import TestStations
import Testing

/// The promises of docs/reliability.md that concern the whole service.
@Suite("EndToEnd: what is promised", .serialized)
struct DurabilityTests {
    private let folder: TemporaryFolder
    private let source = NumberedFrames(.mp3)

    init() throws { folder = try TemporaryFolder("promises") }

    private func service(_ air: ScriptedStation) throws -> AircheckService {
        try AircheckService(
            in: folder,
            stations: "[[station]]\nid = \"air\"\nname = \"Air\"\nurls = [\"\(air.url())\"]\nlocal = true\n",
            settings: "[player]\noutput = \"null\"\n")
    }

    private func steady() throws -> ScriptedStation {
        try ScriptedStation(Programme(source), script: { _ in Step.icecast() + [.burst(2), .play(600)] })
    }

    private func start(_ service: AircheckService) throws -> String {
        try service.call("POST", "/api/v1/recordings", ["station": "air"])["id"]?.string ?? ""
    }

    private func verdict(_ recording: JSONValue) throws -> Judge.Verdict {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: recording["path"]?.string ?? ""))
        return Judge.verdict(on: Array(MP3File(bytes).audio), of: source)
    }

    private func seconds(_ service: AircheckService, _ id: String) -> Double {
        (try? service.get("/api/v1/recordings/\(id)")["seconds"]?.double) ?? 0
    }

    @Test("SIGTERM: within five seconds and with code 0 four recordings are finished, with all that had come")
    func terminated() throws {
        let air = try steady()
        let service = try service(air)
        let ids = try (0..<4).map { _ in try start(service) }
        #expect(eventually(within: 15) { ids.allSatisfy { seconds(service, $0) > 3 } })
        let onAir = air.liveUnit
        let asked = Date()
        kill(service.pid, SIGTERM)
        #expect(eventually(within: 5) { !service.program.isRunning })
        #expect(Date().timeIntervalSince(asked) < 5)
        #expect(service.program.stop() == 0)
        try service.start()
        for id in ids {
            let recording = try service.get("/api/v1/recordings/\(id)")
            #expect(recording["state"]?.string == "finished")
            let verdict = try verdict(recording)
            #expect(verdict.isPerfect, "\(verdict)")
            #expect(Double(onAir - (verdict.last ?? 0)) * source.secondsPerUnit < 0.4)
        }
        service.stop()
        air.stop()
    }

    @Test("a source that is away for three seconds costs no more than five, and that is told within five")
    func outage() throws {
        let air = try ScriptedStation(
            Programme(source),
            script: { request in
                Step.icecast()
                    + (request.number == 0
                        ? [.burst(0.5), .play(5), .refuse(3)] : [.burst(0.5), .play(600)])
            })
        let service = try service(air)
        let id = try start(service)
        func gaps() throws -> [JSONValue] { try service.get("/api/v1/recordings/\(id)")["gaps"]?.array ?? [] }
        #expect(eventually(within: 10) { seconds(service, id) > 5 })
        #expect(eventually(within: 15) { air.acceptedConnections >= 2 && seconds(service, id) > 7 })
        let back = Date()
        #expect(eventually(within: 5) { ((try? gaps()) ?? []).isEmpty == false })
        #expect(Date().timeIntervalSince(back) < 5)
        #expect(service.program.errors.contains("a break"))
        let stopped = try service.call("POST", "/api/v1/recordings/\(id)/stop", nil)
        let verdict = try verdict(stopped)
        #expect(verdict.doubled == 0 && verdict.strayBytes == 0, "\(verdict)")
        let lost = Double(verdict.lost) * source.secondsPerUnit
        #expect(lost <= 5, "\(lost) s are missing")
        #expect(verdict.lost > 0)
        // The ledger says what is missing, as far as the clock tells.
        #expect(abs((stopped["lost_seconds"]?.double ?? 0) - lost) < 1)
        let row = try service.get("/api/v1/recordings")["recordings"]?.array?.first
        // A row holds it in full, what the stop answers comes from the sidecar, which rounds.
        #expect(abs((row?["lost_seconds"]?.double ?? 0) - (stopped["lost_seconds"]?.double ?? 0)) < 0.001)
        service.stop()
        air.stop()
    }

    @Test("twenty recordings, begun and ended, leave no descriptor open")
    func descriptors() throws {
        let air = try steady()
        let service = try service(air)
        func count() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(service.pid)/fd").count
        }
        func round() throws {
            let id = try start(service)
            #expect(eventually(within: 10) { seconds(service, id) > 0.5 })
            _ = try service.call("POST", "/api/v1/recordings/\(id)/stop", nil)
        }
        for _ in 0..<3 { try round() }
        let before = try count()
        for _ in 0..<20 { try round() }
        #expect(eventually(within: 10) { ((try? count()) ?? .max) <= before + 1 })
        service.stop()
        air.stop()
    }

    /// One recording ten thousand times: file, sidecar and row, as ten thousand recordings would have left them.
    private static let copies = """
        import json, os, sqlite3, sys
        music, database, path, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
        audio = open(path, 'rb').read()[-2000:]
        facts = json.load(open(os.path.splitext(path)[0] + '.json'))
        db = sqlite3.connect(database)
        for n in range(count):
            folder = os.path.join(music, 'Many', str(n // 500)); os.makedirs(folder, exist_ok=True)
            stem = os.path.join(folder, 'r%d' % n)
            facts['id'] = 'many-%d' % n; facts['files'][0]['name'] = 'r%d.mp3' % n
            text = json.dumps(facts, indent=2)
            open(stem + '.mp3', 'wb').write(audio); open(stem + '.json', 'w').write(text)
            db.execute('INSERT INTO recording(id, state, station, started, folder, words, facts) VALUES (?,?,?,?,?,?,?)',
                (facts['id'], 'finished', 'air', n, folder, 'air', json.dumps(facts)))
        db.commit(); db.close()
        """

    @Test(
        "with ten thousand recordings it is ready within two seconds, and what was open is closed with its true length"
    )
    func manyRecordings() throws {
        let air = try steady()
        let service = try service(air)
        let first = try start(service)
        #expect(eventually(within: 10) { seconds(service, first) > 2 })
        let path = try service.call("POST", "/api/v1/recordings/\(first)/stop", nil)["path"]?.string ?? ""
        service.stop()
        let made = try RunningProgram.run(
            "python3",
            [
                "-c", Self.copies, folder.path("Music/aircheck"), folder.path("data/aircheck/aircheck.db"),
                path, "10000",
            ],
            in: folder, within: 120)
        try #require(made.exitCode == 0, "\(made.errors)")
        try service.start()
        let open = try start(service)
        #expect(eventually(within: 10) { seconds(service, open) > 2 })
        kill(service.pid, SIGKILL)
        service.stop()
        let began = Date()
        try service.start()
        let ready = Date().timeIntervalSince(began)
        #expect(ready <= 2, "ready after \(ready) s")
        #expect(
            eventually(within: 10) {
                (try? service.get("/api/v1/recordings/\(open)")["state"]?.string) == "interrupted"
            })
        let closed = Date().timeIntervalSince(began)
        let recording = try service.get("/api/v1/recordings/\(open)")
        let verdict = try verdict(recording)
        #expect(verdict.isPerfect)
        #expect(recording["frames"]?.int == Int64(verdict.frames))
        #expect(
            abs((recording["seconds"]?.double ?? 0) - Double(verdict.frames) * source.secondsPerUnit) < 0.001)
        print("ready after \(ready) s with 10,002 recordings, the open one closed after \(closed) s")
        service.stop()
        air.stop()
    }
}
