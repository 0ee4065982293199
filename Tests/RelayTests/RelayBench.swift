import CLinux
import Feed
import Foundation
import Glibc
import HTTPServer
import HTTPWire
import Platform
import Reactor
@testable import Relay
import StreamFormats
import TestStations

/// The stations of a test, each with a feed that the test fills.
final class TestSource: MountSource {
    private let feeds: [(station: Station, feed: Feed)]
    let favouriteIDs: [String]
    /// Stations that were asked to try now, in order.
    let hurried: Lock<[String]>

    init(_ stations: [Station], favourites: [String] = []) {
        let hurried = Lock([String]())
        self.hurried = hurried
        feeds = stations.map { station in
            (station, Feed(station: station, hurry: { hurried.withLock { $0.append(station.id) } }))
        }
        favouriteIDs = favourites
    }

    func station(named name: String) -> Station? {
        feeds.first { $0.station.id == name || $0.station.aliases.contains(name) }?.station
    }
    func stations() -> [Station] { feeds.map(\.station) }
    func favourites() -> [Station] { stations().filter { favouriteIDs.contains($0.id) } }
    func feed(of station: Station) -> Feed? { feeds.first { $0.station.id == station.id }?.feed }
    func feed(_ id: String) -> Feed { feeds.first { $0.station.id == id }?.feed ?? feeds[0].feed }
}

/// One password for all, as a test wants it.
struct TestAuth: AdminAuth {
    func verdict(on credentials: Credentials?, from peer: PeerAddress, for use: AdminUse) -> AdminVerdict {
        switch credentials {
        case .basic("admin", "hackme"): .allowed
        case .basic("relay", "relaysecret"): use == .listMounts ? .allowed : .unknown
        case .basic("source", "sourcesecret"): if case .feed = use { .allowed } else { .unknown }
        default: .unknown
        }
    }
}

/// A relay on a loopback port with stations that the test publishes into.
final class RelayBench: Sendable {
    let loops: LoopGroup
    let server: HTTPServer
    let relay: RelayService
    let source: TestSource
    let port: UInt16

    init(
        _ stations: [Station] = [RelayBench.demo], favourites: [String] = [],
        settings: RelaySettings = RelaySettings(batch: 0.05),
        loopCount: Int = 2, time: any TimeSource = SystemTime()
    ) throws {
        source = TestSource(stations, favourites: favourites)
        loops = try LoopGroup(count: loopCount, name: "relay-test")
        server = HTTPServer(loops: loops)
        relay = RelayService(
            loops: loops, source: source, auth: TestAuth(), identity: RelayIdentity(server: "aircheck/test"),
            settings: settings, time: time)
        port = try server.listen(on: .tcp(host: "127.0.0.1", port: 0), application: relay).port ?? 0
    }

    deinit {
        relay.close()
        loops.stop()
    }

    static var demo: Station {
        var station = Station(id: "demo", name: "Demo Radio", urls: [])
        station.groups = ["tests"]
        station.genre = "tones"
        return station
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

    /// Frames `numbers` of a programme, all at once.
    func publish(_ numbers: Range<Int>, of frames: NumberedFrames = NumberedFrames(), to id: String = "demo")
    {
        let feed = source.feed(id)
        feed.publish(format: frames.format)
        let infos = numbers.map { _ in
            FrameInfo(length: Int32(frames.frameLength), samples: Int32(frames.samplesPerFrame))
        }
        feed.publish(frames: FrameRun(bytes: frames.units(numbers), frames: infos))
    }

    func title(_ text: String, on id: String = "demo") {
        source.feed(id).publish(
            title: RawTitle(source: .icy, text: Array(text.utf8)),
            reading: TitleText(text: text, kind: .track))
    }
}

extension RelayService {
    /// The feed of a mount that a source client feeds.
    func sourceFeed(_ mount: String) -> Feed? { desk.station(named: mount).flatMap { desk.feed(of: $0) } }
}

extension NumberedFrames {
    var format: AudioFormat {
        AudioFormat(codec: kind == .adts ? .aac : .mp3, sampleRate: sampleRate, channels: 2)
    }
}

/// A listener that a test drives by hand: sends text, reads what comes. Blocking, with a limit.
final class RawListener {
    let socket: Int32
    private(set) var received: [UInt8] = []

    init(port: UInt16) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit { close(socket) }

    convenience init(port: UInt16, get path: String, headers: [String] = [], method: String = "GET") {
        self.init(port: port)
        send(
            ([("\(method) /\(path) HTTP/1.1"), "Host: 127.0.0.1:\(port)"] + headers).joined(separator: "\r\n")
                + "\r\n\r\n")
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) { _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    /// Says that no more is sent, and still reads.
    func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

    /// Reads until `count` bytes are there, or the peer has closed, or five seconds of silence.
    @discardableResult
    func read(upTo count: Int) -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while received.count < count {
            let got = recv(socket, &piece, piece.count, 0)
            guard got > 0 else { break }
            received += piece[..<got]
        }
        return received
    }

    /// Reads to the end of the connection.
    @discardableResult
    func readAll() -> [UInt8] { read(upTo: .max) }

    /// Head and body of what has been read; the head is read first if need be.
    func head() -> String {
        while endOfHead == nil, received.count < 65_536 {
            let before = received.count
            read(upTo: before + 1)
            if received.count == before { break }
        }
        return String(decoding: received.prefix(endOfHead ?? received.count), as: UTF8.self)
    }

    var body: [UInt8] { endOfHead.map { Array(received.dropFirst($0)) } ?? [] }

    /// Reads until the body is so long.
    func body(upTo count: Int) -> [UInt8] {
        readBody(upTo: count)
        return body
    }

    func readBody(upTo count: Int) {
        if endOfHead == nil { _ = head() }
        read(upTo: (endOfHead ?? 0) + count)
    }

    private var endOfHead: Int? {
        guard received.count >= 4 else { return nil }
        return (0...min(received.count - 4, 65_536)).first {
            received[$0..<($0 + 4)].elementsEqual([13, 10, 13, 10])
        }
        .map { $0 + 4 }
    }
}

/// Plays numbered frames as time goes, with eight seconds at once at the beginning.
final class LiveFrames: @unchecked Sendable {
    // Sendable because `isOver` is touched with the lock held alone.
    private let lock = Lock(false)
    /// Frames of 417 bytes in a fifth of a second.
    private static let step = 8

    init(_ publish: @escaping @Sendable (Range<Int>) -> Void) {
        publish(0..<300)
        let thread = Thread { [self] in
            var number = 300
            while !lock.withLock({ $0 }) {
                publish(number..<(number + Self.step))
                number += Self.step
                Thread.sleep(forTimeInterval: 0.2)
            }
        }
        thread.start()
    }

    func stop() { lock.withLock { $0 = true } }
}
