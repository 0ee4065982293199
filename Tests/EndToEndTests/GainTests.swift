import Foundation
import JSONText
import TestPrograms
import Testing

/// How loud a station is, changed by each way there is while the service runs.
@Suite("EndToEnd: the gain of stations", .serialized)
struct GainTests {
    private let folder: TemporaryFolder
    private let service: AircheckService

    init() throws {
        folder = try TemporaryFolder("gain")
        // Silent ones: what the player adds is told before anything sounds.
        let stations = ["one", "two"].map {
            "[[station]]\nid = \"\($0)\"\nname = \"Radio \($0)\"\nurls = [\"http://127.0.0.1:9/\"]\nlocal = true\n"
                + ($0 == "one" ? "gain = 2.0\n" : "")
        }
        service = try AircheckService(
            in: folder, stations: stations.joined(), settings: "[player]\noutput = \"null\"\n")
    }

    private func tune(_ id: String) throws {
        try service.call("POST", "/api/v1/player/play", ["station": .string(id)])
    }

    /// Waits for what the player says.
    private func adds(_ decibels: Double) -> Bool {
        eventually(within: 3) { (try? service.get("/api/v1/player")["gain_db"]?.double) == decibels }
    }

    @Test("what was set last holds, whichever way it was set and whatever was tuned then")
    func last() throws {
        defer { service.stop() }
        try tune("one")
        #expect(adds(2), "as its file says")
        let answer = try service.call("PUT", "/api/v1/player/gain", ["decibels": 6])
        #expect(answer["gain_db"]?.double == 6)
        try tune("two")
        #expect(adds(0))
        try service.call("PUT", "/api/v1/stations/one/settings", ["gain": -3.5])
        try tune("one")
        #expect(adds(-3.5), "it was not tuned when it was changed")
        try service.call("PUT", "/api/v1/stations/one/settings", ["gain": 4.5])
        #expect(adds(4.5))
        try service.call("DELETE", "/api/v1/stations/one/settings", nil)
        #expect(adds(2), "taken back while it plays")
    }
}
