import CLinux
import Feed
import Glibc
import HTTPServer
import HTTPWire
import Platform
import Reactor
import Relay
import StreamFormats

/// The relay alone, without the service around it: what `bench-relay` measures.
///
/// It pulls the benchmark's origin on a thread of its own (frames of a known length need no parser), publishes into a
/// feed and serves that as `/bench`, with a title every eight seconds.
enum BenchServer {
    static func run(_ arguments: [String]) {
        guard arguments.count >= 3, let origin = UInt16(arguments[1]), let port = UInt16(arguments[2]) else {
            fail("usage: relay-bench-server ORIGIN_PORT LISTEN_PORT [BATCH_MS] [LOOPS]")
        }
        let batch = arguments.count > 3 ? Double(arguments[3]) ?? 250 : 250
        let loopCount = arguments.count > 4 ? Int(arguments[4]) ?? 2 : 2
        do {
            let station = BenchStation()
            let loops = try LoopGroup(count: loopCount, name: "relay")
            let server = HTTPServer(loops: loops)
            let settings = RelaySettings(batch: batch / 1000, limits: RelayLimits(listeners: 0))
            let relay = RelayService(
                loops: loops, source: station, auth: NobodyAdministers(), settings: settings)
            try server.listen(on: .tcp(host: "127.0.0.1", port: port), application: relay)
            try station.pull(port: origin)
        } catch {
            fail("\(error)")
        }
    }

    private static func fail(_ message: String) -> Never {
        Log.error("bench", message)
        exit(64)
    }
}

/// The one station there is.
final class BenchStation: MountSource {
    private static let frameLength = 384
    private static let samples: Int32 = 1152
    private static let titleBytes = 128_000
    private let only = Station(id: "bench", name: "Counters", urls: [])
    private let hub: Feed

    init() { hub = Feed(station: only) }

    func station(named name: String) -> Station? { name == only.id ? only : nil }
    func stations() -> [Station] { [only] }
    func favourites() -> [Station] { [] }
    func feed(of station: Station) -> Feed? { hub }

    /// Reads the origin for ever, on the calling thread.
    func pull(port: UInt16) throws {
        let socket = try Self.connected(to: port)
        var bytes: [UInt8] = []
        var isHead = true
        var untilTitle = 0
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        hub.publish(format: AudioFormat(codec: .mp3, sampleRate: 48_000, channels: 2))
        while true {
            let count = recv(socket, &piece, piece.count, 0)
            guard count > 0 else { throw SystemError(while: "reading the origin") }
            bytes += piece[..<count]
            if isHead {
                guard
                    let end = (4...max(4, bytes.count)).first(where: {
                        bytes.prefix($0).suffix(4) == [13, 10, 13, 10]
                    })
                else { continue }
                bytes.removeFirst(end)
                isHead = false
            }
            untilTitle -= count
            if untilTitle <= 0 {
                untilTitle = Self.titleBytes
                let text = "The Counters - At \(hub.position.bytes)"
                hub.publish(
                    title: RawTitle(source: .icy, text: Array(text.utf8)),
                    reading: TitleText(text: text, kind: .track))
            }
            publishWholeFrames(of: &bytes)
        }
    }

    private func publishWholeFrames(of bytes: inout [UInt8]) {
        let frames = bytes.count / Self.frameLength
        guard frames > 0 else { return }
        let info = FrameInfo(length: Int32(Self.frameLength), samples: Self.samples)
        hub.publish(
            frames: FrameRun(
                bytes: Array(bytes.prefix(frames * Self.frameLength)),
                frames: Array(repeating: info, count: frames)))
        bytes.removeFirst(frames * Self.frameLength)
    }

    private static func connected(to port: UInt16) throws -> Int32 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw SystemError(while: "connecting to the origin") }
        let request = "GET / HTTP/1.0\r\n\r\n"
        guard send(socket, request, request.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else {
            throw SystemError(while: "asking the origin")
        }
        return socket
    }
}

struct NobodyAdministers: AdminAuth {
    func verdict(on credentials: Credentials?, from peer: PeerAddress, for use: AdminUse) -> AdminVerdict {
        .unknown
    }
}
