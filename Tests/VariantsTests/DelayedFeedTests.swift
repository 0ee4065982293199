import Feed
import Foundation
import Platform
import Reactor
import StreamFormats
import Testing

@testable import Variants

/// A past made of chunks of one second, each of one frame that carries its number, with titles and a hole.
private final class ScriptedPast: PastSource {
    private let waiting: Lock<[FeedEvent]>
    let isClosed = Lock(false)

    static let format = AudioFormat(codec: .mp3, sampleRate: 44_100, channels: 2)

    /// - Parameter walls: when each second came in, in seconds since 1970.
    init(_ walls: [Double], titles: [Int: String] = [:]) {
        var events: [FeedEvent] = [.format(Self.format, at: StreamPosition())]
        for (number, wall) in walls.enumerated() {
            let start = StreamPosition(bytes: Int64(number), nanoseconds: Int64(number) * 1_000_000_000)
            let end = StreamPosition(bytes: start.bytes + 1, nanoseconds: start.nanoseconds + 1_000_000_000)
            let at = WallTime(secondsSince1970: wall)
            if let title = titles[number] {
                events.append(
                    .title(
                        TitleMark(
                            raw: RawTitle(source: .icy, text: Array(title.utf8)),
                            text: TitleText(text: title, kind: .track), position: start, wall: at)))
            }
            events.append(
                .audio(
                    Chunk(
                        run: FrameRun(
                            bytes: [UInt8(truncatingIfNeeded: number)],
                            frames: [FrameInfo(length: 1, samples: 44_100)]), format: Self.format,
                        start: start, end: end, arrival: MonotonicTime(nanoseconds: 0), wall: at)))
        }
        waiting = Lock(events)
    }

    /// A few at a time, as a disk's blocks are.
    func read() -> [FeedEvent] {
        waiting.withLock { waiting in
            defer { waiting.removeFirst(min(3, waiting.count)) }
            return Array(waiting.prefix(3))
        }
    }

    func close() { isClosed.withLock { $0 = true } }
}

@Suite("A station some time late")
struct DelayedTests {
    private func numbers(_ events: some Sequence<FeedEvent>) -> [Int] {
        events.compactMap { event in
            if case .audio(let chunk) = event { Int(chunk.bytes[0]) } else { nil }
        }
    }

    private func at(_ seconds: Double) -> WallTime { WallTime(secondsSince1970: 1000 + seconds) }

    private func filled(_ walls: [Double], titles: [Int: String] = [:]) -> DelayedQueue {
        let past = ScriptedPast(walls.map { 1000 + $0 }, titles: titles)
        var queue = DelayedQueue(delay: 100, lead: 2)
        while case let events = past.read(), !events.isEmpty { queue.add(events) }
        return queue
    }

    @Test("says each second so much after it came, a little early so that there is a burst")
    func pace() {
        var queue = filled([0, 1, 2, 3, 4])
        #expect(numbers(queue.take(at: at(97))) == [])
        #expect(numbers(queue.take(at: at(100))) == [0, 1, 2])
        #expect(numbers(queue.take(at: at(100.9))) == [])
        #expect(numbers(queue.take(at: at(101))) == [3])
        #expect(numbers(queue.take(at: at(500))) == [4])
        #expect(queue.nextDue == nil)
    }

    @Test("keeps a hole as long as it was, and the clock does not drift over it")
    func hole() {
        var queue = filled([0, 1, 61, 62])
        #expect(numbers(queue.take(at: at(100))) == [0, 1])
        #expect(queue.nextDue == at(159))
        #expect(numbers(queue.take(at: at(158))) == [])
        #expect(numbers(queue.take(at: at(160))) == [2, 3])
    }

    @Test("a title comes with the audio after it, neither before nor alone")
    func titles() {
        var queue = filled([0, 1, 2], titles: [0: "One", 2: "Two"])
        let first = queue.take(at: at(99))
        #expect(numbers(first) == [0, 1])
        #expect(first.count == 4)  // the format, the title and two seconds
        let second = queue.take(at: at(100))
        guard case .title(let mark)? = second.first else { return #expect(Bool(false), "no title") }
        #expect(mark.text.text == "Two")
    }

    @Test("fetches more only when two seconds or less are waiting")
    func fetching() {
        var queue = DelayedQueue(delay: 100, lead: 2)
        #expect(queue.isShort(at: at(0)))
        queue.add(ScriptedPast([1000]).read())
        #expect(queue.isShort(at: at(97)))
        #expect(!queue.isShort(at: at(95)))
    }

    @Test("readers of one delay share one reading of the past, which ends with the last of them")
    func sharing() throws {
        let loop = try EventLoop(name: "past")
        let now = SystemTime().wall.secondsSince1970
        let opened = Lock([ScriptedPast]())
        let variants = DelayedVariants(limit: 2, loop: loop) { station, start in
            #expect(station == "demo" && abs(start.secondsSince1970 - (now - 3600)) < 5)
            let past = ScriptedPast((0..<60).map { now - 3600 + Double($0) }, titles: [0: "Then"])
            opened.withLock { $0.append(past) }
            return past
        }
        let demo = Station(id: "demo", name: "Demo", urls: [])
        let late = try #require(variants.feed(of: demo, delay: 3600.2))
        #expect(late.feed.station.id == "demo?delay=3600" && late.feed.station.name == "Demo, 1h late")
        #expect(variants.feed(of: demo, delay: 3600) === late)
        #expect(variants.feed(of: demo, delay: 7200) != nil)
        let readers = (0..<3).map { late.feed.open(name: "listener \($0)") }
        #expect(wait { late.feed.position.seconds >= 5 })
        #expect(late.feed.nowAiring?.text.text == "Then")
        #expect(late.feed.status.state == .live)
        #expect(opened.withLock { $0.count } == 1 && variants.count == 1)
        // The one that is heard keeps its place; the one that is not makes room.
        #expect(variants.feed(of: demo, delay: 10) != nil)
        #expect(variants.feed(of: demo, delay: 3600) === late)
        for reader in readers { reader.close() }
        #expect(wait { opened.withLock { $0.first?.isClosed.withLock { $0 } } == true })
        variants.close()
        loop.stop()
    }

    @Test("says so where nothing is held of that time, or not yet")
    func nothing() throws {
        let loop = try EventLoop(name: "past")
        let now = SystemTime().wall.secondsSince1970
        let variants = DelayedVariants(limit: 9, loop: loop) { station, _ in
            station == "gone" ? nil : ScriptedPast([now + 60])
        }
        let gone = try #require(variants.feed(of: Station(id: "gone", name: "Gone", urls: []), delay: 60))
            .feed
        let hole = try #require(variants.feed(of: Station(id: "hole", name: "Hole", urls: []), delay: 60))
            .feed
        let readers = [gone.open(name: "a"), hole.open(name: "b")]
        #expect(wait { gone.status.state == .failed && hole.status.state == .stalled })
        #expect(hole.status.reason?.contains("it goes on at") == true)
        for reader in readers { reader.close() }
        variants.close()
        loop.stop()
    }

    private func wait(_ holds: () -> Bool) -> Bool {
        for _ in 0..<250 {
            if holds() { return true }
            Thread.sleep(forTimeInterval: 0.02)
        }
        return false
    }
}
