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
            let sessions = state.change { state -> [RecordingSession]? in
                state.hurry = false
                guard !(state.stopping && state.sessions.isEmpty) else {
                    state.writerIsDone = true
                    return nil
                }
                return state.sessions
            }
            guard let sessions else { return }
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
        var round = 0
        while true {
            let patience = settings.syncSeconds / Double(Self.rounds)
            let work = state.wait(atMost: patience) { state -> (ending: [RecordingSession], isOver: Bool)? in
                guard !state.ending.isEmpty || state.writerIsDone else { return nil }
                defer { state.ending = [] }
                return (state.ending, state.writerIsDone)
            }
            for session in work?.ending ?? [] {
                ended(session, session.finish(journal: journal))
            }
            if work?.isOver == true { return }
            guard work == nil else { continue }
            synchronise(round: round)
            round = (round + 1) % Self.rounds
        }
    }

    /// A period of `syncSeconds` is cut into so many rounds, each with its share of the sessions: no rush at once.
    private static let rounds = 8

    private func synchronise(round: Int) {
        let sessions = state.change { $0.sessions }
        for (index, session) in sessions.enumerated() where index % Self.rounds == round || session.isUnknown
        {
            session.keep(journal: journal)
        }
    }
}
