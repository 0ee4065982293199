import Feed
import Ingest
import Platform
import StreamFormats
import TestStations
import Testing

@Suite("How soon what comes is read")
struct PaceTests {
    private let frames = NumberedFrames()

    @Test(
        "for files alone a stream that has settled comes in few pieces, for a listener in more, and nothing is lost"
    )
    func rounds() async throws {
        let station = try ScriptedStation(
            Programme(frames), scripts: [Step.icecast() + [.burst(13), .play(.infinity)]])
        defer { station.stop() }
        let test = TestHub()
        let collector = FeedCollector(test.feed(station.url()))
        try await collector.follow(station, units: Int(2 / frames.secondsPerUnit))
        let files = try await pieces(collector)
        let listener = collector.feed.open(name: "listener")
        // The next look at who reads comes within two seconds.
        try await Task.sleep(for: .seconds(2.5))
        // A busy machine misses rounds; then it is looked at once more.
        var listening = 0.0
        for _ in 0..<3 where listening <= files { listening = try await pieces(collector) }
        listener.close()
        #expect(files <= 6, "\(files) pieces a second")
        // As it comes it would be more than thirty.
        #expect(listening > files && listening <= 8, "\(listening) pieces a second, \(files) before")
        let verdict = collector.verdict()
        #expect(verdict.isPerfect, "\(verdict)")
        test.hub.stop()
    }

    /// Chunks that come in a second, out of three.
    private func pieces(_ collector: FeedCollector) async throws -> Double {
        collector.collect()
        let (start, before) = (SystemTime().now, collector.kept.withLock { $0.chunks })
        try await Task.sleep(for: .seconds(3))
        collector.collect()
        let count = collector.kept.withLock { $0.chunks } - before
        return Double(count) / SystemTime().now.seconds(since: start)
    }

    @Test("what waits for its round is published when somebody asks for it")
    func catchUp() async throws {
        let station = try ScriptedStation(
            Programme(frames), scripts: [Step.icecast() + [.burst(13), .play(.infinity)]])
        defer { station.stop() }
        let test = TestHub()
        let collector = FeedCollector(test.feed(station.url()))
        try await collector.follow(station, units: Int(2 / frames.secondsPerUnit))
        var fruitful = 0
        for _ in 0..<10 {
            try await Task.sleep(for: .milliseconds(150))
            collector.collect()
            let before = collector.feed.position
            await withCheckedContinuation { done in collector.feed.catchUp { done.resume() } }
            if collector.feed.position > before { fruitful += 1 }
        }
        // A round comes every 300 ms; what comes between two of them is there to be asked for.
        #expect(fruitful >= 5, "\(fruitful)")
        test.hub.stop()
    }

    @Test("one station more than may be connected waits, says why, and comes when another goes")
    func tooMany() async throws {
        let station = try ScriptedStation(
            Programme(frames),
            scripts: Array(repeating: Step.icecast() + [.burst(2), .play(.infinity)], count: 3))
        defer { station.stop() }
        let test = TestHub { $0.most = 2 }
        let collectors = (1...3).map { FeedCollector(test.feed(station.url(), id: "s\($0)")) }
        for collector in collectors.prefix(2) {
            let came = try await collector.wait(seconds: 20) { kept, _ in kept.chunks > 0 }
            #expect(came)
        }
        let waits = try await collectors[2].wait(seconds: 5) { _, status in status.state == .waiting }
        #expect(waits)
        #expect(collectors[2].feed.status.reason?.contains("ingest.max_stations") == true)
        #expect(station.requests.count == 2)
        collectors[0].leave()
        let comes = try await collectors[2].wait(seconds: 20) { kept, status in
            kept.chunks > 0 && status.state == .live
        }
        #expect(comes, "\(collectors[2].feed.status)")
        collectors[2].leave()
        let isIdle = try await collectors[2].wait(seconds: 5) { _, status in status.state == .idle }
        #expect(isIdle)
        test.hub.stop()
    }
}
