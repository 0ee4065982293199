import Foundation
import JSONText
import Platform
import StreamFormats
import TestPrograms
import Testing

@testable import Catalogue
import Store

private func database(_ scratch: TemporaryFolder) throws -> Database {
    try Database.open(
        scratch.path + "/aircheck.db", schemas: [AirplayLog.schema, StationFactBook.schema, Thumbs.schema])
}

private func moment(_ seconds: Double) -> WallTime { WallTime(secondsSince1970: 1_770_000_000 + seconds) }

@Suite("Airplay log")
struct AirplayLogTests {
    private func filled(_ scratch: TemporaryFolder) throws -> (Database, AirplayLog) {
        let database = try database(scratch)
        let log = AirplayLog(database)
        let airings: [(String, Double, TitleText)] = [
            ("demo", 0, TitleText(text: "Björk - Jóga", artist: "Björk", title: "Jóga", kind: .track)),
            ("demo", 200, TitleText(text: "You hear demo", kind: .ident)),
            (
                "jazz", 210,
                TitleText(
                    text: "Miles Davis - So What", artist: "Miles Davis", title: "So What", kind: .track)
            ),
            ("demo", 400, .none),
            ("demo", 600, TitleText(text: "=cmd|' /C calc'!A0 - \"x\", y", kind: .track)),
        ]
        for (station, at, title) in airings {
            log.append(Airing(station: station, at: moment(at), title: title, raw: Array(title.text.utf8)))
        }
        try database.write { _ in }
        return (database, log)
    }

    @Test("is searched by words, station, class and time, newest first")
    func search() throws {
        let scratch = try TemporaryFolder()
        let (_, log) = try filled(scratch)
        #expect(try log.search(AirplayQuery()).map(\.at) == [600, 210, 200, 0].map(moment))
        #expect(try log.search(AirplayQuery("bjork jog")).map(\.title.artist) == ["Björk"])
        var query = AirplayQuery()
        query.station = "demo"
        query.kinds = [.track, .ident]
        #expect(try log.search(query).count == 3)
        query.from = moment(100)
        query.to = moment(600)
        #expect(try log.search(query).map(\.title.kind) == [.ident])
        query = AirplayQuery()
        query.limit = 2
        let page = try log.search(query)
        query.before = page.last?.id
        #expect(try log.search(query).map(\.at) == [200, 0].map(moment))
    }

    @Test(
        "takes whatever is searched as words",
        arguments: ["'; DROP TABLE airplay", "\" OR *", "NEAR(", "*", "text:x", "(", "-"])
    func hostile(text: String) throws {
        let scratch = try TemporaryFolder()
        let (_, log) = try filled(scratch)
        _ = try log.search(AirplayQuery(text))
        #expect(try log.search(AirplayQuery()).count == 4)
    }

    @Test("is read anew when the charset is known, and found by the new text")
    func readAnew() throws {
        let scratch = try TemporaryFolder()
        let (database, log) = try filled(scratch)
        let done = Monitor<Int?>(nil)
        log.readAnew(station: "jazz") { raw in
            TitleText(
                text: String(decoding: raw, as: UTF8.self).replacing("So What", with: "Так что"), kind: .track
            )
        } then: { result in
            done.change { $0 = (try? result.get()) ?? -1 }
        }
        #expect(done.wait { $0 } == 1)
        #expect(try log.search(AirplayQuery("так")).count == 1)
        #expect(try log.search(AirplayQuery("what")).isEmpty)
        log.prune(before: moment(205))
        try database.write { _ in }
        #expect(try log.search(AirplayQuery("bjork")).isEmpty)
        #expect(try log.search(AirplayQuery()).count == 2)
    }

    @Test("is tidied an hour after the start, once a day from then on, and by no clock that is not set yet")
    func tidying() {
        let start = MonotonicTime(nanoseconds: 0)
        var tidying = AirplayLog.Tidying(keep: 86_400, start: start)
        let unset = WallTime(secondsSince1970: 0)
        #expect(tidying.due(at: start, wall: unset) == nil)
        #expect(tidying.due(at: start.advanced(bySeconds: 3599), wall: moment(100_000)) == nil)
        let first = start.advanced(bySeconds: 3600)
        #expect(tidying.due(at: first, wall: moment(100_000)) == moment(100_000).advanced(bySeconds: -86_400))
        #expect(tidying.due(at: first.advanced(bySeconds: 86_399), wall: moment(100_000)) == nil)
        #expect(tidying.due(at: first.advanced(bySeconds: 86_400), wall: moment(200_000)) != nil)
    }

    @Test("is exported without giving a spreadsheet anything to run")
    func export() throws {
        let scratch = try TemporaryFolder()
        let (_, log) = try filled(scratch)
        let lines = AirplayExport.csv(try log.search(AirplayQuery())).split(separator: "\r\n")
        #expect(lines.first == "time,station,class,artist,title,text")
        #expect(
            lines[1]
                == "\"2026-02-02T02:50:00Z\",\"demo\",\"track\",\"\",\"\",\"'=cmd|' /C calc'!A0 - \"\"x\"\", y\""
        )
        let json = AirplayExport.json(try #require(try log.search(AirplayQuery("bjork")).first))
        #expect(json["time"]?.string == "2026-02-02T02:40:00Z")
        #expect(json["artist"]?.string == "Björk")
    }
}

@Suite("Facts and thumbs")
struct FactTests {
    @Test("are learned at once and known after a restart")
    func facts() throws {
        let scratch = try TemporaryFolder()
        let first = try database(scratch)
        let book = try StationFactBook(first)
        book.learn("demo") {
            $0.charset = "windows-1251"; $0.cutOffset = -1200
        }
        var probe = StationFactBook.Probe(station: "demo", at: moment(5), state: "audio")
        probe.codec = "mp3"
        probe.bitrate = 127.9
        probe.hasTitles = true
        book.note(probe)
        book.note(StationFactBook.Probe(station: "demo", at: moment(9), state: "unreachable"))
        #expect(book.facts(of: "demo").bitrate == 127.9)
        first.close()
        let again = try StationFactBook(try database(scratch))
        let facts = again.facts(of: "demo")
        #expect(facts == book.facts(of: "demo"))
        #expect(facts.charset == "windows-1251" && facts.cutOffset == -1200 && facts.heard == moment(5))
        #expect(try again.probes(of: "demo").map(\.state) == ["unreachable", "audio"])
        #expect(again.facts(of: "other") == StationFacts())
    }

    @Test("are one for each song, however it is written")
    func thumbs() throws {
        let scratch = try TemporaryFolder()
        let first = try database(scratch)
        let thumbs = try Thumbs(first)
        thumbs.set(Thumb(.up, artist: "Björk", title: "Jóga", station: "demo", at: moment(0)))
        thumbs.set(Thumb(.down, artist: nil, title: "Jingle", station: "demo", at: moment(1)))
        #expect(thumbs.direction(artist: "BJORK", title: "Joga!") == .up)
        thumbs.set(Thumb(.down, artist: "björk", title: "jóga", station: "jazz", at: moment(2)))
        thumbs.clear(artist: nil, title: "jingle")
        first.close()
        let again = try Thumbs(try database(scratch))
        #expect(again.all.map(\.direction) == [.down])
        #expect(again.all.first?.station == "jazz")
        #expect(again.direction(artist: nil, title: "Jingle") == nil)
    }
}
