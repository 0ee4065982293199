import Feed
import Platform
import StreamFormats
import Transfers

/// Pulls one station into its feed: does what the machine decides, and tells it what came of it. Lives on the engine's
/// thread.
final class StationPull: UpstreamListener {
    /// One connection, or the run of fetches that stands for one. By reference: it is large, and asked several times a second.
    private final class Line {
        var upstream: (any Upstream)?
        /// What was asked for.
        let asked: Candidate
        /// What that led to, after redirects.
        var candidate: Candidate
        /// Until it is known where its new frames begin.
        var joint: Joint? { didSet { isSettled = joint == nil } }
        private(set) var isSettled = true
        var head: UpstreamHead?
        var isHLS = false
        /// The target duration of its playlist.
        var segmentSeconds: Double?
        /// Bytes amid the audio that were neither frame nor metadata, until frames follow them.
        var junk = 0
        /// It waits for its turn.
        var start: TimerID?
        /// Looks at the joint once more though nothing comes.
        var settling: TimerID?

        init(_ candidate: Candidate) {
            asked = candidate
            self.candidate = candidate
        }
    }

    let feed: Feed
    private let context: PullContext
    private var machine: StationMachine
    private var lines: [Int: Line] = [:]
    private var jar = CookieJar()
    private var desk: TitleDesk
    private var memory = FrameMemory()
    private var lastFrame: (now: MonotonicTime, wall: WallTime)?
    private var rate = 44_100.0
    private var bytes: Int64 = 0
    private(set) var journal = PullJournal()
    private var lastJunk: MonotonicTime?
    private var timer: (id: TimerID, due: MonotonicTime)?
    private var shown: Shown?
    private var isShownAsLive = false

    /// What the feed's status was told last.
    private struct Shown: Equatable {
        var state: FeedStatus.State
        var reason: String?
        var notice: String?
        var retryAt: MonotonicTime?
    }

    init(feed: Feed, context: PullContext) {
        self.feed = feed
        self.context = context
        machine = StationMachine(roots: Self.roots(of: feed.station), patience: context.settings.patience)
        desk = TitleDesk(feed: feed, memory: context.charsets)
    }

    private var now: MonotonicTime { context.time.now }

    // MARK: What the hub says

    /// Somebody reads, or nobody does any more.
    func want(_ isWanted: Bool) { act(isWanted ? machine.want(at: now) : machine.unwant()) }

    /// Somebody reads, and it is not connected all the same.
    func decline(_ why: String) {
        // What was shown last is not what is shown now.
        shown = nil
        feed.updateStatus { status in
            status.state = .waiting
            status.reason = why
        }
    }

    /// Somebody wants to hear it now.
    func hurry() { act(machine.hurry(at: now)) }

    /// The machine slept.
    func resume() { act(machine.resume(at: now)) }

    /// The station is another one now.
    func stationChanged() {
        desk = TitleDesk(feed: feed, memory: context.charsets)
        act(machine.change(roots: Self.roots(of: feed.station), at: now))
    }

    /// Something that is cheap enough only when it is done seldom.
    func refreshStatus() {
        let bytes = bytes
        feed.updateStatus { $0.bytesReceived = bytes }
        let pace = pace
        for id in lines.keys { lines[id]?.upstream?.read(at: pace) }
    }

    /// Files alone are in no hurry.
    private var pace: ReadingPace { feed.hasHurriedReaders ? .forListeners : .forFiles }

    /// Somebody needs what has come by now.
    func catchUp() {
        for id in lines.keys.sorted() { lines[id]?.upstream?.readNow() }
    }

    /// Ends everything without a word.
    func stop() {
        _ = machine.unwant()
        for id in lines.keys.sorted() { close(id) }
        if let timer { context.engine.cancel(timer.id) }
        timer = nil
    }

    /// Nothing but a person, or another address, can help.
    var isHopeless: Bool {
        machine.live == nil && machine.trial == nil && lastFrame == nil
            && (machine.isDone || machine.faults.allSatisfy { $0.fault.kind == .wrong })
    }

    private static func roots(of station: Station) -> [Candidate] {
        station.urls.compactMap { try? URLText($0) }
            .map { Candidate($0, addresses: station.isLocal ? .allowLocal : .publicOnly) }
    }

    // MARK: What the machine decides

    private func act(_ actions: [StationMachine.Action]) {
        for (url, fault) in machine.takeFailures() { journal.failed(url, fault) }
        for action in actions {
            switch action {
            case .open(let id, let candidate): open(id, candidate)
            case .close(let id): close(id)
            case .giveUp(let id):
                if let last = lines[id]?.upstream?.drain() { _ = publish(last) }
                close(id)
            }
        }
        show()
        arm()
    }

    /// Audio flows as it has done: deadlines only move away, and there is nothing new to show.
    private func flowOn(_ actions: [StationMachine.Action]) {
        if !actions.isEmpty || !isShownAsLive || machine.reason != nil { act(actions) }
    }

