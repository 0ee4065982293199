internal import Platform

/// A few threads for routes that may wait for SQLite, a disk or a room, so that no loop ever does.
final class APIWorkers: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isClosed = false
    }

    /// Calls that may wait; beyond that a caller is told to come back.
    static let limit = 256

    private let state = Lock(State())
    private let wake = Semaphore()
    private let threads: Lock<[WorkerThread]>

    init(count: Int = 4) {
        threads = Lock([])
        let made = (0..<count).map { index in
            WorkerThread(name: "api-\(index)") { [state, wake] in Self.work(state, wake) }
        }
        threads.withLock { $0 = made }
    }

    deinit { close() }

    /// False when too many wait already. Any thread.
    func submit(_ job: @escaping @Sendable () -> Void) -> Bool {
        let isAccepted = state.withLock { state in
            guard !state.isClosed, state.jobs.count < Self.limit else { return false }
            state.jobs.append(job)
            return true
        }
        if isAccepted { wake.signal() }
        return isAccepted
    }

    /// Does what waits, then ends the threads.
    func close() {
        state.withLock { $0.isClosed = true }
        let all = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for _ in all { wake.signal() }
        for thread in all { thread.join() }
    }

    private static func work(_ state: Lock<State>, _ wake: Semaphore) {
        while true {
            wake.wait()
            let (job, isClosed) = state.withLock { state in
                (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isClosed)
            }
            if let job { job() } else if isClosed { return }
        }
    }
}
