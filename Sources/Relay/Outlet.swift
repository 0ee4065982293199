internal import Feed
internal import Glibc
internal import Platform
internal import Reactor
internal import StreamFormats
internal import Synchronization

/// One mount on one loop: its ring, its titles, its listeners.
///
/// It opens a reader of the feed with the first listener and closes it some seconds after the last. Listeners that come
/// before there is audio wait, so that they can be told the right type, or why there is none.
final class Outlet: EventHandler, @unchecked Sendable {
    // Sendable because all that changes is touched on the loop's thread only, but for the atomic and what is
    // published under a lock.
    let name: String
    let feed: Feed
    unowned let host: RelayLoop
    let context: RelayContext

    var reader: FeedReader?
    var stream: MountStream?
    var table: ListenerTable
    var waiting: [Waiting] = []
    /// When the last listener went, or the outlet was opened without one; nil while there are some.
    var emptySince: MonotonicTime?
    var counting = MountCounts()
    var openedOn: WallTime?
    /// The station's present title: for a stream that begins, and for the return from the fallback.
    var title: TitleMark?
    /// When the station itself last had audio.
    var lastOwnAudio: MonotonicTime
    /// The feed of the fallback, if there is one at the moment.
    let fallback: @Sendable () -> Feed?
    /// Open while the fallback is heard.
    var fallbackReader: FeedReader?
    /// A format whose headers are more than the mount holds, and that in words: nothing of it is heard.
    var unfit: (format: AudioFormat, reason: String)?
    /// When a round last had something to write.
    private var lastRound: MonotonicTime
    /// Set while audio waits for the time of the next round.
    private var pacer: LoopTimer?
    private(set) var isPinned = false
    private(set) var isClosed = true
    /// It holds a whole burst.
    private var isWarm = false

    private let expected = Atomic<Int>(0)
    private let published = Lock(Published())

    struct Waiting {
        var socket: Int32
        var request: ListenerRequest
        var facts: ListenerFacts
        var until: MonotonicTime
    }

    private struct Published {
        var counts = MountCounts()
        var facts: MountFacts?
        var openedAt: WallTime?
    }

    init(
        name: String, feed: Feed, fallback: @escaping @Sendable () -> Feed?, host: RelayLoop,
        context: RelayContext
    ) {
        self.name = name
        self.feed = feed
        self.fallback = fallback
        lastOwnAudio = host.time.now
        lastRound = host.time.now
        self.host = host
        self.context = context
        table = ListenerTable(
            slowRule: SlowRule(lag: context.settings.ringBytes / 2, skips: context.settings.skips),
            interval: context.settings.metaint, map: host.map)
    }

    // MARK: What other threads see

    /// Listeners here or on their way.
    var load: Int { expected.load(ordering: .relaxed) }

    /// Somebody is on the way.
    func expect() { expected.wrappingAdd(1, ordering: .relaxed) }

    var counts: MountCounts { published.withLock { $0.counts } }
    var publishedFacts: MountFacts? { published.withLock { $0.facts } }
    var openedAt: WallTime? { published.withLock { $0.openedAt } }

    /// Shows other threads how things stand.
    func publish() {
        counting.connected = table.count
        let (counts, facts, openedAt) = (counting, stream?.facts, openedOn)
        published.withLock { $0 = Published(counts: counts, facts: facts, openedAt: openedAt) }
    }

    // MARK: Opening and closing

    var listenerCount: Int { table.count }

    /// Opens the feed if it is not open.
    func open() {
        guard isClosed else { return }
        isClosed = false
        emptySince = nil
        lastOwnAudio = host.time.now
        isWarm = false
        let burst = context.settings.burst
        reader = feed.open(
            name: "mount /\(name)", from: .burst(seconds: burst.seconds, bytes: burst.bytes),
            wake: { [weak self] in self?.woken() })
        host.add(self)
        drain(now: host.time.now)
    }

    /// Stays open from now on, or closes again when nobody listens.
    func pin(_ isPinned: Bool) {
        guard self.isPinned != isPinned else { return }
        self.isPinned = isPinned
        if isPinned {
            open()
        } else if table.count == 0, waiting.isEmpty {
            emptySince = host.time.now
        }
    }

    /// Ends all listeners. One that is pinned goes on without them.
    func sendAllAway() {
        close(telling: .sentAway)
        if isPinned { open() }
    }