    private func open(_ id: Int, _ candidate: Candidate) {
        let delay = context.delayOfStart()
        lines[id] = Line(candidate)
        guard delay > 0 else { return start(id) }
        machine.postponed(id, until: now.advanced(bySeconds: delay))
        lines[id]?.start = context.engine.after(delay) { [weak self] in self?.start(id) }
    }

    private func start(_ id: Int) {
        guard let candidate = lines[id]?.candidate else { return }
        lines[id]?.start = nil
        lines[id]?.joint = Joint(held: memory.hashes, lastFrame: lastFrame?.now)
        lines[id]?.upstream = StreamUpstream(
            id: id, request: request(for: candidate), engine: context.engine, listener: self)
    }

    private func request(for candidate: Candidate) -> TransferRequest {
        var request = TransferRequest(candidate.url)
        request.wantsTitles = true
        request.addresses = candidate.addresses
        request.redirectsBefore = candidate.redirects
        request.cookies = jar
        request.headSeconds = machine.patience.start
        let isOwn = isOwn(candidate.url)
        if isOwn { request.forgivenFaults = feed.station.forgivenFaults }
        request.headers = feed.station.headers.filter { isOwn || $0.name.lowercased() == "user-agent" }
        return request
    }

    /// One of the station's own servers, which may be told its secrets and forgiven its faults.
    private func isOwn(_ url: URLText) -> Bool {
        Self.roots(of: feed.station).contains { $0.url.isSameOrigin(as: url) }
    }

    private func close(_ id: Int) {
        guard let line = lines.removeValue(forKey: id) else { return }
        line.upstream?.cancel()
        cancelTimers(of: line)
    }

    private func cancelTimers(of line: Line) {
        for timer in [line.start, line.settling].compactMap({ $0 }) { context.engine.cancel(timer) }
    }

    private func arm() {
        guard let due = machine.deadline else { return }
        if let timer {
            guard due < timer.due else { return }
            context.engine.cancel(timer.id)
        }
        let wait = max(due.seconds(since: now), 0.001)
        timer = (context.engine.after(wait) { [weak self] in self?.tick() }, due)
    }

    private func tick() {
        timer = nil
        act(machine.tick(at: now))
    }

    // MARK: What connections bring

    func upstream(_ id: Int, connected head: UpstreamHead) {
        guard let line = lines[id] else { return }
        line.head = head
        line.candidate.url = head.url
        line.candidate.addresses = head.peerIsLocal ? .allowLocal : .publicOnly
        journal.url = head.url.text
        journal.hasConnected = true
        journal.httpStatus = head.head.status == 0 ? nil : head.head.status
        machine.connected(id, finally: line.candidate, at: now)
        show()
    }

    func upstream(_ id: Int, isList entries: [URLText], from head: UpstreamHead) {
        act(
            machine.opened(
                id, entries: entries, addresses: head.peerIsLocal ? .allowLocal : .publicOnly,
                redirects: head.redirects, at: now))
    }

    func upstream(_ id: Int, isHLS body: [UInt8], from head: UpstreamHead) {
        guard let line = lines[id] else { return }
        lines[id]?.isHLS = true
        lines[id]?.upstream = HLSUpstream(
            id: id, body: body, head: head, request: request(for: line.candidate), context: context,
            listener: self)
    }

    func upstream(_ id: Int, fetchesSegmentsOf target: Double) {
        lines[id]?.segmentSeconds = target
        machine.fetchesSegments(id, stall: target * HLSPlanner.patience)
    }

    func upstream(_ id: Int, missed seconds: Double) {
        guard lines[id]?.joint == nil, let lastFrame else { return }
        feed.publish(gap: .segment, from: lastFrame.wall, to: context.time.wall, lostSeconds: seconds)
    }

    func upstream(_ id: Int, isStalled fault: Fault) {
        machine.stalled(id, fault)
        show()
    }

    func upstream(_ id: Int, suggests url: URLText, from head: UpstreamHead) {
        machine.suggest(id, Candidate(url, addresses: head.peerIsLocal ? .allowLocal : .publicOnly))
    }

    func upstream(_ id: Int, brought elements: [StreamElement], bytes count: Int) {
        bytes += Int64(count)
        for case .junk(let count) in elements { journal.junkBytes += count }
        guard !elements.isEmpty, let isSettled = lines[id]?.isSettled else { return }
        if isSettled {
            tellJunk(id, elements)
            let seconds = publish(elements)
            if seconds > 0 { flowOn(machine.audio(id, seconds: seconds, at: now)) }
        } else {
            join(id, elements)
        }
    }

    func upstream(_ id: Int, ended fault: Fault) {
        Log.debug("ingest", "connection ended", ["station": feed.station.id, "reason": fault.text])
        if let outcome = lines[id]?.joint?.finish(now: now) { settle(id, outcome) }
        if let line = lines.removeValue(forKey: id) { cancelTimers(of: line) }
        act(machine.ended(id, fault, at: now))
    }

    // MARK: Into the feed

