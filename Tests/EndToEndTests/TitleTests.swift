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

/// Stations whose titles come too early or too late say so in their file.
@Suite("EndToEnd: titles out of step", .serialized)
struct TitleOffsetTests {
    @Test("with an offset a track begins that much later, or earlier, than its title came")
    func offset() throws {
        let folder = try TemporaryFolder("offset")
        let source = NumberedFrames(.mp3)
        let unit = { (seconds: Double) in Int(seconds / source.secondsPerUnit) }
        let air = try ScriptedStation(
            Programme(
                source, titles: [.init(at: 0, "Ada - One"), .init(at: unit(30), "Bob - Two")], past: 60),
            script: { _ in Step.icecast() + [.burst(59), .play(600)] })
        let rules = ["plain": "[]", "early": "['offset 6']", "late": "['offset -6']"]
        let stations = rules.map { id, rules in
            "[[station]]\nid = \"\(id)\"\nname = \"\(id)\"\nurls = [\"\(air.url())\"]\nlocal = true\n"
                + "titles = \(rules)\n"
        }.joined()
        let service = try AircheckService(
            in: folder, stations: stations, settings: "[player]\noutput = \"null\"\n")
        var ids: [String: String] = [:]
        for id in rules.keys {
            let body: JSONValue = ["station": .string(id), "split": .bool(true)]
            ids[id] = try service.call("POST", "/api/v1/recordings", body)["id"]?.string
        }
        func recording(_ id: String) -> JSONValue? { try? service.get("/api/v1/recordings/\(ids[id] ?? "")") }
        let came = eventually(within: 30) {
            rules.keys.allSatisfy { recording($0)?["seconds"]?.double ?? 0 > 58 }
        }
        #expect(came)
        var starts: [String: Double] = [:]
        for id in rules.keys {
            let ended = try service.call("POST", "/api/v1/recordings/\(ids[id] ?? "")/stop", nil)
            let tracks = ended["tracks"]?.array ?? []
            #expect(tracks.count == 2, "\(id): \(tracks)")
            starts[id] = tracks.last?["start_seconds"]?.double
        }
        let (plain, early, late) = (starts["plain"] ?? 0, starts["early"] ?? 0, starts["late"] ?? 0)
        // The sound decides within a window around the place that is expected.
        #expect(abs(early - plain - 6) < 1.5 && abs(plain - late - 6) < 1.5, "\(starts)")
        service.stop()
        air.stop()
    }
}

/// What has been learned of a station's titles outlives the service.
@Suite("EndToEnd: learned charsets", .serialized)
struct LearnedCharsetTests {
    private static let songs = [
        "Кино - Группа крови", "Земфира - Искала", "Алиса - Небо славян", "Сплин - Выхода нет",
    ]
    /// Two letters that no guess could be made from.
    private static let short = "Я - Ю"

    private static func block(_ text: String) throws -> [UInt8] {
        let bytes = try #require(text.data(using: .windowsCP1251))
        return Array("StreamTitle='".utf8) + Array(bytes) + Array("';".utf8)
    }

    @Test("after a restart the first title is right, and would not be for a station that nothing is known of")
    func restart() throws {
        let folder = try TemporaryFolder("charset")
        let source = NumberedFrames(.mp3)
        let past = Int(30 / source.secondsPerUnit)
        let spacing = Int(2 / source.secondsPerUnit)
        let titles = try (Self.songs + [Self.short]).enumerated().map { number, text in
            try Programme.Title(at: past + number * spacing, block: Self.block(text))
        }
        let air = try ScriptedStation(
            Programme(source, titles: titles, past: 30),
            script: { _ in Step.icecast() + [.burst(1), .play(600)] })
        let stations = ["air", "other"].map {
            "[[station]]\nid = \"\($0)\"\nname = \"Station \($0)\"\nurls = [\"\(air.url())\"]\nlocal = true\n"
        }.joined()
        let service = try AircheckService(
            in: folder, stations: stations, settings: "[player]\noutput = \"null\"\n")
        func now(_ id: String) -> String? {
            try? service.get("/api/v1/stations/\(id)/now")["now"]?["text"]?.string
        }
        try service.call("POST", "/api/v1/recordings", ["station": "air"])
        let learned = eventually(within: 20) { now("air") == Self.songs.last }
        #expect(learned, "now says \(now("air") ?? "nothing")")
        service.stop()
        let isShort = eventually(within: 20) { air.liveUnit > past + 5 * spacing }
        #expect(isShort)
        try service.start()
        for id in ["air", "other"] {
            try service.call("POST", "/api/v1/recordings", ["station": .string(id)])
        }
        let came = eventually(within: 20) { now("air") != nil && now("other") != nil }
        #expect(came)
        #expect(now("air") == Self.short)
        #expect(now("other") != Self.short)
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
