import Foundation
import Platform
import StreamFormats
import TestPrograms
import Testing

@testable import Catalogue
import Store

/// A directory answer of made-up stations, the same for the same numbers.
enum MadeUpDirectory {
    private static let words = [
        "radio", "fm", "jazz", "rock", "classic", "news", "hits", "night", "love", "city", "music", "live",
        "gold",
        "dance", "énergie", "süd", "национальное", "talk", "chill", "deep", "house", "metal", "folk", "world",
        "kiss",
    ]
    private static let countries = [
        ("DE", "Germany"), ("FR", "France"), ("US", "The United States Of America"), ("NO", "Norway"),
    ]

    static func uuid(_ number: Int) -> String {
        let hex = String(number, radix: 16)
        return "960d4a3d-0601-11e8-ae97-" + String(repeating: "0", count: 12 - hex.count) + hex
    }

    static func element(
        _ number: Int, name: String? = nil, url: String? = nil, tags: String = "jazz,late night"
    ) -> String {
        let a = words[number % words.count]
        let b = words[number / words.count % words.count]
        let (code, country) = countries[number % countries.count]
        return """
            {"changeuuid":"\(uuid(number))","stationuuid":"\(uuid(number))","serveruuid":null,\
            "name":"\(name ?? "\(a) \(b) \(number)")","url":"\(url ?? "http://s\(number).example/live")",\
            "url_resolved":"http://s\(number).example/live","homepage":"http://s\(number).example/","favicon":"",\
            "tags":"\(tags)","country":"\(country)","countrycode":"\(code)","iso_3166_2":null,"state":"",\
            "language":"english","languagecodes":"en","votes":\(number % 1000),"lastchangetime":"2026-01-01 00:00:00",\
            "lastchangetime_iso8601":"2026-01-01T00:00:00Z","codec":"\(number % 3 == 0 ? "AAC" : "MP3")",\
            "bitrate":\(64 + number % 4 * 64),"hls":0,"lastcheckok":\(number % 10 == 9 ? 0 : 1),"clickcount":\(number % 50),\
            "clicktrend":0,"ssl_error":0,"geo_lat":null,"geo_long":null,"has_extended_info":false}
            """
    }

    static func answer(_ elements: [String]) -> String { "[" + elements.joined(separator: ",\n") + "]" }
}

@Suite("Station directory")
struct DirectoryTests {
    private let fetched = WallTime(secondsSince1970: 1_770_000_000)

    private func directory(_ scratch: TemporaryFolder, _ elements: [String], followed: Set<String> = [])
        throws
        -> (StationDirectory, DirectoryDifference)
    {
        let answer = try scratch.write("answer.json", MadeUpDirectory.answer(elements))
        let path = scratch.path + "/directory.db"
        let difference = try DirectorySnapshot.write(path, from: answer, followed: followed, fetched: fetched)
        return (StationDirectory(path: path), difference)
    }

    @Test("is searched by words, the exact name first, then the popular ones")
    func search() throws {
        let scratch = try TemporaryFolder()
        var elements = (0..<2000).map { MadeUpDirectory.element($0) }
        elements.append(MadeUpDirectory.element(5000, name: "Jazz"))
        let (directory, difference) = try directory(scratch, elements)
        #expect(difference.stations == 2001 && difference.added == 2001 && difference.refused == 0)
        #expect(directory.count == 2001)
        #expect(directory.fetched == fetched)
        let found = try directory.search(StationQuery("jazz"))
        #expect(found.count == 50)
        #expect(found.first?.name == "Jazz")
        let named = found.dropFirst().prefix(10)
        #expect(named.allSatisfy { $0.name.hasPrefix("jazz") })
        let popularity = named.map { $0.votes + $0.clicks }
        #expect(popularity == popularity.sorted(by: >))
        #expect(try directory.search(StationQuery("ENERGIE")).allSatisfy { $0.name.contains("énergie") })
        #expect(try directory.search(StationQuery("национ")).isEmpty == false)
    }

    @Test("filters by country, language, tag, codec and bit rate, and pages")
    func filters() throws {
        let scratch = try TemporaryFolder()
        let (directory, _) = try directory(scratch, (0..<1000).map { MadeUpDirectory.element($0) })
        var query = StationQuery("radio")
        query.country = "norway"
        query.codec = "aac"
        query.minimumBitrate = 128
        let found = try directory.search(query)
        #expect(!found.isEmpty)
        #expect(found.allSatisfy { $0.countryCode == "NO" && $0.codec == "AAC" && $0.bitrate >= 128 })
        query = StationQuery()
        query.tag = "late night"
        query.limit = 30
        let first = try directory.search(query)
        query.offset = 30
        let second = try directory.search(query)
        #expect(first.count == 30 && second.count == 30)
        #expect(Set(first.map(\.uuid)).isDisjoint(with: second.map(\.uuid)))
    }

