import Foundation
import JSONText
import Platform
import StreamFormats
import TestPrograms
import Testing

@testable import Catalogue

@Suite("The directory's language")
struct DirectoryServerTests {
    private let folder: TemporaryFolder
    private let server: DirectoryServer

    init() throws {
        folder = try TemporaryFolder("directory-server")
        let answer = try folder.write("answer.json", JSONValue.array(Self.stations).text())
        _ = try DirectorySnapshot.write(
            folder.path("directory.db"), from: answer, fetched: WallTime(secondsSince1970: 1))
        var own = Station(id: "attic", name: "Attic Radio", urls: ["http://10.0.0.1/live"])
        own.genre = "Jazz"
        own.country = "DE"
        server = DirectoryServer(
            directory: StationDirectory(path: folder.path("directory.db")),
            own: [CatalogueStation(StationEntry(own), origin: .added)], base: "http://127.0.0.1:2472")
    }

    private static let stations: [JSONValue] = [
        station(1, "Jazz Ätherwelle", "jazz,late night", "Germany", "DE", "german", votes: 9, bitrate: 128),
        station(2, "Rock 100%", "rock", "France", "FR", "french", votes: 30, bitrate: 320),
        station(
            3, "Free Jazz", "free jazz,jazz", "France", "FR", "english,french", votes: 20, bitrate: 64, ok: 0),
    ]

    private static func station(
        _ number: Int, _ name: String, _ tags: String, _ country: String, _ code: String, _ language: String,
        votes: Int64, bitrate: Int64, ok: Int64 = 1
    ) -> JSONValue {
        [
            "stationuuid": .string("0000000\(number)-0601-11e8-ae97-52543be04c81"), "name": .string(name),
            "url": .string("http://\(number).example/live.pls"),
            "url_resolved": .string("http://\(number).example/live"),
            "tags": .string(tags), "country": .string(country), "countrycode": .string(code), "state": "",
            "language": .string(language), "votes": .int(votes), "bitrate": .int(bitrate), "codec": "MP3",
            "lastcheckok": .int(ok), "clickcount": 1, "geo_lat": .null,
        ]
    }

    private func names(_ path: String, _ parameters: [String: String] = [:]) throws -> [String] {
        let answer = try server.answer(path.split(separator: "/").map(String.init), parameters)
        #expect(answer.status == 200)
        return try JSONValue.parse(answer.text, limit: 1 << 20).array?.compactMap { $0["name"]?.string } ?? []
    }

    @Test(
        "stations are found by what the directory takes",
        arguments: [
            ("json/stations", [:], ["Attic Radio", "Free Jazz", "Jazz Ätherwelle", "Rock 100%"]),
            ("json/stations/search", ["name": "jazz"], ["Free Jazz", "Jazz Ätherwelle"]),
            ("json/stations/search", ["name": "100%"], ["Rock 100%"]),
            (
                "json/stations/search", ["tag": "jazz", "order": "votes", "reverse": "true"],
                ["Free Jazz", "Jazz Ätherwelle", "Attic Radio"]
            ),
            (
                "json/stations/search", ["tag": "jazz", "tagExact": "true", "hidebroken": "true"],
                ["Attic Radio", "Jazz Ätherwelle"]
            ),
            ("json/stations/search", ["tagList": "free jazz,jazz"], ["Free Jazz"]),
            ("json/stations/search", ["bitrateMin": "100", "bitrateMax": "200"], ["Jazz Ätherwelle"]),
            ("json/stations/bytag/rock", [:], ["Rock 100%"]),
            ("json/stations/bycountrycodeexact/fr", [:], ["Free Jazz", "Rock 100%"]),
            ("json/stations/bylanguageexact/french", ["limit": "1", "offset": "1"], ["Rock 100%"]),
            ("json/stations/byuuid/00000002-0601-11e8-ae97-52543be04c81", [:], ["Rock 100%"]),
            ("json/stations/byurl", ["url": "http://1.example/live"], ["Jazz Ätherwelle"]),
            ("json/stations/topvote/2", [:], ["Rock 100%", "Free Jazz"]),
            ("json/stations/broken", [:], ["Free Jazz"]),
            ("json/stations/search", ["name": "' OR 1=1 --"], []),
            ("json/countries", [:], ["France", "Germany"]),
            ("json/tags/jazz", ["order": "stationcount", "reverse": "true"], ["jazz", "free jazz"]),
            ("json/languages", [:], ["english", "french", "german"]),
            ("json/codecs", [:], ["MP3", "UNKNOWN"]),
            ("json/servers", [:], ["127.0.0.1:2472"]),
        ] as [(String, [String: String], [String])])
    func found(path: String, parameters: [String: String], expected: [String]) throws {
        #expect(try names(path, parameters) == expected)
    }

