internal import JSONText
package import Platform
internal import Reactor

/// A listener on its way from one process to the next, which replaces it: the socket stays open, and what it needs to go on
/// without a break in its frames travels beside it.
package struct HandedListener: Sendable, Hashable {
    /// Open in both processes under this number.
    package var socket: Int32
    package var mount: String
    package var mediaType: String
    /// The rest of the frame it was in, as it is to be sent: nothing where it had come to the end of one.
    package var rest: [UInt8]
    /// Audio bytes until the next metadata block; negative for a listener without titles.
    package var untilBlock: Int32
    package var metaint: Int32
    /// When it was handed over: what it misses is what has been sent since.
    package var at: MonotonicTime
    package var address: String
    package var userAgent: String
    package var bitRate: Int

    /// For a file of the two processes.
    var json: JSONValue {
        [
            "socket": .int(Int64(socket)), "mount": .string(mount), "type": .string(mediaType),
            "rest": .array(rest.map { .int(Int64($0)) }), "until": .int(Int64(untilBlock)),
            "metaint": .int(Int64(metaint)), "at": .int(at.nanoseconds), "address": .string(address),
            "agent": .string(userAgent), "rate": .int(Int64(bitRate)),
        ]
    }

    init?(_ json: JSONValue) {
        guard let socket = json["socket"]?.int.flatMap({ Int32(exactly: $0) }), socket > 2,
            let mount = json["mount"]?.string, let type = json["type"]?.string,
            let rest = json["rest"]?.array?.compactMap({ $0.int.flatMap { UInt8(exactly: $0) } }),
            let until = json["until"]?.int.flatMap({ Int32(exactly: $0) }),
            let metaint = json["metaint"]?.int.flatMap({ Int32(exactly: $0) }), until <= metaint,
            let at = json["at"]?.int, let address = json["address"]?.string,
            let agent = json["agent"]?.string, let rate = json["rate"]?.int
        else { return nil }
        self.init(
            socket: socket, mount: mount, mediaType: type, rest: rest, untilBlock: until, metaint: metaint,
            at: MonotonicTime(nanoseconds: at), address: address, userAgent: agent,
            bitRate: Int(clamping: rate))
    }

    init(
        socket: Int32, mount: String, mediaType: String, rest: [UInt8], untilBlock: Int32, metaint: Int32,
        at: MonotonicTime, address: String, userAgent: String, bitRate: Int
    ) {
        self.socket = socket
        self.mount = mount
        self.mediaType = mediaType
        self.rest = rest
        self.untilBlock = untilBlock
        self.metaint = metaint
        self.at = at
        self.address = address
        self.userAgent = userAgent
        self.bitRate = bitRate
    }

    /// The same listener, to go on at another mount.
    func moved(to mount: String) -> HandedListener {
        var moved = self
        moved.mount = mount
        return moved
    }

    /// What the next process reads.
    package static func text(_ listeners: [HandedListener]) -> String {
        JSONValue.array(listeners.map(\.json)).text()
    }

    /// - Parameter text: of `text(_:)`; what is malformed is left out.
    package static func parse(_ text: String) -> [HandedListener] {
        let all = try? JSONValue.parse(text, limit: longest)
        return (all?.array ?? []).compactMap { HandedListener($0) }
    }

    /// A hundred thousand listeners in the middle of a frame.
    private static let longest = 256 << 20
}
