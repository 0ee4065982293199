import CLinux
import Glibc
import Platform
import Reactor
import Testing

@testable import Relay

/// One end is a listener in a table, the other is read by the test.
final class Pair {
    let listener: Int32
    let reader: Int32

    init(buffer: Int32 = 0) {
        var ends: [Int32] = [0, 0]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        (listener, reader) = (ends[0], ends[1])
        if buffer > 0 {
            var size = buffer
            setsockopt(listener, SOL_SOCKET, SO_SNDBUF, &size, 4)
        }
    }

    deinit {
        close(listener)
        close(reader)
    }

    func read(atMost limit: Int = 1 << 20) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = recv(reader, &bytes, limit, Int32(MSG_DONTWAIT))
        return Array(bytes.prefix(max(0, count)))
    }
}

/// A mount of one loop without the loop.
struct Bench: ~Copyable {
    var ring: MountRing
    var titles = TitleTimeline()
    var table: ListenerTable
    var counting = Counting()
    var round = ListenerTable.Round()
    let map = SocketMap()

    init(ringBytes: Int = 256 << 10, slowRule: SlowRule = SlowRule(lag: 128 << 10)) throws {
        ring = try MountRing(bytes: ringBytes)
        table = ListenerTable(slowRule: slowRule, map: map)
    }

    mutating func play(frames: Int = 10) {
        counting.append(frames: frames, of: 417, to: &ring)
        table.writeBatch(0..<table.count, ring: ring, titles: titles, round: &round)
    }

    mutating func title(_ text: String) {
        titles.append(block: Self.block(text), at: ring.head, mark: ring.head)
    }

    mutating func join(_ pair: Pair, head: String = "HEAD", burst: Int64 = 0, wantsTitles: Bool = false) {
        let facts = ListenerFacts(id: 1, peer: .example(1), userAgent: "", bitRate: 0)
        table.join(
            socket: pair.listener, head: Array(head.utf8), at: ring.head - burst, wantsTitles: wantsTitles,
            facts: facts, now: MonotonicTime(nanoseconds: 0), ring: ring, titles: titles, round: &round)
    }

    static func block(_ text: String) -> [UInt8] {
        let bytes = Array("StreamTitle='\(text)';".utf8)
        let units = (bytes.count + 15) / 16
        return [UInt8(units)] + bytes + [UInt8](repeating: 0, count: units * 16 - bytes.count)
    }
}

/// Takes metadata out again, as a player does.
struct IcyReader {
    var audio: [UInt8] = []
    var titles: [String] = []
    private var bytes: [UInt8] = []

    /// - Parameter stream: everything a listener got after the head.
    init(_ stream: [UInt8], interval: Int = 16_000) {
        var rest = stream[...]
        while rest.count > interval {
            audio += rest.prefix(interval)
            rest = rest.dropFirst(interval)
            let length = Int(rest.removeFirst()) * 16
            if length > 0 {
                titles.append(String(decoding: rest.prefix(length).prefix { $0 != 0 }, as: UTF8.self))
            }
            rest = rest.dropFirst(length)
        }
        audio += rest
    }
}

extension PeerAddress {
    /// An address of the documentation's.
    static func example(_ last: Int) -> PeerAddress {
        guard let address = PeerAddress(text: "192.0.2.\(last)") else {
            fatalError("not an address: \(last)")
        }
        return address
    }
}

func isCounting(_ bytes: [UInt8], from place: Int64) -> Bool {
    bytes.enumerated().allSatisfy { $1 == UInt8(truncatingIfNeeded: Int(place) + $0) }
}

