internal import Feed
internal import HTTPWire
internal import Platform
internal import StreamFormats
internal import Transfers

/// Sends one station to another server as its source client, and comes back whenever that breaks.
///
/// It lives on the transfers' thread; `begin`, `end` and `status` may be called from any.
final class IcecastPush: TransferDelegate, @unchecked Sendable {
    // Sendable because what changes is touched on the engine's thread only, but for `published`, which has a lock.
    let target: PushTarget
    let feed: Feed
    private let engine: TransferEngine
    private let time: any TimeSource
    private let published: Lock<PushStatus>

    private var reader: FeedReader?
    private var packer = PushPacker(serial: UInt32.random(in: 1...UInt32.max))
    private var backOff = PushBackOff()
    private var transfer: Transfer?
    private var queue: PushQueue
    private var timer: TimerID?
    /// The next try; one at a time.
    private var nextTry: TimerID?
    /// Where a new connection begins, where that is not the usual history.
    private var resume: FeedStart?
    private var connectedAt: MonotonicTime?
    private var isOver = false
    /// The answer that was a no.
    private var refusedWith: Int?
    /// Of this connection's bytes, those in the status already.
    private var counted: Int64 = 0
    /// The server has said 200, or takes bytes: titles may be said.
    private var isAccepted = false
    private var wantedTitle: String?
    private var saidTitle: String?
    private var isSaying = false
    /// Waits between tries to say a title; begins anew with each connection and each title that was taken.
    private var titleBackOff = PushBackOff()
    private var titleRefusals = 0
    private var titleRetry: TimerID?

    /// What a new connection gets at once, so that the server has a burst for its own listeners.
    private static let history = FeedStart.burst(seconds: 3, bytes: 64 << 10)
    /// Seconds without a byte taken, while there are some, after which the server is given up.
    private static let stall = 15.0
    private static let lookEvery = 1.0
    private static let answerLimit = 16 << 10
    /// A server may not know its mount yet, and says 400 then. One that has said no so often takes no titles, or not from us:
    /// each further title is tried once.
    private static let mostTitleRefusals = 3

    init(_ target: PushTarget, feed: Feed, engine: TransferEngine, time: any TimeSource) {
        self.target = target
        self.feed = feed
        self.engine = engine
        self.time = time
        queue = PushQueue(time: time)
        published = Lock(
            PushStatus(station: target.station, place: target.place, state: .silent, since: time.wall))
    }

    var status: PushStatus { published.withLock { $0 } }

    func begin() { engine.run { self.open() } }

    func end() { engine.run { self.close() } }

    // MARK: The feed

    private func open() {
        guard !isOver else { return }
        let old = reader
        reader = feed.open(name: "push to \(target.place)", from: resume ?? Self.history) { [weak self] in
            guard let self else { return }
            engine.run { self.drain() }
        }
        resume = nil
        // Closed after, so that the station is never without a reader.
        old?.close()
        drain()
        if timer == nil { look() }
    }

    private func close() {
        isOver = true
        transfer?.cancel()
        transfer = nil
        for timer in [timer, nextTry, titleRetry] { timer.map(engine.cancel) }
        reader?.close()
        reader = nil
    }

    private func drain() {
        guard let reader, !isOver else { return }
        var count = 1
        while count > 0 {
            let batch = reader.read()
            count = batch.events.count
            for event in batch.events { take(event) }
        }
        transfer?.goOnSending()
    }

    private func take(_ event: FeedEvent) {
        // Until the next try nobody takes anything; that one begins in the past again.
        guard status.state != .waiting else { return }
        if status.state == .silent {
            if case .format(let format, _) = event { return packer.begin(format) }
            if case .audio(let chunk) = event {
                packer.begin(chunk.format)
                connect()
            }
        }
        for piece in packer.take(event) {
            if piece == .typeChanged { resume = event.place.map(FeedStart.position) }
            take(piece)
        }
    }

    private func take(_ piece: PushPacker.Piece) {
        switch piece {
        case .bytes(let bytes): send(bytes)
        case .title(let text):
            wantedTitle = text
            sayTitle()
        case .typeChanged: retry("the station is of another type now", wasRefused: false, after: 0)
        }
    }

    private func send(_ bytes: [UInt8]) {
        guard transfer != nil else { return }
        if !queue.add(bytes) {
            retry("the server does not take what is sent", wasRefused: false)
        }
    }

    // MARK: The server

    private func connect() {
        guard let format = packer.format, transfer == nil, !isOver else { return }
        queue = PushQueue(time: time)
        isAccepted = false
        saidTitle = nil
        titleBackOff.reset()
        titleRefusals = 0
        connectedAt = time.now
        show(.connecting)
        var request = TransferRequest(target.url)
        request.addresses = .allowLocal
        request.upload = queue
        request.headers = headers(format)
        transfer = engine.start(request, delegate: self)
        for piece in packer.opening() { take(piece) }
    }

    private func headers(_ format: AudioFormat) -> [Station.Header] {
        let (status, station) = (feed.status, feed.station)
        let facts = MountFacts(
            mediaType: format.container == .ogg ? "application/ogg" : format.mediaType,
            name: status.stationName ?? station.name,
            genre: status.genre ?? station.genre, homepage: status.homepage ?? station.homepage,
            about: status.stationDescription, bitrate: status.advertisedBitrate ?? station.bitrate,
            sampleRate: format.sampleRate, channels: format.channels, carriesTitles: true)
        let told: [(String, String?)] = [
            ("Content-Type", facts.mediaType), ("Ice-Name", facts.name), ("Ice-Genre", facts.genre),
            ("Ice-URL", facts.homepage), ("Ice-Description", facts.about),
            ("Ice-Bitrate", facts.bitrate.map(String.init)), ("Ice-Audio-Info", facts.audioInfo),
            ("Ice-Public", "0"),
        ]
        return told.compactMap { name, value in
            value.map {
                .init(
                    name: name,
                    value: HTTPWire.HeaderText.cleaned($0, limit: HTTPWire.HeaderText.stationLimit))
            }
        }
    }

