import Foundation
import JSONText
import Platform
import TestPrograms
import Testing

@testable import Catalogue

/// Answers by a script and remembers what it was asked. Pauses pass at once.
private final class ScriptedDirectory: DirectoryFetching {
    struct Log {
        var asked: [String] = []
        var pauses: [Double] = []
    }

    let log = Lock(Log())
    private let answer: @Sendable (String, Int) -> Result<[UInt8], DirectoryFailure>

    init(_ answer: @escaping @Sendable (String, Int) -> Result<[UInt8], DirectoryFailure>) {
        self.answer = answer
    }

    var asked: [String] { log.withLock { $0.asked } }

    func get(_ url: String, limit: Int, then: @escaping @Sendable (Result<[UInt8], DirectoryFailure>) -> Void)
    {
        let number = log.withLock { log in
            log.asked.append(url)
            return log.asked.count
        }
        then(answer(url, number))
    }

    func download(
        _ url: String, to path: String, limit: Int,
        then: @escaping @Sendable (Result<Void, DirectoryFailure>) -> Void
    ) {
        get(url, limit: limit) { result in
            then(result.map { try? Data($0).write(to: URL(fileURLWithPath: path)) })
        }
    }

    func lookUpServers(then: @escaping @Sendable ([String]) -> Void) { then([]) }

    func after(seconds: Double, _ body: @escaping @Sendable () -> Void) {
        log.withLock { $0.pauses.append(seconds) }
        body()
    }
}

@Suite("Directory client")
struct DirectoryClientTests {
    private static let list =
        "[{\"ip\":\"1.2.3.4\",\"name\":\"de1.api.radio-browser.info\"},"
        + "{\"ip\":\"::1\",\"name\":\"de1.api.radio-browser.info\"},{\"ip\":\"x\",\"name\":\"evil.example\"},"
        + "{\"ip\":\"y\",\"name\":\"at1.api.radio-browser.info\"},{\"name\":\"a b.api.radio-browser.info\"}]"

    private func outcome<Value: Sendable>(
        _ ask: (@escaping @Sendable (Result<Value, DirectoryFailure>) -> Void) -> Void
    ) -> Result<Value, DirectoryFailure> {
        let answer = Monitor<Result<Value, DirectoryFailure>?>(nil)
        ask { result in answer.change { $0 = result } }
        return answer.wait { $0 }
    }

    @Test("asks for the servers once, follows only the community's, and goes to the next when one fails")
    func mirrors() throws {
        let directory = ScriptedDirectory { url, number in
            if url.hasSuffix("/json/servers") { return .success(Array(Self.list.utf8)) }
            return number == 2
                ? .failure(.unavailable("500")) : .success(Array("[\(MadeUpDirectory.element(7))]".utf8))
        }
        let client = DirectoryClient(fetching: directory)
        let found = try outcome { client.search(StationQuery("jazz"), then: $0) }.get()
        #expect(found.map(\.uuid) == [MadeUpDirectory.uuid(7)])
        #expect(directory.asked.count == 3)
        let hosts = directory.asked.dropFirst().map { $0.split(separator: "/")[1] }
        #expect(Set(hosts) == ["de1.api.radio-browser.info", "at1.api.radio-browser.info"])
        _ = try outcome { client.search(StationQuery("x"), then: $0) }.get()
        #expect(directory.asked.count == 4)
    }

