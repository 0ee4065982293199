internal import Platform

/// One thread that does one job after another, in the order they came.
///
/// The queue is bounded: `submit` says no when it is full.
final class Worker: Sendable {
    typealias Job = @Sendable () -> Void

    private struct State {
        var jobs: [Job] = []
        var stopping = false
    }

    private let queue: Monitor<State>
    private let limit: Int
    private let thread: WorkerThread

    /// Starts the thread. `name` is shown by top and gdb, at most 15 bytes.
    init(name: String, limit: Int) {
        let queue = Monitor(State())
        self.queue = queue
        self.limit = limit
        thread = WorkerThread(name: name) {
            while let batch = Self.nextBatch(queue) {
                for job in batch { job() }
            }
        }
    }

    /// Puts a job at the end; false when the queue is full or the worker has been stopped.
    func submit(_ job: @escaping Job) -> Bool {
        queue.change { state in
            guard !state.stopping, state.jobs.count < limit else { return false }
            state.jobs.append(job)
            return true
        }
    }

    var isStopped: Bool { queue.change { $0.stopping } }

    /// Does what is queued, ends the thread and waits for it; on the worker's own thread it does not wait.
    func stop() {
        queue.change { $0.stopping = true }
        thread.join()
    }

    /// What waits, as soon as something does; nil at the end.
    private static func nextBatch(_ queue: Monitor<State>) -> [Job]? {
        queue.wait { state -> [Job]?? in
            guard state.jobs.isEmpty else {
                defer { state.jobs = [] }
                return .some(state.jobs)
            }
            return state.stopping ? .some(nil) : nil
        }
    }
}

/// Where a thread waits for what another does.
final class Answer<Value: Sendable>: Sendable {
    private let outcome = Monitor<Result<Value, any Error>?>(nil)

    func give(_ result: Result<Value, any Error>) { outcome.change { $0 = result } }
    func wait() -> Result<Value, any Error> { outcome.wait { $0 } }
}