    private func join(_ id: Int, _ elements: [StreamElement]) {
        let now = now
        if let outcome = lines[id]?.joint?.push(elements, now: now) { return settle(id, outcome) }
        guard let joint = lines[id]?.joint else { return }
        if joint.isCatchingUp { machine.caughtUp(id, at: now) }
        if let due = joint.settlesAt, lines[id]?.settling == nil {
            lines[id]?.settling = context.engine.after(max(0, due.seconds(since: now))) { [weak self] in
                self?.lines[id]?.settling = nil
                self?.join(id, [])
            }
        }
    }

    private func settle(_ id: Int, _ outcome: Joint.Outcome) {
        lines[id]?.joint = nil
        tellBreak(outcome)
        let seconds = publish(outcome.elements)
        if let line = lines[id] { tellHead(line) }
        act(machine.audio(id, seconds: seconds, at: now))
    }

    /// What stood amid the frames may have stood in the place of some: the ledger says so. Once a while: a station that
    /// has rubbish between all its frames would fill the ledger.
    private func tellJunk(_ id: Int, _ elements: [StreamElement]) {
        for element in elements {
            if case .junk(let count) = element { lines[id]?.junk += count }
            guard case .frames = element, let junk = lines[id]?.junk, junk > 0, let lastFrame else {
                continue
            }
            lines[id]?.junk = 0
            guard junk >= Self.leastJunk, lastJunk.map({ now.seconds(since: $0) > Self.junkPause }) ?? true
            else { continue }
            lastJunk = now
            feed.publish(gap: .junk, from: lastFrame.wall, to: context.time.wall, lostSeconds: 0)
            Log.info(
                "ingest", "bytes amid the audio were no audio",
                ["station": feed.station.id, "bytes": "\(junk)"])
        }
    }

    /// Less than the shortest frame takes the place of none.
    private static let leastJunk = 24
    private static let junkPause = 60.0

    private func tellBreak(_ outcome: Joint.Outcome) {
        guard let lastFrame else { return }
        let cause = machine.breakCause ?? .unknown
        feed.publish(
            gap: cause, from: lastFrame.wall, to: context.time.wall, lostSeconds: outcome.lostSeconds)
        feed.updateStatus { $0.reconnects += 1 }
        Log.info(
            "ingest", "the stream goes on",
            [
                "station": feed.station.id, "cause": cause.rawValue, "lost": "\(outcome.lostSeconds)",
                "repeated": "\(outcome.repeated)",
            ])
    }

    /// - Returns: seconds of audio published.
    private func publish(_ elements: [StreamElement]) -> Double {
        var seconds = 0.0
        for element in elements {
            switch element {
            case .format(let format):
                rate = Double(max(format.sampleRate, 1))
                feed.publish(format: format)
            case .frames(let run):
                seconds += Double(run.samples) / rate
                journal.frames += run.frames.count
                journal.firstAudio = journal.firstAudio ?? now
                journal.audioBytes += Int64(run.bytes.count)
                memory.expect(frameSeconds: Double(run.frames.first?.samples ?? 0) / rate)
                run.forEachFrame { memory.append(FrameMemory.hash($0)) }
                lastFrame = (now, context.time.wall)
                feed.publish(frames: run)
                desk.audioWentOn()
            case .title(let raw): desk.take(raw)
            case .junk: break
            }
        }
        if seconds > 0 { growOthers() }
        return seconds
    }

    /// Connections that are still looking for their place have more to look at now.
    private func growOthers() {
        guard lines.count > 1 else { return }
        for id in lines.keys { lines[id]?.joint?.heldGrew(to: memory.hashes) }
    }

    // MARK: Status

    private func tellHead(_ line: Line) {
        guard let head = line.head else { return }
        let answer = head.head
        let (isHLS, segment) = (line.isHLS, line.segmentSeconds)
        let forgiven = head.url.scheme == "https" && isOwn(head.url) ? feed.station.forgivenFaults : []
        feed.updateStatus { status in
            status.url = head.url.text
            status.stationName = answer.name
            status.genre = answer.genre
            status.homepage = answer.homepage
            status.stationDescription = answer.description
            status.advertisedBitrate = answer.bitrate
            status.metaint = answer.metaint
            status.forgivenFaults = forgiven
            status.segmentSeconds = segment
            status.protocolName = isHLS ? "hls" : answer.wire?.rawValue
        }
    }

    private func show() {
        let new = Shown(
            state: machine.state(at: now), reason: machine.reason, notice: machine.notice,
            retryAt: machine.retryAt)
        guard new != shown else { return }
        shown = new
        isShownAsLive = new.state == .live && new.reason == nil && new.notice == nil
        let retryAt = new.retryAt.map { context.time.wall.advanced(bySeconds: $0.seconds(since: now)) }
        feed.updateStatus { status in
            status.state = new.state
            status.reason = new.reason
            status.notice = new.notice
            status.retryAt = retryAt
        }
    }
}

extension ResponseHead {
    /// Bytes of audio between two title blocks; nil where there are none.
    var metaint: Int? {
        if case .every(let bytes) = metadata { bytes } else { nil }
    }
}
