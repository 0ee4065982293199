internal import CLinux
internal import Platform

/// The two threads of one file system: one writes, every tick; the other synchronises, renames and finishes.
///
/// They are two so that a slow fdatasync never holds up the write of another recording.
final class Volume: Sendable {
    private struct State {
        var sessions: [RecordingSession] = []
        var ending: [RecordingSession] = []
        /// Set when a tick should not wait for its time.
        var hurry = false
        var stopping = false
        var writerIsDone = false
        /// A session has come that the keeper has not reckoned with.
        var hasNew = false
    }

    private let state = Monitor(State())
    private let settings: Recorder.Settings
    private let journal: any RecordingJournal
    private let ended: @Sendable (RecordingSession, RecordingFacts) -> Void
    private let threads = Lock<[WorkerThread]>([])

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
        state.change {
            $0.sessions.append(session)
            $0.hurry = true
            $0.hasNew = true
        }
    }

    /// Ticks at once: something was asked of a session.
    func hurry() { state.change { $0.hurry = true } }

    /// Ends both threads once the sessions are over; those that run must have been asked to end.
    func stop() {
        state.change {
            $0.stopping = true
            $0.hurry = true
        }
        for thread in threads.withLock({ $0 }) { thread.join() }
    }

    // MARK: The writer

    private func write() {
        // A busy machine must not keep it from writing what a crash would cost.
        aircheck_favour_thread()
        var next = SystemTime().now
        while true {
            // Several times a second, and of no concern to the keeper: each of two threads waking the other cost more than
            // the writing.
            let (sessions, isOver) = state.quietly { state in
                state.hurry = false
                return (state.sessions, state.stopping && state.sessions.isEmpty)
            }
            if isOver { return state.change { $0.writerIsDone = true } }
            let over = sessions.filter { $0.tick() == .ended }
            if !over.isEmpty { handOver(over) }
            // Every so many seconds, however long the work has taken; and never later than that from now.
            let now = SystemTime().now
            next = min(
                max(next.advanced(bySeconds: settings.tickSeconds), now),
                now.advanced(bySeconds: settings.tickSeconds))
            // Without sessions there is nothing to wake up for but a new one.
            let patience = sessions.isEmpty ? nil : next.seconds(since: now)
            state.wait(atMost: patience) { $0.hurry ? true : nil }
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
        let sessions = state.quietly { $0.sessions }
        for (index, session) in sessions.enumerated() where index % rounds == round || session.isUnknown {
            session.keep(journal: journal)
        }
    }
}
