internal import CLinux
internal import Platform

/// The two threads of one file system: one writes, every tick; the other synchronises, renames and finishes.
///
/// They are two so that a slow fdatasync never holds up the write of another recording.
final class Volume: Sendable {
    private struct State {
        var sessions: [RecordingSession] = []
        var ending: [RecordingSession] = []
        var stopping = false
        var writerIsDone = false
        /// A session has come that the keeper has not reckoned with.
        var hasNew = false
    }

    /// What the writer is woken for. Apart from `state`, at which the keeper waits: each of two threads waking the other
    /// several times a second cost more than the writing.
    private struct Calls {
        /// Somebody waits: all sessions are looked at, at once.
        var hurry = false
        /// Audio has come for some.
        var audio = false
    }

    private let state = Monitor(State())
    private let calls = Monitor(Calls())
    private let settings: Recorder.Settings
    private let journal: any RecordingJournal
    private let ended: @Sendable (RecordingSession, RecordingFacts) -> Void
    private let threads = Lock<[WorkerThread]>([])

    /// Stations are read one right after the other: what has come for one has come for many a moment later.
    private static let gatherSeconds = 0.02
    /// Fewer do not make up for waking once more.
    private static let worthGathering = 8

    /// - Parameter ended: called on the keeper thread when a session is over for good.
    init(
        settings: Recorder.Settings, journal: any RecordingJournal,
        ended: @escaping @Sendable (RecordingSession, RecordingFacts) -> Void
    ) {
        self.settings = settings
        self.journal = journal
        self.ended = ended
    }

    /// Starts the threads; they hold the volume until `stop`.
    func start() {
        threads.withLock {
            $0 = [
                WorkerThread(name: "disk-write") { self.write() },
                WorkerThread(name: "disk-keep") { self.keep() },
            ]
        }
    }

    func add(_ session: RecordingSession) {
        session.bell.connect { [weak self] in self?.audioCame() }
        state.change {
            $0.sessions.append(session)
            $0.hasNew = true
        }
        hurry()
    }

    /// Ticks at once: something was asked of a session.
    func hurry() { calls.change { $0.hurry = true } }

    private func audioCame() {
        if !calls.quietly({ $0.audio }) { calls.change { $0.audio = true } }
    }

    /// Ends both threads once the sessions are over; those that run must have been asked to end.
    func stop() {
        state.change { $0.stopping = true }
        hurry()
        for thread in threads.withLock({ $0 }) { thread.join() }
    }

    // MARK: The writer

    private func write() {
        // A busy machine must not keep it from writing what a crash would cost.
        aircheck_favour_thread()
        var isHurried = true
        while true {
            let (sessions, isOver) = state.quietly { ($0.sessions, $0.stopping && $0.sessions.isEmpty) }
            if isOver { return state.change { $0.writerIsDone = true } }
            let over = sessions.filter { (isHurried || $0.isDue(SystemTime().now)) && $0.tick() == .ended }
            if !over.isEmpty { handOver(over) }
            // Without sessions there is nothing to wake up for but a new one.
            isHurried = rest(
                sessions.isEmpty ? nil : secondsToDue(sessions),
                gathers: sessions.count >= Self.worthGathering)
        }
    }

    private func secondsToDue(_ sessions: [RecordingSession]) -> Double {
        let now = SystemTime().now
        return sessions.reduce(2 * settings.tickSeconds) { min($0, max(0.001, $1.secondsToDue(now))) }
    }

    /// Waits for a call, or so long.
    /// - Parameter gathers: answers to audio only when the round that it came with is over.
    /// - Returns: whether somebody waits.
    private func rest(_ seconds: Double?, gathers: Bool) -> Bool {
        calls.wait(atMost: seconds) { $0.hurry || $0.audio ? true : nil }
        if gathers, calls.quietly({ $0.audio }) {
            calls.wait(atMost: min(Self.gatherSeconds, settings.tickSeconds / 2)) { $0.hurry ? true : nil }
        }
        return calls.quietly { calls in
            defer { calls = Calls() }
            return calls.hurry
        }
    }

    private func handOver(_ over: [RecordingSession]) {
        state.change { state in
            state.sessions.removeAll { session in over.contains { $0 === session } }
            state.ending += over
        }
    }

    // MARK: The keeper

    private func keep() {
        var (round, last) = (0, SystemTime().now)
        while true {
            let count = state.quietly { state in
                state.hasNew = false
                return state.sessions.count
            }
            let rounds = Self.rounds(for: count)
            let due = last.advanced(bySeconds: settings.syncSeconds / Double(rounds))
            let patience = count == 0 ? nil : max(0, due.seconds(since: SystemTime().now))
            let work = state.wait(atMost: patience) { state -> (ending: [RecordingSession], isOver: Bool)? in
                guard !state.ending.isEmpty || state.writerIsDone || state.hasNew else { return nil }
                defer { state.ending = [] }
                return (state.ending, state.writerIsDone)
            }
            for session in work?.ending ?? [] {
                ended(session, session.finish(journal: journal))
            }
            if work?.isOver == true { return }
            guard SystemTime().now >= due else { continue }
            synchronise(round: round % rounds, of: rounds)
            (round, last) = ((round + 1) % rounds, SystemTime().now)
        }
    }

    /// A period of `syncSeconds` is cut into so many rounds, each with its share of the sessions: no rush at once.
    private static func rounds(for sessions: Int) -> Int { min(8, max(1, sessions)) }

    private func synchronise(round: Int, of rounds: Int) {
        let sessions = state.quietly { $0.sessions }.enumerated()
            .filter { $0.offset % rounds == round || $0.element.isUnknown }.map(\.element)
        // Together: the first that is waited for takes the others with it, and the journal of the file system is closed
        // once and not for each.
        for session in sessions { session.beginKeeping() }
        for session in sessions { session.keep(journal: journal) }
    }
}
