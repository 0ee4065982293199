internal import CLinux
internal import Glibc
package import Platform

/// One playing helper, kept alive: started, fed, listened to, and started again when it dies or falls silent.
///
/// `send` never blocks; a thread of its own does all I/O. `changed` and `received` are called on that thread, in order,
/// with no lock held; they must return soon.
package final class HelperProcess: Sendable {
    /// What happened to the process.
    package enum Change: Sendable, Hashable {
        /// A new one is there and knows nothing: say everything again.
        case ready(restarts: Int)
        /// It is gone; another is on its way.
        case lost
        /// None can be started; it is tried again now and then.
        case unavailable(MediaError)
    }

    package struct Counters: Sendable, Hashable {
        package var restarts = 0
        /// Runs of frames that were thrown away because the helper did not keep up.
        package var droppedRuns = 0
        /// The running process, 0 if there is none.
        package var pid: Int32 = 0
    }

    /// Bytes that may wait for the helper; frames beyond are dropped, commands never.
    private static let queueLimit = 8 << 20
    /// A player that says nothing for so long hangs and is ended. It reports 20 times a second.
    package static let usualSilenceLimit = 5.0

    struct State {
        var pending: [HelperCommand] = []
        var pendingBytes = 0
        /// Bytes taken by the thread and not yet sent.
        var unsentBytes = 0
        var isEnding = false
        var counters = Counters()
    }

    private let shared = Lock(State())
    private let bell: Bell
    private let thread: WorkerThread

    /// Starts the thread, and on it the process.
    /// - Parameters:
    ///   - launch: asked before every start, so that a binary that was missing may come.
    ///   - silenceLimit: seconds without a word after which it is taken to hang.
    package init(
        launch: @escaping @Sendable () throws(MediaError) -> HelperLaunch,
        silenceLimit: Double = usualSilenceLimit,
        time: any TimeSource = SystemTime(),
        changed: @escaping @Sendable (Change) -> Void, received: @escaping @Sendable (HelperEvent) -> Void
    ) {
        bell = Bell()
        let supervisor = HelperSupervisor(
            shared: shared, bell: bell, launch: launch, time: time, silenceLimit: silenceLimit,
            changed: changed,
            received: received)
        thread = WorkerThread(name: "media-link") { supervisor.run() }
    }

    deinit { end() }

    /// Queues a command. Any thread. False if it was thrown away.
    @discardableResult
    package func send(_ command: HelperCommand) -> Bool {
        let size = command.frameBytes
        let taken = shared.withLock { state in
            guard size == 0 || state.pendingBytes + state.unsentBytes + size <= Self.queueLimit else {
                state.counters.droppedRuns += 1
                return false
            }
            state.pending.append(command)
            state.pendingBytes += size
            return true
        }
        if taken { bell.ring() }
        return taken
    }

    /// Asks the helper to fade out and leave, and stops restarting it. Any thread; returns at once.
    package func end() {
        shared.withLock { $0.isEnding = true }
        bell.ring()
    }

    /// Waits until the helper has left after `end`; a second or so. Not from the callbacks.
    package func join() { thread.join() }

    package var counters: Counters { shared.withLock { $0.counters } }
}

extension HelperCommand {
    /// Bytes of audio in it; 0 for what must not be lost.
    fileprivate var frameBytes: Int {
        if case .frames(_, _, let run) = self { run.bytes.count } else { 0 }
    }
}