    @Test("gives up after five tries with growing pauses, and at once when it is refused")
    func givesUp() {
        let down = ScriptedDirectory { _, _ in .failure(.unavailable("no route")) }
        let client = DirectoryClient(mirrors: ["http://127.0.0.1:1/", "http://127.0.0.1:2"], fetching: down)
        #expect(outcome { client.search(StationQuery("x"), then: $0) } == .failure(.unavailable("no route")))
        #expect(down.asked.count == 5)
        #expect(Set(down.asked.map { $0.prefix(18) }) == ["http://127.0.0.1:1", "http://127.0.0.1:2"])
        let pauses = down.log.withLock { $0.pauses }
        #expect(
            zip(pauses, [0.5, 1, 2, 4]).allSatisfy { $0 >= $1 * 0.5 && $0 <= $1 * 1.5 } && pauses.count == 4)
        let refusing = ScriptedDirectory { _, _ in .failure(.refused(status: 404)) }
        let other = DirectoryClient(mirrors: ["http://127.0.0.1:1"], fetching: refusing)
        #expect(outcome { other.search(StationQuery("x"), then: $0) } == .failure(.refused(status: 404)))
        #expect(refusing.asked.count == 1)
    }

    @Test("counts a listener once a day for each station")
    func clicks() {
        let directory = ScriptedDirectory { _, _ in .success([]) }
        let time = ManualTime()
        let client = DirectoryClient(mirrors: ["http://127.0.0.1:1"], fetching: directory, time: time)
        for _ in 0..<3 { client.click(MadeUpDirectory.uuid(1)) }
        client.click(MadeUpDirectory.uuid(2))
        client.click("../../admin")
        #expect(
            directory.asked == [
                "http://127.0.0.1:1/json/url/\(MadeUpDirectory.uuid(1))",
                "http://127.0.0.1:1/json/url/\(MadeUpDirectory.uuid(2))",
            ])
        time.advance(bySeconds: 86_400)
        client.click(MadeUpDirectory.uuid(1))
        #expect(directory.asked.count == 3)
    }

    @Test("escapes whatever is searched")
    func escapes() {
        var query = StationQuery("a&b=c d/é#")
        query.tag = "Late Night"
        query.country = "de"
        query.codec = "mp3"
        query.minimumBitrate = 128
        #expect(
            DirectoryRequest.search(query).target
                == "/json/stations/search?name=a%26b%3Dc%20d%2F%C3%A9%23&tag=late%20night&countrycode=DE&codec=MP3"
                + "&bitrateMin=128&offset=0&limit=50&order=votes&reverse=true&hidebroken=true")
    }

    @Test("says so when an answer is none")
    func garbage() {
        let directory = ScriptedDirectory { _, _ in .success(Array("<html>".utf8)) }
        let client = DirectoryClient(mirrors: ["http://127.0.0.1:1"], fetching: directory)
        #expect(
            outcome { client.stations(["x"], then: $0) } == .failure(.unavailable("its answer is no list")))
    }

    @Test("fetches everything into a file that becomes the snapshot, and repairs a station from it")
    func snapshot() throws {
        let scratch = try TemporaryFolder()
        let moved = MadeUpDirectory.element(3, url: "http://moved.example/live")
        let directory = ScriptedDirectory { _, _ in .success(Array(MadeUpDirectory.answer([moved]).utf8)) }
        let client = DirectoryClient(mirrors: ["http://127.0.0.1:1"], fetching: directory)
        try outcome { client.download(to: scratch.path("answer.json"), then: $0) }.get()
        let path = scratch.path("directory.db")
        _ = try DirectorySnapshot.write(path, from: scratch.path("answer.json"), fetched: SystemTime().wall)
        let found = try #require(try StationDirectory(path: path).station(uuid: MadeUpDirectory.uuid(3)))

        try scratch.write(
            "base/a.toml", table("mine", "Mine", more: "radio_browser = \"\(MadeUpDirectory.uuid(3))\""))
        let catalogue = try StationCatalogue(
            folders: [scratch.path("base")], database: try scratch.database())
        let station = try #require(catalogue.station("mine"))
        try catalogue.apply(try #require(DirectoryRepair.change(station, by: found)))
        let repaired = try #require(catalogue.station("mine"))
        #expect(
            repaired.station.urls
                == ["http://moved.example/live", "http://s3.example/live", "http://radio.example/mine"])
        #expect(DirectoryRepair.change(repaired, by: found) == nil)
    }
}
