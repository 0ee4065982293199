import Feed
import Platform
import StreamFormats
import Testing

/// Frames of a tenth of a second, numbered; 250 frames are 25 s.
private struct Tenths {
    let feed = Feed(station: Station(id: "one", name: "One", urls: []), time: ManualTime())
    private(set) var count = 0
    /// Frames that come in one chunk.
    private let together: Int

    init(_ count: Int, together: Int = 1) {
        self.together = together
        feed.publish(format: AudioFormat(codec: .mp3, sampleRate: 1000, channels: 2))
        add(count)
    }

    mutating func add(_ more: Int) {
        for _ in 0..<more / together {
            let numbers = count..<count + together
            feed.publish(
                frames: FrameRun(
                    bytes: numbers.flatMap { [UInt8($0 / 256), UInt8($0 % 256)] },
                    frames: numbers.map { _ in FrameInfo(length: 2, samples: 100) }))
            count += together
        }
    }
}

private func chunks(_ events: [FeedEvent]) -> [Chunk] {
    events.compactMap { if case .audio(let chunk) = $0 { chunk } else { nil } }
}

private func numbers(_ events: [FeedEvent]) -> [Int] {
    chunks(events).flatMap { chunk in
        stride(from: 0, to: chunk.bytes.count, by: 2).map {
            Int(chunk.bytes[$0]) * 256 + Int(chunk.bytes[$0 + 1])
        }
    }
}

@Suite("Old audio of a feed")
struct GatheringTests {
    @Test(
        "is kept in pieces of three seconds: nothing lost, doubled or moved, and what is fresh stays as it came"
    )
    func pieces() throws {
        let tenths = Tenths(250)
        let events = tenths.feed.open(name: "late", from: .oldest).read().events
        #expect(numbers(events) == Array(0..<250))
        let found = chunks(events)
        #expect(found.count { $0.run.frames.count == 30 } == 7)
        #expect(found.count { $0.run.frames.count == 1 } == 40)
        for (before, after) in zip(found, found.dropFirst()) { #expect(before.end == after.start) }
        #expect(found.last?.end == tenths.feed.position)
    }

    @Test("is in pieces of one size, however it came", arguments: [3, 7, 50])
    func sizes(together: Int) {
        let tenths = Tenths(450, together: together)
        let found = chunks(tenths.feed.open(name: "late", from: .oldest).read().events)
        #expect(found.prefix(10).allSatisfy { $0.run.frames.count == 30 })
        for (before, after) in zip(found, found.dropFirst()) { #expect(before.end == after.start) }
        for chunk in found {
            #expect(chunk.run.bytes.count == chunk.run.frames.count * 2)
            #expect(chunk.end.nanoseconds - chunk.start.nanoseconds == Int64(chunk.run.samples) * 1_000_000)
        }
    }

    @Test("never moves under a reader, however slowly it reads", arguments: [1, 3, 20])
    func slowReader(limit: Int) {
        var tenths = Tenths(0)
        let reader = tenths.feed.open(name: "slow")
        var heard: [Int] = []
        for _ in 0..<60 {
            tenths.add(5)
            heard += numbers(reader.read(limit: limit).events)
        }
        while case let events = reader.read(limit: limit).events, !events.isEmpty { heard += numbers(events) }
        #expect(heard == Array(0..<300))
    }

    @Test("keeps titles, breaks and formats at their frames")
    func boundaries() throws {
        var tenths = Tenths(7)
        tenths.feed.publish(
            title: RawTitle(source: .icy, text: [0x41]), reading: TitleText(text: "A", kind: .track))
        tenths.add(8)
        tenths.feed.publish(format: AudioFormat(codec: .mp2, sampleRate: 1000, channels: 2))
        tenths.add(200)
        let events = tenths.feed.open(name: "late", from: .oldest).read().events
        let title = try #require(events.firstIndex { if case .title = $0 { true } else { false } })
        #expect(numbers(Array(events[..<title])) == Array(0..<7))
        let second = chunks(events).filter { $0.format.codec == .mp2 }
        #expect(second.first?.bytes == (15..<45).flatMap { [0, UInt8($0)] })
        #expect(numbers(events) == Array(0..<215))
    }

    @Test("is found by a burst to within a piece")
    func burst() {
        let tenths = Tenths(600)
        let heard = numbers(
            tenths.feed.open(name: "burst", from: .burst(seconds: 30, bytes: 0)).read().events)
        #expect(heard.count >= 300 && heard.count <= 330)
        #expect(heard.last == 599)
    }
}