    // MARK: Rounds

    /// A round begins so much before its time if audio comes just then: what waits for the next one is as old again.
    private static let early = 0.9

    /// The feed has something again. Any thread.
    func woken() {
        host.loop.submit { [weak self] in self?.arrived() }
    }

    /// Audio is written when it comes, at most once a batch: a beat of its own would let it lie for up to another batch.
    private func arrived() {
        guard !isClosed, table.count > 0 || !waiting.isEmpty else { return }
        let now = host.time.now
        let since = now.seconds(since: lastRound)
        if !isWarm || since >= host.batch * Self.early {
            round(now: now)
        } else if pacer == nil {
            pacer = host.loop.after(host.batch - since) { [weak self] in
                guard let self else { return }
                round(now: host.time.now)
            }
        }
    }

    /// Takes what the feed has and writes it to everybody.
    private func round(now: MonotonicTime) {
        pacer?.cancel()
        pacer = nil
        guard !isClosed else { return }
        let edge = stream?.edge
        drain(now: now)
        if stream?.edge != edge { lastRound = pace(now) }
        host.beginRound(of: self)
    }

    /// From when the next round is counted. Audio that comes about once a batch, and had to wait for half of one, would wait
    /// as long every time: the rounds are moved to where it comes.
    private func pace(_ now: MonotonicTime) -> MonotonicTime {
        guard let arrival = feed.lastArrival, now.seconds(since: arrival) > host.batch / 2 else { return now }
        return arrival
    }

    /// Once a batch, whether or not anything came: for those who wait, for a fallback, for what no wake told of.
    func tick(now: MonotonicTime) {
        let isLate = now.seconds(since: lastRound) >= 2 * host.batch
        if table.count == 0 || !waiting.isEmpty || isLate || fallbackReader != nil { round(now: now) }
    }

    /// While a new mount holds less than a burst, what comes is passed on at once.
    func setWarm(_ isWarm: Bool) { self.isWarm = isWarm }

    /// Ends all listeners and leaves the feed.
    func close(telling refusal: Refusal = .serviceEnds) {
        for waiting in waiting { refuse(waiting, refusal) }
        waiting = []
        var round = ListenerTable.Round()
        while table.count > 0 { table.remove(table.count - 1, why: .ended, round: &round) }
        settle(&round)
        pacer?.cancel()
        pacer = nil
        reader?.close()
        reader = nil
        fallbackReader?.close()
        fallbackReader = nil
        title = nil
        stream = nil
        unfit = nil
        openedOn = nil
        isClosed = true
        publish()
    }

    // MARK: Events

    func ready(_ events: IOEvents, tag: UInt64) {
        guard let index = host.map[Int32(truncatingIfNeeded: tag)] else { return }
        var round = ListenerTable.Round()
        if !events.isDisjoint(with: [.hangUp, .failed]) {
            table.remove(index, why: .left, round: &round)
        } else {
            if events.contains(.peerClosed) { table.update(index) { $0.isHalfClosed = true } }
            if events.contains(.writable) { stream?.roomAgain(index, table: &table, round: &round) }
        }
        settle(&round)
    }

    func writeBatch(_ range: Range<Int>) {
        var round = ListenerTable.Round()
        stream?.writeBatch(range, table: &table, round: &round)
        settle(&round)
    }

    /// Counts what a round did, and lets go of those that left.
    func settle(_ round: inout ListenerTable.Round) {
        counting.sentBytes += round.bytes
        counting.writes += Int64(round.writes)
        counting.skips += Int64(round.skips)
        for gone in round.gone {
            if gone.why == .slow { counting.dropped += 1 }
            if let watch = gone.row.watch { host.loop.unwatch(watch) }
            Glibc.close(gone.row.socket)
            countOut(gone.facts)
        }
        guard !round.gone.isEmpty, table.count == 0, waiting.isEmpty else { return }
        emptySince = host.time.now
        // The last one has left: whoever asks is told at once.
        publish()
    }

    /// The listener, served or not, is no longer here.
    func countOut(_ facts: ListenerFacts) {
        expected.wrappingSubtract(1, ordering: .relaxed)
        context.ledger.withLock {
            $0.leave(mount: name, address: facts.peer.limitKey, bitRate: facts.bitRate)
        }
    }
}
