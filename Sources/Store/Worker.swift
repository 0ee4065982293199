internal import Platform

/// One thread that does one job after another, in the order they came.
///
/// The queue is bounded: `submit` says no when it is full.
final class Worker: Sendable {
    typealias Job = @Sendable () -> Void

    private struct State {
        var jobs: [Job] = []
        var stopping = false
        /// Done once when the thread has had nothing to do for so long.
        var later: (job: Job, seconds: Double)?

        mutating func takeLater() -> Job? {
            defer { later = nil }
            return later?.job
        }
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
            while case .jobs(let jobs) = Self.next(queue) {
                for job in jobs { job() }
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

    /// Does `job` once the thread has been idle for `seconds`; a second one takes the place of the first. Not done any
    /// more after `stop`.
    func submit(afterSeconds seconds: Double, _ job: @escaping Job) {
        queue.change { $0.later = (job, seconds) }
    }

    var isStopped: Bool { queue.change { $0.stopping } }

    /// Does what is queued, ends the thread and waits for it; on the worker's own thread it does not wait.
    func stop() {
        queue.change { $0.stopping = true }
        thread.join()
    }

    private enum Next {
        case jobs([Job])
        /// There is a pause to wait out before a job that was put off.
        case pause(Double)
        case end
    }

    /// What is to be done, as soon as there is something.
    private static func next(_ queue: Monitor<State>) -> Next {
        while true {
            guard case .pause(let seconds) = queue.wait(look) else { return queue.wait(take) }
            if let next = queue.wait(forSeconds: seconds, take) { return next }
            if let job = queue.change({ $0.takeLater() }) { return .jobs([job]) }
        }
    }

    /// Nil while there is nothing to do and no end in sight.
    private static func take(_ state: inout State) -> Next? {
        if state.jobs.isEmpty { return state.stopping ? .end : nil }
        let jobs = state.jobs
        state.jobs = []
        return .jobs(jobs)
    }

    /// The same without taking anything, and wakes for a job that has been put off.
    private static func look(_ state: inout State) -> Next? {
        if !state.jobs.isEmpty { return .jobs([]) }
        if state.stopping { return .end }
        return state.later.map { .pause($0.seconds) }
    }
}

/// Where a thread waits for what another does.
final class Answer<Value: Sendable>: Sendable {
    private let outcome = Monitor<Result<Value, any Error>?>(nil)

    func give(_ result: Result<Value, any Error>) { outcome.change { $0 = result } }
    func wait() -> Result<Value, any Error> { outcome.wait { $0 } }
}
