internal import Glibc
internal import HTTPWire
internal import Platform
internal import Reactor
internal import StreamFormats

/// Control points that want to hear of changes (UPnP eventing, §4). Each gets the state of the moment when it comes, as
/// it must; what changes later it finds by asking, since lists here are short. Any thread.
final class Subscriptions: Sendable {
    /// Seconds that a subscription holds.
    static let seconds = 1800.0
    private static let limit = 64
    /// Seconds that a control point may take to hear its first event.
    private static let patience = 2

    private let known = Lock([String: MonotonicTime]())
    private let delivering = Lock(0)
    private let time: any TimeSource

    init(time: any TimeSource) { self.time = time }

    /// - Parameter callback: `<http://192.168.1.9:49152/path>`, the value of the header.
    /// - Returns: the subscription's id; nil when it is refused: it must be the caller itself that is called.
    func add(callback: String, from peer: PeerAddress, _ values: [(String, String)]) -> String? {
        guard let target = Target(callback), target.host == peer.text else { return nil }
        let now = time.now
        let id = "uuid:\(DeviceIdentity.random())"
        let isTaken = known.withLock { known in
            known = known.filter { $0.value > now }
            guard known.count < Self.limit else { return false }
            known[id] = now.advanced(bySeconds: Self.seconds)
            return true
        }
        guard isTaken else { return nil }
        deliver(values, id: id, to: target)
        return id
    }

    /// False when it is not known any more.
    func renew(_ id: String) -> Bool {
        let now = time.now
        return known.withLock { known in
            guard let end = known[id], end > now else { return false }
            known[id] = now.advanced(bySeconds: Self.seconds)
            return true
        }
    }

    func remove(_ id: String) -> Bool { known.withLock { $0.removeValue(forKey: id) != nil } }

    // MARK: The first event

    private struct Target {
        let host: String
        let port: UInt16
        let path: String

        init?(_ callback: String) {
            guard let start = callback.firstIndex(of: "<"), let end = callback.firstIndex(of: ">"),
                start < end
            else { return nil }
            let url = callback[callback.index(after: start)..<end]
            guard url.hasPrefix("http://"), url.utf8.count < 512,
                !url.unicodeScalars.contains(where: { $0.value <= 0x20 })
            else { return nil }
            let rest = url.dropFirst("http://".count)
            let authority = rest.prefix { $0 != "/" }
            let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
            guard let host = parts.first, !host.isEmpty, parts.count <= 2,
                let port = UInt16(parts.count == 2 ? String(parts[1]) : "80")
            else { return nil }
            self.host = String(host)
            self.port = port
            path = rest.count > authority.count ? String(rest[authority.endIndex...]) : "/"
        }
    }

    private func deliver(_ values: [(String, String)], id: String, to target: Target) {
        let isFree = delivering.withLock { count in
            guard count < 8 else { return false }
            count += 1
            return true
        }
        guard isFree else { return }
        let text = Self.message(values, id: id, target)
        _ = WorkerThread(name: "dlna-event") { [self] in
            // The answer to the subscription should be there first: the id is news until then.
            usleep(100_000)
            Self.send(text, to: target)
            delivering.withLock { $0 -= 1 }
        }
    }

    private static func message(_ values: [(String, String)], id: String, _ target: Target) -> [UInt8] {
        let properties = values.map {
            "<e:property><\($0)>\(XMLText.escaped($1))</\($0)></e:property>"
        }.joined()
        let body =
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
            + "<e:propertyset xmlns:e=\"urn:schemas-upnp-org:event-1-0\">\(properties)</e:propertyset>"
        let head =
            "NOTIFY \(target.path) HTTP/1.0\r\nHOST: \(target.host):\(target.port)\r\n"
            + "CONTENT-TYPE: text/xml; charset=\"utf-8\"\r\nCONTENT-LENGTH: \(body.utf8.count)\r\n"
            + "NT: upnp:event\r\nNTS: upnp:propchange\r\nSID: \(id)\r\nSEQ: 0\r\nCONNECTION: close\r\n\r\n"
        return Array((head + body).utf8)
    }

    private static func send(_ bytes: [UInt8], to target: Target) {
        guard var address = SocketAddress(target.host, port: target.port) else { return }
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return }
        let descriptor = FileDescriptor(owning: number)
        var patience = timeval(tv_sec: Self.patience, tv_usec: 0)
        for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
            setsockopt(
                descriptor.number, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        guard address.use({ connect(descriptor.number, $0, $1) }) == 0 else { return }
        _ = Glibc.send(descriptor.number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        var answer = [UInt8](repeating: 0, count: 256)
        _ = recv(descriptor.number, &answer, answer.count, 0)
    }
}

/// Names that are unique: random UUIDs (RFC 9562, version 4).
package enum DeviceIdentity {
    package static func random() -> String {
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array("0123456789abcdef")
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return text
    }
}
