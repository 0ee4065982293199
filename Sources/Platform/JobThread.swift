/// Does what may take long one after another, on a thread of its own, which begins with the first job.
package final class JobThread: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var isStopping = false
    }

    private let name: String
    private let limit: Int
    private let state = Monitor(State())
    private let thread = Lock<WorkerThread?>(nil)

    /// - Parameter limit: as many may wait; more are refused.
    package init(_ name: String, limit: Int = .max) {
        self.name = name
        self.limit = limit
    }

    /// Never blocks.
    /// - Returns: false where too many wait, or the thread is being stopped.
    @discardableResult
    package func add(_ job: @escaping @Sendable () -> Void) -> Bool {
        let isTaken = state.change { state in
            guard state.waiting.count < limit, !state.isStopping else { return false }
            state.waiting.append(job)
            return true
        }
        guard isTaken else { return false }
        thread.withLock { thread in
            if thread == nil { thread = WorkerThread(name: name) { [self] in work() } }
        }
        return true
    }

    /// True once `stop` has been called: what can be done another time is left.
    package var isStopping: Bool { state.change { $0.isStopping } }

    /// Takes nothing more, does what waits, and ends. Blocks.
    package func stop() {
        state.change { $0.isStopping = true }
        thread.withLock { $0 }?.join()
    }

    private func work() {
        while true {
            let job = state.wait { state -> (@Sendable () -> Void)?? in
                if !state.waiting.isEmpty { return .some(state.waiting.removeFirst()) }
                return state.isStopping ? .some(nil) : nil
            }
            guard let job else { return }
            job()
        }
    }
}