@Suite("Listener table")
struct ListenerTableTests {
    @Test("writes head and burst together, then every batch, to all alike")
    func plain() throws {
        var bench = try Bench()
        bench.play(frames: 100)
        let pairs = (0..<5).map { _ in Pair() }
        for pair in pairs { bench.join(pair, burst: 417 * 80) }
        for pair in pairs {
            let got = pair.read()
            #expect(got.prefix(4).elementsEqual("HEAD".utf8))
            #expect(got.count == 4 + 417 * 80)
            #expect(isCounting(Array(got.dropFirst(4)), from: 417 * 20))
        }
        bench.play()
        for pair in pairs { #expect(isCounting(pair.read(), from: 417 * 100)) }
        #expect(bench.round.writes == 10)
    }

    @Test(
        "puts titles where they belong, and the audio between them is untouched",
        arguments: [3, 10, 38, 39, 150])
    func titles(framesPerBatch: Int) throws {
        var bench = try Bench()
        bench.title("first")
        bench.play(frames: 100)
        let pair = Pair()
        bench.join(pair, head: "", burst: 417 * 50, wantsTitles: true)
        var got = pair.read()
        for number in 0..<40 {
            if number == 20 { bench.title("second; it's \(framesPerBatch)") }
            bench.play(frames: framesPerBatch)
            got += pair.read()
        }
        let icy = IcyReader(got)
        #expect(isCounting(icy.audio, from: 417 * 50))
        #expect(icy.audio.count == 417 * (50 + 40 * framesPerBatch))
        let long = 20 * framesPerBatch * 417 > 16_000
        #expect(
            icy.titles == ["StreamTitle='first';"]
                + (long ? ["StreamTitle='second; it's \(framesPerBatch)';"] : []))
    }

    @Test("a socket that fills up anywhere, also inside a block, loses and doubles nothing")
    func shortWrites() throws {
        var bench = try Bench(ringBytes: 1 << 20, slowRule: SlowRule(lag: 900 << 10))
        bench.title(String(repeating: "long ", count: 700))
        bench.play(frames: 100)
        let pair = Pair(buffer: 4096)
        bench.join(pair, burst: 417 * 50, wantsTitles: true)
        var got: [UInt8] = []
        for step in 0..<2_000 {
            if step < 60 {
                bench.title(String(repeating: "title \(step) ", count: 200))
                bench.play(frames: 20)
            }
            got += pair.read(atMost: 700 + step % 300)
            bench.table.roomAgain(0, ring: bench.ring, titles: bench.titles, round: &bench.round)
        }
        #expect(got.prefix(4).elementsEqual("HEAD".utf8))
        let icy = IcyReader(Array(got.dropFirst(4)))
        #expect(isCounting(icy.audio, from: 417 * 50))
        #expect(icy.audio.count == 417 * (50 + 60 * 20))
        #expect(icy.titles.count > 20)
        #expect(bench.round.skips == 0)
    }

    @Test("a slow listener finishes its frame, skips to the live edge, and goes when it has skipped enough")
    func slow() throws {
        var bench = try Bench(slowRule: SlowRule(lag: 64 << 10, skips: 1))
        bench.play(frames: 100)
        let (slow, good) = (Pair(buffer: 4096), Pair())
        bench.join(slow, head: "", burst: 417 * 90)
        bench.join(good, head: "", burst: 0)
        var heard = 0
        while bench.round.skips == 0 {
            bench.play()
            heard += good.read().count
        }
        let before = slow.read()
        bench.table.roomAgain(0, ring: bench.ring, titles: bench.titles, round: &bench.round)
        let edge = bench.ring.head
        bench.play()
        let after = before + slow.read()
        let cut = after.count - 4170
        #expect(cut % 417 == 0)
        #expect(isCounting(Array(after.prefix(cut)), from: 417 * 10))
        #expect(isCounting(Array(after.suffix(4170)), from: edge))
        while bench.table.count == 2 { bench.play() }
        #expect(bench.round.gone.map(\.why) == [.slow])
        #expect(bench.round.gone.first?.row.socket == slow.listener)
        #expect(bench.map[good.listener] == 0)
        #expect(bench.map[slow.listener] == nil)
        heard += good.read().count
        #expect(Int64(heard) == bench.ring.head - 417 * 100)
    }

    @Test("one that has gone is taken out at the next write and nobody else notices")
    func gone() throws {
        var bench = try Bench()
        bench.play()
        var pairs = (0..<4).map { _ in Pair() }
        for pair in pairs { bench.join(pair, head: "") }
        // Closing is for the pair itself: a second time it might hit another's descriptor.
        shutdown(pairs[1].reader, Int32(SHUT_RDWR))
        bench.play()
        #expect(bench.round.gone.map(\.row.socket) == [pairs[1].listener])
        pairs.remove(at: 1)
        bench.play()
        for pair in pairs {
            #expect(pair.read().count == 417 * 20)
            let row = try #require(bench.map[pair.listener])
            #expect(bench.table.row(row).socket == pair.listener)
        }
    }
}
