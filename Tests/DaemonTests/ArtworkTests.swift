import Foundation
import Platform
import StreamFormats
import TestPrograms
import TestStations
import Testing
import Transfers

@testable import AircheckDaemon

/// The machine's clock, some days on.
final class LaterTime: TimeSource {
    let days = Lock(0.0)
    var wall: WallTime { SystemTime().wall.advanced(bySeconds: days.withLock { $0 } * 86_400) }
    var now: MonotonicTime { SystemTime().now.advanced(bySeconds: days.withLock { $0 } * 86_400) }
}

@Suite("Pictures of stations", .serialized)
struct ArtworkTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

    private let folder: TemporaryFolder
    private let engine = TransferEngine()
    private let time = LaterTime()
    private let origin: ScriptedStation
    private let artwork: StationArtwork

    init() throws {
        folder = try TemporaryFolder("artwork")
        origin = try ScriptedStation(Programme(NumberedFrames())) { _ in
            Step.answer(type: "image/png", body: Self.png)
        }
        artwork = StationArtwork(folder: folder.path("logos"), engine: engine, time: time)
    }

    private func station(_ number: Int) -> Station {
        var station = Station(id: "s\(number)", name: "S\(number)", urls: [])
        station.logo = origin.url("/\(number).png")
        station.isLocal = true
        return station
    }

    @Test("a picture is fetched once, and again when it is a month old")
    func age() throws {
        defer { engine.stop() }
        #expect(artwork.picture(of: station(1))?.bytes == Self.png)
        #expect(artwork.picture(of: station(1))?.type == "image/png")
        #expect(origin.requests.count == 1)
        time.days.withLock { $0 = 29 }
        _ = artwork.picture(of: station(1))
        #expect(origin.requests.count == 1)
        time.days.withLock { $0 = 31 }
        #expect(artwork.picture(of: station(1))?.bytes == Self.png)
        #expect(origin.requests.count == 2)
    }

    @Test("no more than so many are held: the oldest go, a quarter at once, and the new one stays")
    func limit() throws {
        defer { engine.stop() }
        let names = folder.path("logos")
        try FileManager.default.createDirectory(atPath: names, withIntermediateDirectories: true)
        for number in 0..<1024 {
            let path = "\(names)/old-\(number)"
            #expect(FileManager.default.createFile(atPath: path, contents: Data(Self.png)))
            let date = Date(timeIntervalSinceNow: -86_400 + Double(number))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        }
        _ = artwork.picture(of: station(1))
        let left = try FileManager.default.contentsOfDirectory(atPath: names)
        #expect(left.count == 768)
        #expect(!left.contains("old-256") && left.contains("old-257") && left.contains("old-1023"))
        #expect(left.contains { !$0.hasPrefix("old-") }, "the new one")
        _ = artwork.picture(of: station(1))
        #expect(origin.requests.count == 1, "it is held")
    }

    @Test("who must not wait gets nothing at first, and the picture as soon as it has come")
    func atHand() throws {
        defer { engine.stop() }
        #expect(artwork.pictureAtHand(of: station(7)) == nil)
        #expect(eventually(within: 10) { artwork.pictureAtHand(of: station(7))?.bytes == Self.png })
        #expect(origin.requests.count == 1)
        time.days.withLock { $0 = 31 }
        #expect(artwork.pictureAtHand(of: station(7))?.bytes == Self.png, "an old one is better than none")
        #expect(eventually(within: 10) { origin.requests.count == 2 }, "and is fetched anew")
    }

    @Test(
        "a dead logo is asked for once an hour, and once a minute where nobody answered, however often a desktop asks",
        arguments: [(isAnswered: true, pause: 3600.0), (isAnswered: false, pause: 60.0)])
    func dead(isAnswered: Bool, pause: Double) throws {
        defer { engine.stop() }
        let server = try ScriptedStation(Programme(NumberedFrames())) { _ in
            Step.answer(type: "text/html", body: Array("<p>gone".utf8))
        }
        let begun = Lock(0)
        let artwork = StationArtwork(folder: folder.path("dead"), engine: engine, time: time) { job in
            begun.withLock { $0 += 1 }
            _ = WorkerThread(name: "ahead", body: job)
        }
        var dead = station(1)
        dead.logo = isAnswered ? server.url("/logo.png") : "http://127.0.0.1:9/logo.png"
        func ask() {
            for _ in 0..<20 {
                #expect(artwork.pictureAtHand(of: dead) == nil && artwork.fileAtHand(of: dead) == nil)
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
        #expect(artwork.pictureAtHand(of: dead) == nil)
        #expect(eventually(within: 10) { !artwork.mayCome(for: dead) })
        Thread.sleep(forTimeInterval: 0.1)
        ask()
        #expect(begun.withLock { $0 } == 1)
        time.days.withLock { $0 = (pause - 30) / 86_400 }
        ask()
        #expect(begun.withLock { $0 } == 1)
        time.days.withLock { $0 = (pause + 1) / 86_400 }
        ask()
        #expect(begun.withLock { $0 } == 2)
    }
}
