import Foundation
import JSONText
import TestPrograms
import TestStations
import Testing

/// Titles as stations send them come out right everywhere: in `now`, in the sidecar, at a listener of the relay.
@Suite("EndToEnd: titles", .serialized)
struct TitleTests {
    static let hard: [(block: [UInt8], text: String)] = [
        (Array("StreamTitle='Björk - Jóga';".utf8), "Björk - Jóga"),
        (
            [UInt8]("StreamTitle='Bj".utf8) + [0xF6] + [UInt8]("rk - J".utf8) + [0xF3] + [UInt8]("ga';".utf8),
            "Björk - Jóga"
        ),
        (Array("StreamTitle='O'Brien - Don't Stop';".utf8), "O'Brien - Don't Stop"),
        (
            Array("StreamTitle='Who - It's a test'; not the end';StreamUrl='';".utf8),
            "Who - It's a test'; not the end"
        ),
        (Array("StreamTitle='';".utf8), ""),
        (
            Array("StreamTitle='Long - \(String(repeating: "x", count: 4058))';".utf8),
            "Long - \(String(repeating: "x", count: 4058))"
        ),
    ]

    @Test("one by one they are right in now, in the sidecar and at a listener", arguments: 0..<6)
    func everywhere(index: Int) throws {
        let (block, text) = Self.hard[index]
        let folder = try TemporaryFolder("titles")
        let source = NumberedFrames(.mp3)
        let past = Int(30 / source.secondsPerUnit)
        let programme = Programme(
            source, titles: [.init(at: 0, "First - One"), .init(at: past + 150, block: block)], past: 30)
        let air = try ScriptedStation(programme, script: { _ in Step.icecast() + [.burst(2), .play(600)] })
        let service = try AircheckService(
            in: folder,
            stations: "[[station]]\nid = \"air\"\nname = \"Air\"\nurls = [\"\(air.url())\"]\nlocal = true\n",
            settings: "[player]\noutput = \"null\"\n")
        let id = try service.call("POST", "/api/v1/recordings", ["station": "air"])["id"]?.string ?? ""
        let listener = try RunningProgram(
            "curl",
            ["-s", "-N", "-H", "Icy-MetaData: 1", "-o", folder.path("heard"), service.address + "/air"],
            in: folder, name: "listener")
        func now() -> String? { try? service.get("/api/v1/stations/air/now")["now"]?["text"]?.string }
        #expect(eventually(within: 10) { now() == "First - One" })
        let arrived = eventually(within: 15) { now() == text }
        #expect(arrived, "now says \(now() ?? "nothing")")
        // One interval is one second at this rate; the relay's batch and interval come on top.
        Thread.sleep(forTimeInterval: 2.5)
        let recording = try service.call("POST", "/api/v1/recordings/\(id)/stop", nil)
        let titles = recording["titles"]?.array?.compactMap { $0["text"]?.string } ?? []
        #expect(titles == ["First - One", text])
        listener.stop()
        let heard = try Data(contentsOf: URL(fileURLWithPath: folder.path("heard")))
        let titlesHeard = IcyStream(Array(heard), interval: 16_000).titles
        // There is no escaping in ICY: the relay makes the apostrophe harmless instead.
        #expect(titlesHeard.last == text.replacingOccurrences(of: "';", with: "\u{2019};"), "\(titlesHeard)")
        service.stop()
        air.stop()
    }
}

/// Takes an ICY stream apart the plain way, as a witness apart from the code under test.
struct IcyStream {
    private(set) var titles: [String] = []
    private(set) var audio: [UInt8] = []

    init(_ bytes: [UInt8], interval: Int) {
        var place = 0
        while place + interval < bytes.count {
            audio += bytes[place..<(place + interval)]
            let length = Int(bytes[place + interval]) * 16
            let block = bytes[(place + interval + 1)..<min(bytes.count, place + interval + 1 + length)]
            place += interval + 1 + length
            guard length > 0, let text = String(bytes: block.prefix { $0 != 0 }, encoding: .utf8),
                let start = text.range(of: "StreamTitle='"), let end = text.range(of: "';")
            else { continue }
            titles.append(String(text[start.upperBound..<end.lowerBound]))
        }
    }
}