    /// Every second: what the server has taken, and whether it still takes.
    private func look() {
        guard !isOver else { return }
        timer = engine.after(Self.lookEvery) { [weak self] in self?.look() }
        guard transfer != nil, let connectedAt else { return }
        let now = time.now
        let taken = queue.takenBytes
        if taken > 0, !isAccepted { accepted() }
        published.withLock { $0.sentBytes += taken - counted }
        counted = taken
        if now.seconds(since: connectedAt) > PushBackOff.steady, isAccepted { backOff.reset() }
        if queue.count > 0, now.seconds(since: queue.lastTaken) > Self.stall {
            retry("the server took nothing for \(Int(Self.stall)) s", wasRefused: false)
        }
    }

    private func accepted() {
        isAccepted = true
        published.withLock { $0.connections += 1 }
        show(.sending)
        Log.info("relay", "a push has begun", ["station": target.station, "to": target.place])
        sayTitle()
    }

    /// Breaks off and comes again.
    private func retry(_ reason: String, wasRefused: Bool, after seconds: Double? = nil) {
        transfer?.cancel()
        transfer = nil
        let lost = Int64(queue.count)
        counted = 0
        let wait = seconds ?? backOff.wait(wasRefused: wasRefused, chance: Double.random(in: 0..<1))
        published.withLock { status in
            status.reason = reason
            status.lostBytes += lost
        }
        show(.waiting)
        Log.warning(
            "relay", "a push broke",
            ["station": target.station, "to": target.place, "reason": reason, "again_in": "\(wait)"])
        nextTry.map(engine.cancel)
        nextTry = engine.after(wait) { [weak self] in self?.again() }
    }

    /// Begins anew with the station's last seconds.
    private func again() {
        nextTry = nil
        guard !isOver, transfer == nil else { return }
        show(.silent)
        open()
    }

    private func show(_ state: PushStatus.State) {
        let now = time.wall
        published.withLock { status in
            guard status.state != state else { return }
            status.state = state
            status.since = now
        }
    }

    // MARK: Titles

    private func sayTitle() {
        guard isAccepted, !isSaying, let title = wantedTitle, title != saidTitle,
            let format = packer.format, format.container == .elementary,
            let url = try? target.url.resolving(
                "/admin/metadata?mode=updinfo&charset=UTF-8&mount=\(PercentCoding.encode(target.url.path))"
                    + "&song=\(PercentCoding.encode(title))")
        else { return }
        isSaying = true
        saidTitle = title
        var request = TransferRequest(url)
        request.addresses = .allowLocal
        engine.fetch(request, limit: Self.answerLimit) { [weak self] in self?.titleAnswered($0) }
    }

    private func titleAnswered(_ answer: FetchedBody) {
        isSaying = false
        guard !isOver, transfer != nil else { return }
        guard answer.isGood else { return titleRefused(answer) }
        titleBackOff.reset()
        titleRefusals = 0
        published.withLock { $0.titles += 1 }
        sayTitle()
    }

    /// Tries again later each time; what the server does not want to hear waits for the next title.
    private func titleRefused(_ answer: FetchedBody) {
        let status = answer.head?.status ?? 0
        Log.info(
            "relay", "a title was not taken",
            ["to": target.place, "status": "\(status)", "error": answer.result.text])
        if wantedTitle != saidTitle { return sayTitle() }
        if (400..<500).contains(status) {
            titleRefusals = min(titleRefusals + 1, Self.mostTitleRefusals)
            if titleRefusals == Self.mostTitleRefusals { return }
        }
        saidTitle = nil
        titleRetry.map(engine.cancel)
        let wait = titleBackOff.wait(wasRefused: false, chance: Double.random(in: 0..<1))
        titleRetry = engine.after(wait) { [weak self] in
            self?.titleRetry = nil
            self?.sayTitle()
        }
    }

    // MARK: What comes back

    func transferResponded(_ transfer: Transfer, head: StreamFormats.ResponseHead) {
        if head.status < 300 { return isAccepted ? () : accepted() }
        transfer.giveUp(.other, "the server answered \(head.status)")
        refusedWith = head.status
    }

    func transferReceived(_ transfer: Transfer, bytes: Span<UInt8>) {}

    func transferFinished(_ transfer: Transfer, result: TransferResult) {
        guard transfer === self.transfer else { return }
        defer { refusedWith = nil }
        let reason =
            switch refusedWith {
            case 401: "401: wrong user or password"
            case 403: "403: the mount is in use, or not for us"
            case let status?: "the server answered \(status)"
            case nil: result.outcome == .complete ? "the server ended it" : result.text
            }
        retry(reason, wasRefused: refusedWith != nil)
    }
}

extension FeedEvent {
    /// Where the format or the audio begins; nil for what stands beside it.
    fileprivate var place: StreamPosition? {
        switch self {
        case .format(_, let place): place
        case .audio(let chunk): chunk.start
        case .title, .gap, .retitled: nil
        }
    }
}
