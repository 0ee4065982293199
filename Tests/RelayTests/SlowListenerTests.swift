import Feed
import Platform
import Relay
import StreamFormats
import TestPrograms
import Testing

@Suite("Slow listeners")
struct SlowListenerTests {
    /// Frames that begin with their number, and all of them together.
    private struct Counter {
        static let length = 400
        var bytes: [UInt8] = []

        mutating func next(frames: Int) -> FrameRun {
            let start = bytes.count
            for _ in 0..<frames {
                let number = bytes.count / Self.length
                bytes += [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
                bytes += repeatElement(UInt8(truncatingIfNeeded: number), count: Self.length - 2)
            }
            let info = FrameInfo(length: Int32(Self.length), samples: 1152)
            return FrameRun(bytes: Array(bytes[start...]), frames: Array(repeating: info, count: frames))
        }

        static func start(of body: [UInt8]) -> Int { (Int(body[0]) << 8 | Int(body[1])) * length }
    }

    @Test("that never read are dropped and counted, and the others get every byte")
    func stalled() throws {
        let bench = try RelayBench(settings: RelaySettings(batch: 0.05, skips: 1))
        let feed = bench.source.feed("demo")
        var counter = Counter()
        feed.publish(format: AudioFormat(codec: .mp3, sampleRate: 44_100, channels: 2))
        feed.publish(frames: counter.next(frames: 400))
        let good = (0..<3).map { _ in RawListener(port: bench.port, get: "demo") }
        let stalled = (0..<3).map { _ in RawListener(port: bench.port, get: "demo") }
        for listener in good { #expect(listener.body(upTo: 64 << 10).count >= 64 << 10) }
        let starts = good.map { Counter.start(of: $0.body) }
        for _ in 0..<40 {
            feed.publish(frames: counter.next(frames: 160))
            for (listener, start) in zip(good, starts) {
                listener.readBody(upTo: counter.bytes.count - start)
            }
        }
        for (listener, start) in zip(good, starts) {
            #expect(listener.body == Array(counter.bytes[start...]))
        }
        #expect(
            eventually(within: 5) {
                feed.publish(frames: counter.next(frames: 1))
                return bench.relay.snapshot.mounts.first?.counts.dropped == 3
            })
        let counts = bench.relay.snapshot.mounts.first?.counts
        #expect(counts?.skips == 3)
        #expect(bench.relay.snapshot.connected == 3)
        withExtendedLifetime(stalled) {}
    }
}
