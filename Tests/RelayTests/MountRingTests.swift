import Platform
import Reactor
import Testing

@testable import Relay

/// Fills a ring with frames whose every byte tells its place.
struct Counting {
    var place = 0
    var nanoseconds: Int64 = 0

    mutating func append(frames: Int, of length: Int, to ring: inout MountRing) {
        let bytes = (0..<frames * length).map { UInt8(truncatingIfNeeded: place + $0) }
        place += bytes.count
        nanoseconds += Int64(frames) * 26_122_449
        bytes.withUnsafeBytes {
            _ = ring.append($0, frames: repeatElement(length, count: frames), endingAt: nanoseconds)
        }
    }
}

@Suite("A mount's ring")
struct MountRingTests {
    @Test("gives any run back in one piece, wherever the ring wraps", arguments: [417, 1000, 65_536])
    func contiguous(chunk: Int) throws {
        var ring = try MountRing(bytes: 64 << 10)
        var counting = Counting()
        for _ in 0..<(140_000 / chunk + 2) {
            counting.append(frames: 1, of: chunk, to: &ring)
            let length = Int(min(ring.head - ring.tail, 600))
            let start = ring.head - Int64(length)
            let run = UnsafeRawBufferPointer(start: ring.bytes(at: start), count: length)
            #expect(run.enumerated().allSatisfy { $1 == UInt8(truncatingIfNeeded: Int(start) + $0) })
        }
    }

    @Test("starts every burst on a frame, within its limits", arguments: [32, 96, 417, 1044, 2881])
    func burstOnFrame(length: Int) throws {
        var ring = try MountRing(bytes: 512 << 10)
        var counting = Counting()
        let burst = Burst()
        for _ in 0..<300 {
            counting.append(frames: 3_000 / length + 1, of: length, to: &ring)
            let start = ring.start(of: burst)
            #expect(start % Int64(length) == 0)
            #expect(start >= ring.tail)
            #expect(ring.head - start <= Int64(burst.limit))
            if ring.head > Int64(burst.limit) { #expect(ring.head - start >= Int64(burst.bytes)) }
        }
    }

    @Test("makes the burst as long as the seconds ask, however low the bit rate")
    func burstBySeconds() throws {
        var ring = try MountRing(bytes: 512 << 10)
        var counting = Counting()
        for _ in 0..<2_000 { counting.append(frames: 4, of: 417, to: &ring) }
        let start = ring.start(of: Burst(bytes: 32 << 10, seconds: 10))
        #expect((10.0...10.4).contains(ring.seconds(from: start)))
        let rate = ring.byteRate ?? 0
        #expect((15_900...16_000).contains(rate))
    }

    @Test("knows the next frame from any byte")
    func frames() throws {
        var ring = try MountRing(bytes: 64 << 10)
        var counting = Counting()
        for _ in 0..<400 { counting.append(frames: 2, of: 417, to: &ring) }
        #expect(ring.frame(atOrAfter: ring.head - 1) == ring.head)
        #expect(ring.frame(atOrAfter: ring.head - 418) == ring.head - 417)
        #expect(ring.frame(atOrAfter: ring.head - 417) == ring.head - 417)
        let oldest = ring.frame(atOrAfter: 0)
        #expect(oldest >= ring.tail && oldest < ring.tail + 417 && oldest % 417 == 0)
    }
}

@Suite("A mount's titles")
struct TitleTimelineTests {
    @Test("are found by place, and only the ring's are kept")
    func places() {
        var titles = TitleTimeline()
        for number in 0..<20 {
            let block = [1] + Array(repeating: UInt8(number), count: 16)
            titles.append(block: block, at: Int64(number) * 100, mark: 0)
        }
        #expect(titles.entry(at: 250)?.block[1] == 2)
        #expect(titles.entry(at: 1900)?.number == 20)
        titles.forget(before: 1000)
        #expect(titles.count == 10)
        #expect(titles.entry(at: 1000)?.block[1] == 10)
        #expect(titles.entry(at: 900) == nil)
    }

