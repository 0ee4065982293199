internal import HTTPWire
internal import Platform
internal import Reactor

/// What the loops of one server share. Any thread.
final class ServerCore: Sendable {
    let limits: ServerLimits
    let time: any TimeSource
    private let admission: Lock<Admission>
    private let counts = Lock(ServerCounts())
    private let evictor = Lock<(@Sendable (UInt64) -> Void)?>(nil)

    init(limits: ServerLimits, time: any TimeSource) {
        self.limits = limits
        self.time = time
        admission = Lock(Admission(limit: limits.waiting, limitPerAddress: limits.waitingPerAddress))
    }

    var snapshot: ServerCounts { counts.withLock { $0 } }

    func count(_ change: (inout ServerCounts) -> Void) { counts.withLock(change) }

    func refused(_ reason: ServerCounts.Refusal) { count { $0.refusals[reason, default: 0] += 1 } }

    /// Takes a place for a connection, if there is one.
    func takePlace() -> Bool {
        counts.withLock { counts in
            counts.accepted += 1
            guard counts.open < limits.connections else {
                counts.refusals[.connections, default: 0] += 1
                return false
            }
            counts.open += 1
            return true
        }
    }

    /// Says who closes a connection by its number, whichever loop it lives on.
    func evict(by close: @escaping @Sendable (UInt64) -> Void) { evictor.withLock { $0 = close } }

    /// A connection begins to wait for a head. Closes the one that has to go for it.
    func waits(_ id: UInt64, from peer: PeerAddress) {
        let now = time.now.nanoseconds
        guard let victim = admission.withLock({ $0.arrived(id, from: peer, now: now) }) else { return }
        refused(victim.breach == .total ? .waiting : .waitingPerAddress)
        let close = evictor.withLock { $0 }
        close?(victim.id)
    }

    func waitsNoMore(_ id: UInt64) { admission.withLock { $0.left(id) } }

    /// A stream for a connection, unless there are too many.
    func makeEventStream(for connection: HTTPConnection, lastEventID: String?) -> EventStream? {
        let isAllowed = counts.withLock { counts in
            guard counts.eventStreams < limits.eventStreams else {
                counts.refusals[.eventStreams, default: 0] += 1
                return false
            }
            counts.eventStreams += 1
            return true
        }
        guard isAllowed else { return nil }
        let stream = EventStream(
            lastEventID: lastEventID, limit: limits.eventQueue, loop: connection.loop,
            wake: { [weak connection] in connection?.flush() },
            overflowed: { [weak self] in self?.refused(.eventQueue) })
        stream.whenClosed { [weak self] in self?.count { $0.eventStreams -= 1 } }
        return stream
    }
}

/// What one endpoint serves, and to whom.
struct Site: Sendable {
    let application: any HTTPApplication
    let hosts: HostRules
    /// A unix socket: its peers are on this machine and no browser is among them, so Host and Origin say nothing.
    let isLocalSocket: Bool
    let proxies: TrustedProxies
}
