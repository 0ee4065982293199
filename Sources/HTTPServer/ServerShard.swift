internal import HTTPWire
internal import Platform
internal import Reactor

/// The connections that live on one loop. Touched on that loop's thread only.
final class ServerShard: @unchecked Sendable {
    // Sendable because everything that changes is touched on the loop's thread only.
    let loop: EventLoop
    let core: ServerCore
    private let index: Int
    private var nextNumber: UInt64 = 0
    var connections: [UInt64: HTTPConnection] = [:]
    /// Where every connection of this loop reads into, one at a time.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private var sweep: LoopTimer?
    private var date = (second: Int64.min, text: "")
    private(set) var isDraining = false
    private var drained: (@Sendable () -> Void)?

    /// Seconds between two looks at the deadlines.
    private static let sweepSeconds = 1.0
    private static let indexBits: UInt64 = 8

    init(index: Int, loop: EventLoop, core: ServerCore) {
        self.index = index
        self.loop = loop
        self.core = core
    }

    deinit { buffer.deallocate() }

    static func index(ofConnection id: UInt64) -> Int { Int(id & ((1 << indexBits) - 1)) }

    // MARK: Connections

    func adopt(_ socket: consuming FileDescriptor, from peer: PeerAddress, site: Site) {
        guard core.takePlace() else { return }
        nextNumber += 1
        let id = nextNumber << Self.indexBits | UInt64(index)
        let connection = HTTPConnection(id: id, socket: socket, peer: peer, site: site, shard: self)
        connections[id] = connection
        startSweeping()
        connection.begin()
    }

    /// A connection has gone, or was given away.
    func removed(_ connection: HTTPConnection) {
        connections[connection.id] = nil
        core.count { $0.open -= 1 }
        if connections.isEmpty { finishDraining() }
    }

    // MARK: Time

    private func startSweeping() {
        if sweep == nil { sweep = loop.every(Self.sweepSeconds) { [weak self] in self?.checkDeadlines() } }
    }

    func checkDeadlines() {
        let now = core.time.now
        // A connection may close while it is looked at; the copy stays as it is.
        for connection in connections.values { connection.checkDeadlines(now) }
        // An idle service wakes up for nothing.
        if connections.isEmpty {
            sweep?.cancel()
            sweep = nil
        }
    }

    /// The `Date` header, made once a second.
    func httpDate() -> String {
        let second = core.time.wall.nanoseconds / 1_000_000_000
        if date.second != second { date = (second, HTTPDate.text(secondsSince1970: second)) }
        return date.text
    }

    // MARK: The end

    func drain(within seconds: Double, then done: @escaping @Sendable () -> Void) {
        isDraining = true
        drained = done
        for connection in connections.values { connection.drain() }
        if connections.isEmpty { return finishDraining() }
        loop.after(seconds) { for connection in self.connections.values { connection.close() } }
    }

    private func finishDraining() {
        sweep?.cancel()
        sweep = nil
        let done = drained
        drained = nil
        done?()
    }
}
