import Foundation
import JSONText
import TestPrograms
import Testing

/// What the API does not take, with the reason and the remedy; what was there stays.
@Suite("EndToEnd: refusals", .serialized)
struct RefusalTests {
    private let folder: TemporaryFolder
    private let service: AircheckService

    init() throws {
        folder = try TemporaryFolder("refusals")
        service = try AircheckService(in: folder, settings: "[player]\noutput = \"null\"\n")
    }

    @Test(
        "live has nothing that belongs to a place: 409 with the remedy, and it plays on",
        arguments: [
            ("POST", "pause", [:]), ("PUT", "position", ["seconds": 3]), ("PUT", "position", ["change": -5]),
            ("PUT", "speed", ["value": 2]), ("PUT", "sleep", ["at": 60]),
            ("PUT", "sleep", ["at": 60, "seconds": 600]),
        ] as [(String, String, JSONValue)])
    func live(method: String, path: String, body: JSONValue) throws {
        try service.call("POST", "/api/v1/player/play", ["station": "demo"])
        #expect(eventually(within: 15) { (try? service.get("/api/v1/player")["state"]?.string) == "live" })
        let refused = try service.answer(method, "/api/v1/player/\(path)", body)
        #expect(refused.status == 409, "\(refused)")
        #expect(refused.body["error"]?["message"]?.string?.hasPrefix("live cannot be ") == true, "\(refused)")
        #expect(refused.body["error"]?["remedy"]?.string?.isEmpty == false, "\(refused)")
        let player = try service.get("/api/v1/player")
        #expect(player["state"]?.string == "live")
        #expect(player["sleep_at"]?.isNull == true && player["sleep_seconds"]?.isNull == true)
        service.stop()
    }

    @Test("a description is taken up to 4000 characters; one more is a 400, and the old one stays")
    func descriptions() throws {
        let address = "/api/v1/descriptions/show%3ANightwatch"
        func describe(_ text: String) throws -> (status: Int, body: JSONValue) {
            try service.answer("PUT", address, ["text": .string(text)])
        }
        // Characters, not bytes.
        let longest = String(repeating: "é", count: 4000)
        #expect(try describe(longest).status == 200)
        let refused = try describe(longest + "!")
        #expect(refused.status == 400, "\(refused)")
        #expect(refused.body.text().contains("4000"), "\(refused)")
        #expect(try service.get(address)["text"]?.string == longest)
        service.stop()
        try service.start()
        #expect(try service.get(address)["text"]?.string == longest)
        service.stop()
    }
}
