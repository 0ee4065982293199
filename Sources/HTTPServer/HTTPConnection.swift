internal import CLinux
internal import Glibc
internal import HTTPWire
internal import Platform
internal import Reactor

/// One client's connection, from accept to close or until it is handed over. Touched on its loop's thread only.
final class HTTPConnection: EventHandler, @unchecked Sendable {
    // Sendable because everything that changes is touched on the loop's thread only.
    enum Phase {
        /// Waiting for a head, or in the middle of one.
        case head
        case body(CollectedBody)
        /// The application thinks.
        case answering
        case sending
        /// Everything is said; what the client still sends is thrown away, so that it can read the answer first.
        case lingering
        case closed
    }

    let id: UInt64
    let peer: PeerAddress
    /// Who asks: the peer, or whom a trusted proxy names for the request being answered.
    var client: PeerAddress
    let site: Site
    let shard: ServerShard
    var socket: FileDescriptor?
    var phase = Phase.head
    /// Of the request being answered; nil when its head could not be read.
    var request: RequestHead?
    var parser: RequestParser
    /// Read from the socket and not used yet.
    var input: [UInt8] = []
    var inputOffset = 0
    var isAdvancing = false
    var output = OutputQueue()
    var source: (any BodySource)?
    var isChunked = false
    /// The source has nothing at present.
    var isWaiting = false
    var keepsAlive = true
    /// The request's body was not read to its end.
    var hasUnreadBody = false
    var sawEnd = false
    /// It is among those who wait for their turn to speak.
    private var isCounted = false
    /// When the present phase must be over; nil when it may last.
    var deadline: MonotonicTime?
    var lastProgress: MonotonicTime
    private var token: WatchToken?
    private var watched: IOEvents = []

    var loop: EventLoop { shard.loop }
    var server: ServerCore { shard.core }
    var limits: ServerLimits { shard.core.limits }

    init(id: UInt64, socket: consuming FileDescriptor, peer: PeerAddress, site: Site, shard: ServerShard) {
        self.id = id
        self.socket = consume socket
        self.peer = peer
        client = peer
        self.site = site
        self.shard = shard
        parser = RequestParser(limits: shard.core.limits.head)
        lastProgress = shard.core.time.now
    }

    /// Most players have sent their request by the time they are accepted, so it is read before anything is watched.
    func begin() {
        deadline = server.time.now.advanced(bySeconds: limits.headSeconds)
        receive()
        if case .head = phase { countAsWaiting() }
    }

    /// After an answer.
    func waitForNextHead() {
        phase = .head
        request = nil
        deadline = server.time.now.advanced(bySeconds: limits.idleSeconds)
        countAsWaiting()
    }

    private func countAsWaiting() {
        guard !isCounted else { return }
        isCounted = true
        server.waits(id, from: peer)
    }

    func waitsNoMore() {
        guard isCounted else { return }
        isCounted = false
        server.waitsNoMore(id)
    }

    // MARK: Events

    func ready(_ events: IOEvents, tag: UInt64) {
        if events.contains(.failed) || events.contains(.hangUp) { return close() }
        if events.contains(.writable) { flush() }
        if !events.isDisjoint(with: [.readable, .peerClosed]) {
            switch phase {
            case .head, .body, .lingering: receive()
            case .answering, .sending: if events.contains(.peerClosed) { peerEnded() }
            case .closed: break
            }
        }
    }

    /// The client sends no more. It may still want its answer, but an event stream has lost its reader.
    func peerEnded() {
        sawEnd = true
        keepsAlive = false
        switch phase {
        case .answering: updateInterest()
        case .sending: if source is EventStream { close() } else { updateInterest() }
        case .head, .body, .lingering: close()
        case .closed: break
        }
    }

    /// Tells the loop what this phase waits for, if that has changed.
    func updateInterest() {
        let wanted = interest
        guard let number = socket?.number, wanted != watched || token == nil else { return }
        watched = wanted
        if let token { return loop.modify(token, to: wanted) }
        do {
            token = try loop.watch(number, for: wanted, handler: self)
        } catch {
            Log.error("http", "a connection cannot be watched", ["error": "\(error)"])
            close()
        }
    }

    private var interest: IOEvents {
        let end: IOEvents = sawEnd ? [] : .peerClosed
        switch phase {
        case .head, .body, .lingering: return [.readable, .peerClosed]
        case .answering: return end
        case .sending: return output.isEmpty && isWaiting ? end : end.union(.writable)
        case .closed: return []
        }
    }

    // MARK: Deadlines

    func checkDeadlines(_ now: MonotonicTime) {
        switch phase {
        case .head: if isOver(now) { headIsLate() }
        case .body:
            if isOver(now) {
                server.refused(.bodyDeadline)
                refuse(Self.late)
            }
        case .lingering: if isOver(now) { close() }
        case .sending: checkProgress(now)
        case .answering, .closed: break
        }
    }

    private func isOver(_ now: MonotonicTime) -> Bool { deadline.map { now >= $0 } == true }

    private static let late = HTTPResponse.problem(
        408, code: "request_timeout", message: "The request did not arrive in time.")

    private func headIsLate() {
        if parser.isIdle {
            server.refused(.idleDeadline)
            close()
        } else {
            server.refused(.headDeadline)
            refuse(Self.late)
        }
    }

    private func checkProgress(_ now: MonotonicTime) {
        let silence = now.seconds(since: lastProgress)
        if output.isEmpty, source is EventStream {
            if silence >= limits.heartbeatSeconds {
                output.append(
                    isChunked ? ChunkedEncoder.chunk(ServerSentEvent.heartbeat) : ServerSentEvent.heartbeat)
                flush()
            }
        } else if !output.isEmpty, silence >= limits.stalledSeconds {
            server.refused(.stalled)
            close()
        }
    }

    // MARK: The end

    /// The server stops: idle connections go, streams end, answers finish.
    func drain() {
        keepsAlive = false
        switch phase {
        case .head, .lingering: close()
        case .sending: (source as? EventStream)?.close()
        case .body, .answering, .closed: break
        }
    }

    /// Others want this place. Whoever has spoken meanwhile, and was not heard in the crowd, is answered instead.
    func makeRoom() {
        receive()
        if case .head = phase { close() }
    }

    func close() {
        if case .closed = phase { return }
        letGo()
        socket = nil
    }

    /// Forgets the socket without closing it.
    func letGo() {
        phase = .closed
        waitsNoMore()
        if let token { loop.unwatch(token) }
        token = nil
        output = OutputQueue()
        source?.finished()
        source = nil
        shard.removed(self)
    }
}
