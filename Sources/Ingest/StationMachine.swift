import Feed
import Platform
import Transfers

/// Decides for one station when to connect to what, and when to let go. A plain value: events in, actions out; it never
/// gives up as long as somebody wants the station.
struct StationMachine: Sendable {
    /// How patient it is, in seconds.
    struct Patience: Sendable {
        /// Without audio for so long, a second connection is tried while the first is still read.
        var stall = 5.0
        /// The same where the server allows one connection only: the first is given up then.
        var stallAlone = 10.0
        /// A silent first connection is kept for so long beside the tries for a second one.
        var silence = 60.0
        /// From the request to the first audio.
        var start = 15.0
        /// On anything but the best address, the best is tried again after so long.
        var better = 600.0
        /// Longest pause between two tries.
        var longestWait = BackOff.longest
    }

    enum Action: Sendable, Hashable {
        case open(Int, Candidate)
        case close(Int)
        /// Close one whose audio is in the feed and that nothing follows yet: what it still has is taken.
        case giveUp(Int)
    }

    /// Why a connection is tried.
    private enum Purpose: Sendable {
        case first, stall, better
    }

    /// So much new audio proves that the station is back.
    private static let realAudio = 5.0
    /// A silent connection is well again when audio comes over so long.
    private static let recovery = 1.0
    /// The first connection is thrown out within so long of the second when the server allows only one.
    private static let expulsion = 3.0

    let patience: Patience
    private let chance: @Sendable () -> Double
    private var roots: [Candidate]
    private var preferred: Candidate?
    private var round: CandidateRound
    private var retries: Retries
    private var nextID = 1
    private var purpose = Purpose.first
    private var nextBetter: MonotonicTime?

    private(set) var isWanted = false
    /// The connection whose audio is in the feed.
    private(set) var live: StationLine?
    /// The one that is being tried.
    private(set) var trial: StationLine?
    /// Nothing but a person, or a new address, can help.
    private(set) var isDone = false
    private(set) var lastAudio: MonotonicTime?
    /// What broke the stream, until it is whole again.
    private(set) var breakCause: Gap.Cause?
    private(set) var reason: String?
    private var rhythm = DropRhythm()
    private var failures: [(url: String, fault: Fault)] = []
    /// False once a server has thrown out the first connection because of the second.
    private(set) var allowsSecond = true

    init(
        roots: [Candidate], patience: Patience = Patience(),
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.roots = roots
        self.patience = patience
        retries = Retries(longest: patience.longestWait)
        self.chance = chance
        round = CandidateRound(preferred: nil, roots: roots)
    }

    /// What people should know though audio flows.
    var notice: String? { rhythm.notice }

    /// When the next round of tries begins; nil where none is waited for.
    var retryAt: MonotonicTime? { retries.due }

    /// What was wrong with each address tried in this round.
    var faults: [(url: String, fault: Fault)] { round.faults }

    /// The state as it is shown.
    func state(at now: MonotonicTime) -> FeedStatus.State {
        guard isWanted else { return .idle }
        if let live { return isSilent(live, at: now) ? .stalled : .live }
        if isDone { return .failed }
        return trial == nil ? .waiting : .connecting
    }

    /// The requests that have failed since this was last asked.
    mutating func takeFailures() -> [(url: String, fault: Fault)] {
        defer { failures = [] }
        return failures
    }

    // MARK: What people want

    /// Somebody reads the station.
    mutating func want(at now: MonotonicTime) -> [Action] {
        guard !isWanted else { return [] }
        isWanted = true
        isDone = false
        reason = nil
        retries.forgive()
        return beginRound(.first, at: now)
    }

    /// Nobody has read it for a while.
    mutating func unwant() -> [Action] {
        guard isWanted else { return [] }
        let actions = closeAll()
        isWanted = false
        reason = nil
        breakCause = .unknown
        return actions
    }

    /// The station's addresses or headers are others now.
    mutating func change(roots: [Candidate], at now: MonotonicTime) -> [Action] {
        self.roots = roots
        preferred = nil
        allowsSecond = true
        rhythm = DropRhythm()
        guard isWanted else { return [] }
        breakCause = breakCause ?? .closed
        isDone = false
        retries.forgive()
        return closeAll() + beginRound(.first, at: now)
    }

    /// Somebody wants to hear it now; see `Retries`.
    mutating func hurry(at now: MonotonicTime) -> [Action] {
        guard live == nil else { return [] }
        retries.hurry(at: now)
        return tick(at: now)
    }

    /// The machine slept, or this process was stopped: what is connected is probably dead.
    mutating func resume(at now: MonotonicTime) -> [Action] {
        guard isWanted, !isDone else { return [] }
        retries.forgive()
        guard live != nil else { return trial == nil ? beginRound(.first, at: now) : [] }
        breakCause = .suspended
        return trial == nil ? beginRound(.stall, at: now) : []
    }