    @Test(
        "takes whatever is typed as words",
        arguments: ["'; DROP", "\" OR *", "NEAR(", "*", "a:b", "(((", "\u{0}", "-"])
    func hostile(text: String) throws {
        let scratch = try TemporaryFolder()
        let (directory, _) = try directory(scratch, (0..<20).map { MadeUpDirectory.element($0) })
        _ = try directory.search(StationQuery(text))
        #expect(try directory.search(StationQuery("radio")).isEmpty == false)
    }

    @Test("leaves out what is no station and cleans what is")
    func hostileElements() throws {
        let scratch = try TemporaryFolder()
        let elements = [
            "{}", "null", "[]", "\"x\"",
            "{\"stationuuid\":\"../../etc\",\"name\":\"a\",\"url\":\"http://a.b/\"}",
            MadeUpDirectory.element(1, url: "javascript:alert(1)"),
            MadeUpDirectory.element(2, name: "Nice\\u001b[31m \\u202eName\\n"),
            MadeUpDirectory.element(3, name: ""), MadeUpDirectory.element(4), MadeUpDirectory.element(4),
        ]
        let (directory, difference) = try directory(scratch, elements)
        #expect(difference.stations == 3)
        #expect(difference.refused == 6)
        #expect(try directory.station(uuid: MadeUpDirectory.uuid(2))?.name == "Nice[31m Name")
        // The directory's own check may still have found something good behind a bad address.
        #expect(
            try directory.station(uuid: MadeUpDirectory.uuid(1))?.entry(id: "x").station.urls
                == ["http://s1.example/live"])
    }

    @Test("says what a refresh changed, and replaces all or nothing")
    func refresh() throws {
        let scratch = try TemporaryFolder()
        let (directory, _) = try directory(scratch, (0..<100).map { MadeUpDirectory.element($0) })
        #expect(directory.count == 100)
        var elements = (10..<105).map { MadeUpDirectory.element($0) }
        elements[5] = MadeUpDirectory.element(15, url: "http://elsewhere.example/")
        let (_, difference) = try self.directory(
            scratch, elements,
            followed: [MadeUpDirectory.uuid(15), MadeUpDirectory.uuid(3), MadeUpDirectory.uuid(50)])
        #expect(difference.added == 5 && difference.removed == 10 && difference.changed == 1)
        #expect(difference.followedChanged == [MadeUpDirectory.uuid(15)])
        #expect(difference.followedRemoved == [MadeUpDirectory.uuid(3)])
        #expect(directory.count == 100)
        directory.reopen()
        #expect(directory.count == 95)
        let torn = try scratch.write("torn.json", String(MadeUpDirectory.answer(elements).dropLast(40)))
        #expect(throws: (any Error).self) {
            try DirectorySnapshot.write(scratch.path + "/directory.db", from: torn, fetched: fetched)
        }
        directory.reopen()
        #expect(directory.count == 95)
    }

    @Test("comes after one's own stations, and a favourite of it is never lost")
    func inCatalogue() throws {
        let scratch = try TemporaryFolder()
        try scratch.write("base/a.toml", table("jazz-fm", "Jazz FM"))
        let (directory, _) = try directory(
            scratch,
            (0..<60).map { MadeUpDirectory.element($0) } + [MadeUpDirectory.element(99, name: "Unique Tone")])
        let catalogue = try StationCatalogue(
            folders: [scratch.path + "/base"], database: try scratch.database(), directory: directory)
        let found = try catalogue.search(StationQuery("jazz"))
        #expect(found.first?.id == "jazz-fm")
        #expect(found.count > 1)
        #expect(found.dropFirst().allSatisfy { $0.origin == .directory })
        let tone = try catalogue.resolve("unique tone")
        #expect(tone.id == "rb-" + MadeUpDirectory.uuid(99))
        #expect(catalogue.station(tone.id) == tone)
        #expect(StationID.refusal(tone.id) == nil)
        #expect(try catalogue.apply(.favourite(tone.id, true)).added == ["unique-tone"])
        // The same again is the same station, not a second one.
        #expect(try catalogue.apply(.preset(1, tone.id)).changed == ["unique-tone"])
        let kept = try #require(catalogue.station("unique-tone"))
        #expect(kept.isFavourite && kept.preset == 1 && kept.entry.directoryID == MadeUpDirectory.uuid(99))
        #expect(try catalogue.search(StationQuery("unique")).map(\.id) == ["unique-tone"])
        _ = try self.directory(scratch, [MadeUpDirectory.element(1)])
        directory.reopen()
        #expect(catalogue.snapshot.favourites.map(\.id) == ["unique-tone"])
        #expect(try catalogue.resolve("unique tone").id == "unique-tone")
    }
}