    @Test("what cannot be answered is refused as the directory does")
    func refused() throws {
        #expect(try server.answer(["json", "stations", "bycolour", "red"], [:]).status == 404)
        #expect(try server.answer(["html", "stations"], [:]).status == 406)
        #expect(try server.answer(["json", "tags"], ["order": "weight"]).status == 500)
        #expect(try server.answer([], [:]).status == 404)
        #expect(try server.answer(["json", "url", "nobody"], [:]).text.contains("\"ok\":false"))
        #expect(
            try server.answer(["json", "url", "00000003-0601-11e8-ae97-52543be04c81"], [:]).text
                .contains("\"url\":\"http://3.example/live\""))
        #expect(
            try server.answer(["m3u", "stations", "bytag", "rock"], [:]).text.contains(
                "http://2.example/live"))
    }

    @Test("a station of one's own has every key, an address of ours, and an id that stays")
    func own() throws {
        let answer = try server.answer(["json", "stations", "bynameexact", "attic radio"], [:])
        let station = try #require(try JSONValue.parse(answer.text).array?.first)
        #expect(station["url"]?.string == "http://127.0.0.1:2472/attic")
        #expect(DirectoryStation.isUUID(station["stationuuid"]?.string ?? ""))
        #expect(station["stationuuid"]?.string == "5abe5481-3cc4-814c-9d90-c207f364223e")
        #expect(DirectoryDocument.uuid("attic") != DirectoryDocument.uuid("cellar"))
        #expect(station["geo_lat"]?.isNull == true && station["languagecodes"]?.string == "")
        #expect(station["country"]?.string == "Germany")
    }

    @Test("without a snapshot the stations of one's own are all there is")
    func noSnapshot() throws {
        let bare = DirectoryServer(
            directory: StationDirectory(path: folder.path("none.db")), own: [], base: "http://127.0.0.1:1")
        #expect(try bare.answer(["json", "stations"], [:]).text == "[]")
    }
}

@Suite("Service records")
struct ServiceRecordsTests {
    /// A question for `a.b`, and two answers whose names point into it.
    private static let answer: [UInt8] =
        [0, 1, 0x81, 0x80, 0, 1, 0, 2, 0, 0, 0, 0] + [1, 97, 1, 98, 0, 0, 33, 0, 1]
        + record(priority: 20, host: [2, 100, 101, 0xC0, 12])
        + record(priority: 10, host: [2, 70, 114, 1, 120, 0])

    private static func record(priority: UInt8, host: [UInt8]) -> [UInt8] {
        [0xC0, 12, 0, 33, 0, 1, 0, 0, 0, 60, 0, UInt8(6 + host.count), 0, priority, 0, 0, 0, 80] + host
    }

    @Test("hosts are read in the order of their priority")
    func hosts() { #expect(ServiceRecords.hosts(in: Self.answer) == ["fr.x", "de.a.b"]) }

    @Test("no cut and no flipped byte is a trap, and a pointer to itself ends")
    func hostile() {
        for length in 0...Self.answer.count {
            _ = ServiceRecords.hosts(in: Array(Self.answer.prefix(length)))
        }
        for place in Self.answer.indices {
            var bytes = Self.answer
            for value: UInt8 in [0, 0x3F, 0xC0, 0xFF] {
                bytes[place] = value
                _ = ServiceRecords.hosts(in: bytes)
            }
        }
        #expect(ServiceRecords.hosts(in: [0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0xC0, 12, 0, 33]).isEmpty)
    }
}
