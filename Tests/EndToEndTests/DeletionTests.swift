import Foundation
import JSONText
import TestPrograms
import TestStations
import Testing

/// What becomes of all that was known of a recording when it goes.
@Suite("EndToEnd: what is deleted", .serialized)
struct DeletionTests {
    private let folder: TemporaryFolder
    private let air: ScriptedStation
    private let service: AircheckService

    init() throws {
        let folder = try TemporaryFolder("deletion")
        let air = try ScriptedStation(
            Programme(NumberedFrames(.mp3)), script: { _ in Step.icecast() + [.burst(2), .play(600)] })
        service = try AircheckService(
            in: folder,
            stations: "[[station]]\nid = \"air\"\nname = \"Air\"\nurls = [\"\(air.url())\"]\nlocal = true\n",
            settings: "[player]\noutput = \"null\"\n")
        (self.folder, self.air) = (folder, air)
    }

    /// Who deletes a recording.
    enum Hand: String, CaseIterable, CustomTestStringConvertible {
        case somebody
        case rule = "a logger's rule"
        var testDescription: String { rawValue }
    }

    /// The oldest long file of a logger that would hold none but the one that it writes, were this one not to be kept.
    private func keptFile() throws -> String {
        try service.call("POST", "/api/v1/recordings", ["station": "air", "slot": 5, "keep_files": 2])
        var id: String?
        #expect(
            eventually(within: 30) {
                // The first one may have begun just before a round time.
                let finished = try? service.get("/api/v1/recordings?state=finished")["recordings"]?.array
                let found = finished?.last { ($0["seconds"]?.double ?? 0) > 3 }
                id = found?["id"]?.string
                return id != nil
            })
        let kept = try #require(id)
        try service.call("PUT", "/api/v1/recordings/\(kept)/keep", ["value": true])
        return kept
    }

    private func player() -> JSONValue { (try? service.get("/api/v1/player")) ?? .null }
    private func waveform(_ id: String) -> String { folder.path("data/aircheck/waveforms/\(id).peaks") }

    @Test(
        "the player leaves it, and its place in Up Next, description, bookmarks and waveform are gone",
        arguments: Hand.allCases)
    func leavesNothing(hand: Hand) throws {
        let id = try keptFile()
        let address = "/api/v1/recordings/\(id)"
        #expect(
            eventually(within: 30) { FileManager.default.fileExists(atPath: waveform(id)) }, "it is measured")
        try service.call("PUT", "/api/v1/queue", ["recordings": [.string(id)]])
        try service.call("PUT", "/api/v1/descriptions/\(id)", ["text": "The late set."])
        try service.call("POST", address + "/bookmarks", ["seconds": 2, "note": "here"])
        try service.call("POST", "/api/v1/player/play", ["recording": .string(id), "position": 0])
        #expect(eventually(within: 10) { player()["state"]?.string == "playing" })
        // One that stands is still on: its end is not what takes it off.
        try service.call("POST", "/api/v1/player/pause", [:])
        #expect(eventually(within: 5) { player()["state"]?.string == "paused" })
        #expect(try service.get("/api/v1/queue")["recordings"] == [.string(id)])

        switch hand {
        case .somebody: try service.call("DELETE", address, nil)
        case .rule: try service.call("PUT", address + "/keep", ["value": false])
        }
        #expect(eventually(within: 40) { (try? service.get(address)) == nil })
        #expect(
            eventually(within: 10) { player()["reason"]?.string == "the recording has been deleted" },
            "\(player().text())")
        #expect(player()["state"]?.string == "failed")
        #expect(eventually(within: 5) { (try? service.get("/api/v1/queue")["recordings"]) == [] })
        #expect(try service.get("/api/v1/descriptions/\(id)")["text"]?.string == "")
        #expect(try service.get(address + "/bookmarks")["bookmarks"] == [])
        #expect(!FileManager.default.fileExists(atPath: waveform(id)))
        let rule = try service.get("/api/v1/deletions")["deletions"]?.array?.first { $0["id"]?.string == id }
        #expect((rule != nil) == (hand == .rule))
        // Nothing of it is read back either.
        service.stop()
        try service.start()
        #expect(try service.get("/api/v1/queue")["recordings"] == [])
        #expect(try service.get("/api/v1/descriptions/\(id)")["text"]?.string == "")
        #expect(try service.get(address + "/bookmarks")["bookmarks"] == [])
        service.stop()
        air.stop()
    }
}