    // MARK: What connections say

    /// The connection has to wait for its turn; its time begins then.
    mutating func postponed(_ id: Int, until time: MonotonicTime) {
        if trial?.id == id { trial?.lastAudio = time }
    }

    /// A good head has come.
    mutating func connected(_ id: Int, finally candidate: Candidate, at now: MonotonicTime) {
        guard trial?.id == id else { return }
        trial?.connected = now
        trial?.candidate = candidate
    }

    /// It is HLS: silence is counted in segments, and no second connection makes sense.
    mutating func fetchesSegments(_ id: Int, stall: Double) {
        if trial?.id == id { trial?.segmentStall = stall }
        if live?.id == id { live?.segmentStall = stall }
    }

    /// It says itself that nothing comes at present.
    mutating func stalled(_ id: Int, _ fault: Fault) {
        guard live?.id == id else { return }
        reason = fault.text
        breakCause = breakCause ?? fault.cause
    }

    /// Audio came that the feed has had already: the server lags behind and will catch up.
    mutating func caughtUp(_ id: Int, at now: MonotonicTime) {
        if trial?.id == id { trial?.lastAudio = now }
    }

    /// New audio came.
    mutating func audio(_ id: Int, seconds: Double, at now: MonotonicTime) -> [Action] {
        var actions: [Action] = []
        if trial?.id == id {
            if let live { actions.append(.close(live.id)) }
            goLive(at: now)
        } else if live?.id == id {
            actions = stillAlive(at: now)
        } else {
            return [.close(id)]
        }
        if live?.segmentStall != nil, trial == nil {
            reason = nil
            breakCause = nil
        }
        live?.lastAudio = now
        live?.newSeconds += seconds
        lastAudio = now
        if let live, live.newSeconds >= Self.realAudio { retries.forgive() }
        if let live { rhythm.lasts(for: now.seconds(since: live.began)) }
        return actions
    }

    private mutating func goLive(at now: MonotonicTime) {
        live = trial
        trial = nil
        retries.cancel()
        reason = nil
        breakCause = nil
        preferred = live?.candidate
        nextBetter = now.advanced(bySeconds: patience.better)
    }

    /// The first connection speaks while another is tried: when it goes on for a moment, the other is not needed.
    private mutating func stillAlive(at now: MonotonicTime) -> [Action] {
        guard purpose == .stall, trial != nil || retryAt != nil else { return [] }
        guard let since = live?.recovered else {
            live?.recovered = now
            return []
        }
        guard now.seconds(since: since) >= Self.recovery else { return [] }
        let actions = trial.map { [Action.close($0.id)] } ?? []
        trial = nil
        retries.cancel()
        reason = nil
        breakCause = nil
        return actions
    }

    /// It was a list: its entries are tried next.
    mutating func opened(
        _ id: Int, entries: [URLText], addresses: AddressPolicy, redirects: Int, at now: MonotonicTime
    ) -> [Action] {
        guard let line = trial, line.id == id else { return [.close(id)] }
        if let fault = round.opened(
            line.candidate, entries: entries, addresses: addresses, redirects: redirects)
        {
            return ended(id, fault, at: now)
        }
        trial = nil
        return [.close(id)] + tryNext(at: now)
    }

    /// Something else on the same server may be the stream: it comes next.
    mutating func suggest(_ id: Int, _ candidate: Candidate) {
        if trial?.id == id { round.insert(candidate) }
    }

    /// A connection has ended, or what it brought is of no use.
    mutating func ended(_ id: Int, _ fault: Fault, at now: MonotonicTime) -> [Action] {
        if let line = trial, line.id == id {
            trial = nil
            round.failed(line.candidate, fault)
            failures.append((line.candidate.url.text, fault))
            reason = fault.text
            return tryNext(at: now)
        }
        guard live?.id == id else { return [] }
        return lost(fault, at: now)
    }

    private mutating func lost(_ fault: Fault, at now: MonotonicTime) -> [Action] {
        if let live, [.closed, .reset].contains(fault.cause) {
            rhythm.dropped(after: now.seconds(since: live.began))
        }
        live = nil
        reason = fault.text
        breakCause = breakCause ?? fault.cause
        if fault.kind == .finished {
            isDone = true
            return closeAll()
        }
        if let trial, purpose == .better {
            self.trial = nil
            return [.close(trial.id)] + beginRound(.first, at: now)
        }
        if let trial {
            if let connected = trial.connected, now.seconds(since: connected) < Self.expulsion {
                allowsSecond = false
            }
            return []
        }
        return beginRound(.first, at: now)
    }

    // MARK: Time

