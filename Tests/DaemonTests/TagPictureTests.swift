import Catalogue
import Foundation
import Platform
import Recording
import StreamFormats
import TestPrograms
import TestStations
import Testing
import Transfers

@testable import AircheckDaemon

@Suite("Pictures for the tags of recordings", .serialized)
struct TagPictureTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private let folder: TemporaryFolder
    private let engine = TransferEngine()
    private let time = LaterTime()
    private let isUp = Lock(true)
    private let origin: ScriptedStation
    private let logos: StationArtwork

    /// Of each address another picture; `/slow` takes its time, `/web` is of a kind that tags cannot have.
    init() throws {
        folder = try TemporaryFolder("tag-pictures")
        let isUp = isUp
        origin = try ScriptedStation(Programme(NumberedFrames())) { request in
            guard isUp.withLock({ $0 }) else {
                return Step.answer("503 Service Unavailable", type: "text/plain", body: [])
            }
            let slow: [Step] = request.target.hasPrefix("/slow") ? [.stall(3)] : []
            let body = request.target.hasPrefix("/web") ? Array("GIF89a".utf8) : Self.png
            return slow + Step.answer(type: "image/png", body: body + Array(request.target.utf8))
        }
        logos = StationArtwork(folder: folder.path("logos"), engine: engine, time: time)
    }

    private func catalogue(_ logos: [String]) throws -> StationCatalogue {
        try write(logos)
        return try StationCatalogue(folders: [folder.path("stations")])
    }

    private func write(_ logos: [String]) throws {
        let entries = logos.enumerated().map { number, logo in
            """
            [[station]]
            id = "s\(number)"
            name = "S\(number)"
            urls = ["http://127.0.0.1:9/"]
            logo = "\(origin.url(logo))"
            local = true

            """
        }
        _ = try folder.write("stations/all.toml", entries.joined())
    }

    private func pictures(_ catalogue: StationCatalogue, stations: Int = 10) -> TagPictures {
        let covers = StationArtwork(folder: folder.path("covers"), engine: engine, time: time)
        return TagPictures(
            logos: logos, covers: covers, station: { catalogue.station($0)?.station }, stations: stations)
    }

    private func wish(_ number: Int) -> PictureWish { .station("s\(number)") }

    private func bytes(_ path: String) -> [UInt8] { Self.png + Array(path.utf8) }

    @Test("a logo comes while the page has others fetched")
    func busy() throws {
        defer { engine.stop() }
        let catalogue = try catalogue(["/slow1", "/slow2", "/quick"])
        let pictures = pictures(catalogue)
        let page = try [0, 1].map { number in
            let station = try #require(catalogue.station("s\(number)")?.station)
            return WorkerThread(name: "page") { [logos] in _ = logos.picture(of: station) }
        }
        #expect(eventually(within: 5) { origin.requests.count == 2 })
        #expect(pictures.look(for: wish(2)))
        #expect(eventually(within: 2) { pictures.found(wish(2))?.bytes == bytes("/quick") })
        for thread in page { thread.join() }
        // What somebody else has fetched is there too.
        #expect(pictures.found(wish(0))?.bytes == bytes("/slow1"))
        pictures.stop()
    }

    @Test("what could not be had is asked for again after an hour, and the recording gets it")
    func failed() throws {
        defer { engine.stop() }
        isUp.withLock { $0 = false }
        let pictures = pictures(try catalogue(["/logo"]))
        #expect(pictures.look(for: wish(0)))
        #expect(eventually(within: 5) { !pictures.look(for: wish(0)) }, "there is none now")
        isUp.withLock { $0 = true }
        #expect(!pictures.look(for: wish(0)) && origin.requests.count == 1)
        time.days.withLock { $0 = 1.1 / 24 }
        #expect(pictures.look(for: wish(0)))
        #expect(eventually(within: 5) { pictures.found(wish(0))?.bytes == bytes("/logo") })
        pictures.stop()
    }

    @Test("of as many stations as may run every one has its picture", arguments: [10, 100])
    func many(stations: Int) throws {
        defer { engine.stop() }
        let all = (0..<100).map { "/\($0)" }
        let pictures = pictures(try catalogue(all), stations: stations)
        // With room for fewer they are looked for in two turns, and the first ones are not held any more.
        for turn in stations < 100 ? [0..<50, 50..<100] : [0..<100] {
            for number in turn { #expect(pictures.look(for: wish(number))) }
            #expect(eventually(within: 20) { turn.allSatisfy { pictures.found(wish($0)) != nil } })
        }
        for (number, path) in all.enumerated() { #expect(pictures.found(wish(number))?.bytes == bytes(path)) }
        #expect(origin.requests.count == 100)
        pictures.stop()
    }

    @Test("another logo of a station is fetched; one of a kind that tags cannot have is asked for once")
    func changed() throws {
        defer { engine.stop() }
        let catalogue = try catalogue(["/one", "/web"])
        let pictures = pictures(catalogue)
        #expect(pictures.look(for: wish(0)) && pictures.look(for: wish(1)))
        #expect(eventually(within: 5) { pictures.found(wish(0))?.bytes == bytes("/one") })
        #expect(eventually(within: 5) { !pictures.look(for: wish(1)) })
        try write(["/another", "/web"])
        catalogue.reload()
        #expect(pictures.look(for: wish(0)))
        #expect(eventually(within: 5) { pictures.found(wish(0))?.bytes == bytes("/another") })
        #expect(!pictures.look(for: wish(1)) && origin.requests.count == 3)
        pictures.stop()
    }
}
