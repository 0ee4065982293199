internal import Platform

/// What is done with a recording once its files are closed, one after another on a thread of its own: it may take long,
/// and no other recording waits for it.
final class Aftercare: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isStopping = false
    }

    private let state = Monitor(State())
    private let thread = Lock<WorkerThread?>(nil)

    func add(_ job: @escaping @Sendable () -> Void) {
        thread.withLock { thread in
            if thread == nil { thread = WorkerThread(name: "aftercare") { self.work() } }
        }
        state.change { $0.jobs.append(job) }
    }

    /// True once `stop` has been called: what can be done another time is left.
    var isStopping: Bool { state.change { $0.isStopping } }

    /// Does what is queued and ends.
    func stop() {
        state.change { $0.isStopping = true }
        thread.withLock { $0 }?.join()
    }

    private func work() {
        while true {
            let job = state.wait { state -> (@Sendable () -> Void)?? in
                if !state.jobs.isEmpty { return .some(state.jobs.removeFirst()) }
                return state.isStopping ? .some(nil) : nil
            }
            guard let job else { return }
            job()
        }
    }
}