    /// When `tick` has something to do at the latest.
    var deadline: MonotonicTime? {
        guard isWanted, !isDone else { return nil }
        var times = [retries.due]
        if let trial {
            times.append(trial.lastAudio.advanced(bySeconds: startLimit(of: trial)))
        }
        if let live {
            let wait = trial == nil && retryAt == nil ? stall(of: live) : patience.silence
            times.append(live.lastAudio.advanced(bySeconds: wait))
            if live.candidate.rank > 0, trial == nil { times.append(nextBetter) }
        }
        return times.compactMap { $0 }.min()
    }

    /// Time has passed.
    mutating func tick(at now: MonotonicTime) -> [Action] {
        guard isWanted, !isDone else { return [] }
        var actions = dropSlowTrial(at: now) + watchLive(at: now)
        if let due = retryAt, due <= now, trial == nil {
            actions += beginRound(live == nil ? .first : purpose, at: now)
        }
        return actions
    }

    private mutating func dropSlowTrial(at now: MonotonicTime) -> [Action] {
        guard let line = trial,
            now.seconds(since: line.lastAudio) >= startLimit(of: line)
        else { return [] }
        let text = line.connected == nil ? "no answer" : "connected, no audio"
        let fault = Fault(.network, .stalled, text, state: line.connected == nil ? .unreachable : .noAudio)
        return [.close(line.id)] + ended(line.id, fault, at: now)
    }

    private mutating func watchLive(at now: MonotonicTime) -> [Action] {
        guard let line = live else { return [] }
        let silence = now.seconds(since: line.lastAudio)
        let fault = Fault(.network, .stalled, "no audio for \(Int(silence)) s", state: .noAudio)
        let mayHaveSecond = allowsSecond && line.segmentStall == nil
        if silence >= (mayHaveSecond ? patience.silence : stall(of: line)) {
            breakCause = breakCause ?? .stalled
            return [.giveUp(line.id)] + lost(fault, at: now)
        }
        guard trial == nil, retryAt == nil else { return [] }
        if silence >= stall(of: line) {
            reason = fault.text
            breakCause = breakCause ?? .stalled
            return beginRound(.stall, at: now)
        }
        guard line.candidate.rank > 0, let due = nextBetter, due <= now else { return [] }
        nextBetter = now.advanced(bySeconds: patience.better)
        return beginRound(.better, at: now)
    }

    /// Silence after which something is done about it. Segments are looked for anew by whoever fetches them, so that
    /// much more patience is due there.
    private func stall(of line: StationLine) -> Double {
        if let segmentStall = line.segmentStall { return segmentStall * 3 }
        return allowsSecond ? patience.stall : patience.stallAlone
    }

    private func startLimit(of line: StationLine) -> Double { max(patience.start, line.segmentStall ?? 0) }

    private func isSilent(_ line: StationLine, at now: MonotonicTime) -> Bool {
        now.seconds(since: line.lastAudio) >= (line.segmentStall ?? patience.stall)
    }

    // MARK: Rounds

    private mutating func beginRound(_ purpose: Purpose, at now: MonotonicTime) -> [Action] {
        self.purpose = purpose
        retries.begin(at: now)
        live?.recovered = nil
        switch purpose {
        case .better:
            let best = live?.candidate.rank ?? 0
            round = CandidateRound(
                preferred: nil,
                roots: roots.enumerated().filter { $0.offset * CandidateRound.mostTries < best }.map(
                    \.element))
        case .first, .stall:
            round = CandidateRound(preferred: preferred, roots: roots)
        }
        return tryNext(at: now)
    }

    private mutating func tryNext(at now: MonotonicTime) -> [Action] {
        guard let candidate = round.next() else { return roundOver(at: now) }
        let line = StationLine(id: nextID, candidate: candidate, now: now)
        nextID += 1
        trial = line
        return [.open(line.id, candidate)]
    }

    private mutating func roundOver(at now: MonotonicTime) -> [Action] {
        guard purpose != .better else { return [] }
        let fault =
            round.mostHopeful ?? Fault(.wrong, .refused, "the station has no address", state: .unreachable)
        reason = fault.text
        let isPutOff = round.faults.contains { if case .busy(.some) = $0.fault.kind { true } else { false } }
        let since = lastAudio.map { now.seconds(since: $0) } ?? .infinity
        let goesOn =
            !roots.isEmpty
            && retries.failed(
                fault.kind, isPutOff: isPutOff, sinceAudio: since, chance: chance(), at: now)
        if !goesOn { isDone = live == nil }
        return []
    }

    private mutating func closeAll() -> [Action] {
        let actions = [live, trial].compactMap { $0 }.map { Action.close($0.id) }
        live = nil
        trial = nil
        retries.cancel()
        return actions
    }
}
