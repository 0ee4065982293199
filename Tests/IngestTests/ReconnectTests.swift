import Feed
import Ingest
import Platform
import StreamFormats
import TestStations
import Testing

/// What a station sends on every connection after a break: ten seconds of burst, then the programme.
private let burst: [Step] = Step.icecast() + [.burst(10)]
/// Where the break is only found out by waiting.
private let longBurst: [Step] = Step.icecast() + [.burst(20)]

/// Ten seconds of programme in one, so that a minute of faults is over in six.
private let speed = 10.0

/// A hub for it. So fast, half a second of silence may be a busy machine and no stall.
private func hub(speed: Double = speed) -> TestHub {
    TestHub(speed: speed) { settings in
        settings.stall = max(settings.stall, 1)
        settings.stallAlone = max(settings.stallAlone, 2)
    }
}

@Suite("Nothing lost, nothing twice")
struct ReconnectTests {
    private let frames = NumberedFrames()

    private func run(
        _ scripts: [[Step]], seconds: Double, speed: Double = speed
    ) async throws -> (verdict: Judge.Verdict, gaps: [Gap], station: ScriptedStation) {
        let station = try ScriptedStation(Programme(frames, speed: speed), scripts: scripts)
        let test = hub(speed: speed)
        let collector = FeedCollector(test.feed(station.url()))
        try await collector.follow(station, units: Int(seconds / frames.secondsPerUnit))
        let verdict = collector.verdict()
        collector.leave()
        test.hub.stop()
        station.stop()
        return (verdict, collector.kept.withLock { $0.gaps }, station)
    }

    @Test("two ends, the first with five seconds of refusal")
    func ends() async throws {
        let (verdict, gaps, _) = try await run(
            [burst + [.play(10), .refuse(5)], burst + [.play(15), .close], burst + [.play(.infinity)]],
            seconds: 40,
            speed: 2)
        #expect(verdict.isPerfect, "\(verdict)")
        #expect(gaps.map(\.cause) == [.closed, .closed])
        #expect(gaps.allSatisfy { $0.lostSeconds == 0 })
    }

    @Test("two resets in mid-frame")
    func resets() async throws {
        let reset: [Step] = burst + [.play(10), .partialUnit(bytes: 200), .reset]
        let (verdict, gaps, _) = try await run([reset, reset, burst + [.play(.infinity)]], seconds: 40)
        #expect(verdict.isPerfect, "\(verdict)")
        #expect(gaps.map(\.cause) == [.reset, .reset])
    }

    @Test("a stall of twenty seconds: the second connection brings what the first does not")
    func stall() async throws {
        let (verdict, _, station) = try await run(
            [burst + [.play(10), .stall(20), .play(.infinity)], longBurst + [.play(.infinity)]], seconds: 50)
        #expect(verdict.isPerfect, "\(verdict)")
        #expect(station.requests.count == 2)
    }

    @Test("a connection that is dead and does not say so")
    func dead() async throws {
        let (verdict, gaps, _) = try await run(
            [burst + [.play(10), .stall(.infinity)], longBurst + [.play(.infinity)]], seconds: 40)
        #expect(verdict.isPerfect, "\(verdict)")
        #expect(gaps.map(\.cause) == [.stalled])
        #expect(gaps.first?.lostSeconds == 0)
    }

    @Test("a first connection that recovers while the second is refused goes on, with its backlog")
    func recovers() async throws {
        let refused: [Step] = [.text("HTTP/1.0 403 Server Full\r\n\r\n"), .close]
        let (verdict, gaps, _) = try await run(
            [
                burst + [.play(10), .stall(20), .play(.infinity)], refused, refused, refused, refused,
                refused, refused,
            ],
            seconds: 50)
        #expect(verdict.isPerfect, "\(verdict)")
        #expect(gaps.isEmpty)
    }

    @Test(
        "junk of any length in the stream costs at most three frames and never gets into the file",
        arguments: [333, 5000, 20_000])
    func junk(length: Int) async throws {
        let (verdict, gaps, station) = try await run(
            [
                burst + [
                    .play(5), .junk(count: length), .play(5), .junk(count: length, seed: 9), .play(.infinity),
                ]
            ],
            seconds: 20)
        #expect(verdict.strayBytes == 0)
        #expect(verdict.doubled == 0)
        #expect(verdict.lost <= 3, "\(verdict)")
        #expect(gaps.map(\.cause) == [.junk])
        #expect(station.requests.count == 1)
    }

    @Test("without a burst the gap is known for what it is")
    func trueGap() async throws {
        let plain: [Step] = Step.icecast() + [.burst(0)]
        let (verdict, gaps, _) = try await run(
            [plain + [.play(2), .refuse(2)], plain + [.play(.infinity)]], seconds: 8, speed: 1)
        #expect(verdict.doubled == 0)
        #expect(verdict.strayBytes == 0)
        let lost = Double(verdict.lost) * frames.secondsPerUnit
        #expect(lost > 1.5)
        let told = try #require(gaps.first).lostSeconds
        #expect(abs(told - lost) < 0.5, "told \(told), lost \(lost)")
    }

    @Test("an edge that lags 25 s behind does not repeat the passage")
    func laggingEdge() async throws {
        let (verdict, gaps, _) = try await run(
            [burst + [.play(20), .close], Step.icecast() + [.burst(35), .play(.infinity)]], seconds: 40)
        #expect(verdict.isPerfect, "\(verdict)")
        #expect(gaps.count == 1)
    }

    @Test("titles of the overlap are not told again, and each is told once")
    func titles() async throws {
        let titles = (0..<40).map { Programme.Title(at: $0 * 200, "Title \($0)") }
        let station = try ScriptedStation(
            Programme(frames, titles: titles, speed: speed),
            scripts: [burst + [.play(15), .close], burst + [.play(15), .reset], burst + [.play(.infinity)]])
        defer { station.stop() }
        let test = hub(speed: speed)
        let collector = FeedCollector(test.feed(station.url()))
        try await collector.follow(station, units: 1600)
        let kept = collector.kept.withLock { $0 }
        test.hub.stop()
        #expect(collector.verdict().isPerfect)
        let numbers = kept.titles.map { Int($0.text.text.dropFirst(6)) ?? -1 }
        #expect(numbers == Array((numbers.first ?? 0)...(numbers.last ?? 0)))
        let first = try #require(frames.number(of: kept.bytes, at: 0))
        for (text, position) in kept.titles.dropFirst() {
            let number = try #require(Int(text.text.dropFirst(6)))
            // One metadata interval is 38 frames and a bit.
            let frame = first + Int(position.bytes) / frames.frameLength
            #expect((number * 200...number * 200 + 40).contains(frame), "title \(number) at frame \(frame)")
        }
    }

    @Test("AAC is joined as MP3 is")
    func adts() async throws {
        let frames = NumberedFrames(.adts)
        let scripts = [
            Step.icecast(contentType: "audio/aac") + [
                .burst(10), .play(10), .partialUnit(bytes: 100), .reset,
            ],
            Step.icecast(contentType: "audio/aac") + [.burst(10), .play(.infinity)],
        ]
        let station = try ScriptedStation(Programme(frames, speed: speed), scripts: scripts)
        defer { station.stop() }
        let test = hub(speed: speed)
        let collector = FeedCollector(test.feed(station.url()))
        try await collector.follow(station, units: 1200)
        test.hub.stop()
        #expect(collector.verdict(of: frames).isPerfect, "\(collector.verdict(of: frames))")
    }
}
