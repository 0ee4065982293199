import Feed
import Platform
import Reactor
import StreamFormats
import TestPrograms
import Testing

@testable import Relay

/// What a station may announce and send in Ogg, where a packet is as long as it says.
@Suite("Sizes that a station chooses")
struct StrangeSizeTests {
    private static func opus(head: Int = 19) -> AudioFormat {
        let first = Array("OpusHead".utf8) + [UInt8](repeating: 0, count: max(head - 8, 0))
        let tags = Array("OpusTags".utf8) + [UInt8](repeating: 0, count: 8)
        return AudioFormat(
            codec: .opus, container: .ogg, sampleRate: 48_000, channels: 2, setup: [first, tags])
    }

    /// Packets of 20 ms with these lengths.
    private static func publish(_ lengths: [Int], of format: AudioFormat = opus(), to bench: RelayBench) {
        let feed = bench.source.feed("demo")
        feed.publish(format: format)
        feed.publish(
            frames: FrameRun(
                bytes: [UInt8](repeating: 0xFC, count: lengths.reduce(0, +)),
                frames: lengths.map { FrameInfo(length: Int32($0), samples: 960) }))
    }

    @Test("a ring says no to more than it holds, and stays as it was")
    func ring() throws {
        var ring = try MountRing(bytes: 64 << 10)
        let bytes = [UInt8](repeating: 7, count: ring.capacity + 1)
        bytes.withUnsafeBytes {
            let isTaken = ring.append($0, frames: [$0.count], endingAt: 1)
            #expect(!isTaken)
        }
        #expect(ring.head == 0)
        let fits = bytes.dropLast().withUnsafeBytes { ring.append($0, frames: [$0.count], endingAt: 1) }
        #expect(fits && ring.head == Int64(ring.capacity))
    }

    @Test("a packet longer than the ring ends the stream of its listeners, not the service")
    func packet() throws {
        let bench = try RelayBench()
        let small = [Int](repeating: 400, count: 400)
        Self.publish(small, to: bench)
        let first = RawListener(port: bench.port, get: "demo")
        #expect(first.head().contains("200 OK"))
        _ = first.body(upTo: 64 << 10)
        Self.publish([700_000], to: bench)
        first.readAll()
        #expect(first.body.count < 700_000)
        Self.publish(small, to: bench)
        let second = RawListener(port: bench.port, get: "demo")
        #expect(second.head().contains("200 OK") && second.body(upTo: 4096).starts(with: Array("OggS".utf8)))
    }

    @Test("a packet that just fits is passed on whole, however the ones before it were gathered")
    func longButFitting() throws {
        let bench = try RelayBench(settings: RelaySettings(batch: 0.05, ringBytes: 512 << 10))
        let small = [Int](repeating: 400, count: 400)
        Self.publish(small, to: bench)
        let listener = RawListener(port: bench.port, get: "demo")
        _ = listener.body(upTo: 64 << 10)
        let before = listener.body.count
        let few = [Int](repeating: 400, count: 100)
        Self.publish(few + [300_000] + few, to: bench)
        #expect(listener.body(upTo: before + 370_000).count >= before + 370_000)
    }

    @Test("headers longer than a mount takes are a reason that listeners are told")
    func headers() throws {
        let bench = try RelayBench()
        let listener = RawListener(port: bench.port, get: "demo")
        #expect(eventually(within: 5) { bench.source.feed("demo").readerCount == 1 })
        Self.publish([400, 400], of: Self.opus(head: 600_000), to: bench)
        listener.readAll()
        #expect(listener.head().contains(" 503 "))
        #expect(String(decoding: listener.body, as: UTF8.self).contains("600016 bytes in one piece"))
        // The station mends its headers: it is heard again.
        Self.publish([Int](repeating: 400, count: 400), to: bench)
        let next = RawListener(port: bench.port, get: "demo")
        #expect(next.head().contains("200 OK"))
    }

    @Test("packets that last no time do not gather in a segment of HLS for ever")
    func timeless() {
        let feed = Feed(
            station: RelayBench.demo, limits: .init(seconds: 600, bytes: 64 << 20), time: ManualTime())
        let reader = feed.open(name: "test")
        feed.publish(format: Self.opus())
        for _ in 0..<100 {
            let info = FrameInfo(length: 1000, samples: 0)
            feed.publish(
                frames: FrameRun(
                    bytes: [UInt8](repeating: 1, count: 100_000), frames: Array(repeating: info, count: 100)))
        }
        var segmenter = HLSSegmenter(target: 4, firstSequence: 1)
        var done: [HLSSegment] = []
        for event in reader.read(limit: .max).events { segmenter.take(event, into: &done) }
        #expect(done.count == 2 && done.allSatisfy { $0.frames.bytes.count < 5 << 20 })
    }
}

@Suite("A mount that begins anew")
struct MountAgainTests {
    @Test("is looked after once, however often its listeners were sent away")
    func once() throws {
        let loop = try EventLoop(name: "again")
        defer { loop.stop() }
        let host = RelayLoop(loop: loop, batch: 0.05, time: SystemTime())
        let context = RelayContext(settings: RelaySettings(), server: "aircheck/test")
        let outlet = Outlet(
            name: "demo", feed: Feed(station: RelayBench.demo), fallback: { nil }, host: host,
            context: context
        )
        let counted = Lock(0)
        let done = Semaphore()
        loop.submit {
            outlet.pin(true)
            for _ in 0..<5 { outlet.sendAllAway() }
            counted.withLock { $0 = host.outlets.count }
            host.close()
            done.signal()
        }
        done.wait()
        #expect(counted.withLock { $0 } == 1)
    }

    @Test("does not tell those who wait that the service is ending")
    func told() throws {
        let bench = try RelayBench()
        let listener = RawListener(port: bench.port, get: "demo")
        #expect(eventually(within: 5) { bench.source.feed("demo").readerCount == 1 })
        let mount = try #require(bench.relay.existingMount("demo"))
        mount.killAll()
        listener.readAll()
        let text = String(decoding: listener.body, as: UTF8.self)
        #expect(listener.head().contains(" 503 ") && text.contains("ask again"), "\(text)")
    }
}