    @Test("told anew get a new number at their old place")
    func replaced() {
        var titles = TitleTimeline()
        titles.append(block: [1], at: 100, mark: 7)
        let before = titles.entry(at: 100)?.number
        titles.replace(block: [2], mark: 7)
        #expect(titles.count == 1)
        #expect(titles.entry(at: 150)?.block[0] == 2)
        #expect(titles.entry(at: 150)?.number != before)
    }

    @Test("at one place: the last counts")
    func samePlace() {
        var titles = TitleTimeline()
        titles.append(block: [1], at: 100, mark: 1)
        titles.append(block: [2], at: 100, mark: 2)
        #expect(titles.count == 1)
        #expect(titles.entry(at: 100)?.block[0] == 2)
    }
}

@Suite("Relay rules")
struct RelayRuleTests {
    @Test("a slow listener skips as often as allowed, then goes")
    func slow() {
        let rule = SlowRule(lag: 1000, skips: 2)
        #expect(rule.verdict(behind: 1000, skipsTaken: 0) == .keep)
        #expect(rule.verdict(behind: 1001, skipsTaken: 0) == .skip)
        #expect(rule.verdict(behind: 1001, skipsTaken: 1) == .skip)
        #expect(rule.verdict(behind: 1001, skipsTaken: 2) == .drop)
        #expect(rule.verdict(behind: 1000, skipsTaken: 2) == .keep)
    }

    private static let home = PeerAddress.example(1)
    private static let other = PeerAddress.example(2)

    @Test(
        "each limit turns away the listener beyond it, and is counted",
        arguments: [
            (RelayLimits(listeners: 2), RelayLimit.listeners),
            (RelayLimits(listenersPerMount: 2), .mount),
            (RelayLimits(listenersPerAddress: 2), .address),
            (RelayLimits(connectsPerSecond: 2), .rate),
            (RelayLimits(bitsPerSecond: 300_000), .bandwidth),
        ])
    func limits(limits: RelayLimits, hit: RelayLimit) {
        var ledger = ListenerLedger(limits: limits)
        let now = MonotonicTime(nanoseconds: 0)
        func join() -> RelayLimit? {
            ledger.admit(mount: "/a", address: Self.home, bitRate: 128_000, now: now)
        }
        #expect(join() == nil)
        #expect(join() == nil)
        #expect(join() == hit)
        #expect(ledger.refused == [hit: 1])
        ledger.leave(mount: "/a", address: Self.home, bitRate: 128_000)
        #expect(join() == (hit == .rate ? .rate : nil))
    }

    @Test("limits of a mount and of an address leave the others alone")
    func separate() {
        var ledger = ListenerLedger(limits: RelayLimits(listenersPerMount: 1, listenersPerAddress: 1))
        let now = MonotonicTime(nanoseconds: 0)
        #expect(ledger.admit(mount: "/a", address: Self.home, bitRate: 0, now: now) == nil)
        #expect(ledger.admit(mount: "/b", address: Self.home, bitRate: 0, now: now) == .address)
        #expect(ledger.admit(mount: "/a", address: Self.other, bitRate: 0, now: now) == .mount)
        #expect(ledger.admit(mount: "/b", address: Self.other, bitRate: 0, now: now) == nil)
        #expect(ledger.total == 2)
    }

    @Test("the connection rate refills with time")
    func rate() {
        var ledger = ListenerLedger(limits: RelayLimits(connectsPerSecond: 10))
        func join(at seconds: Double) -> Bool {
            ledger.admit(
                mount: "/a", address: Self.home, bitRate: 0,
                now: MonotonicTime(nanoseconds: Int64(seconds * 1e9)))
                == nil
        }
        #expect((0..<20).filter { _ in join(at: 0) }.count == 10)
        #expect((0..<20).filter { _ in join(at: 0.5) }.count == 5)
        #expect((0..<20).filter { _ in join(at: 60) }.count == 10)
    }
}
