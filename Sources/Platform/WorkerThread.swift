internal import CLinux

/// A thread of our own, for what blocks or loops: libcurl, SQLite, the disk, a reactor.
///
/// The thread must be told to end by its owner's own means; `join` then waits for it.
package final class WorkerThread: Sendable {
    private struct State {
        var thread: pthread_t?
    }

    private let state: Lock<State>

    /// Starts a thread that runs `body` and ends with it.
    /// - Parameter name: at most 15 bytes, shown by top and gdb.
    package init(name: String, body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work(name: name, body: body))
        let code = pthread_create(&thread, nil, runWork, work.toOpaque())
        precondition(
            code == 0, "no thread left for \(name): \(SystemError(code: code, while: "starting it"))")
        state = Lock(State(thread: thread))
    }

    /// Waits until the thread has ended. The second call returns at once, and so does one from the thread itself.
    package func join() {
        let thread = state.withLock { state -> pthread_t? in
            guard let thread = state.thread, pthread_equal(thread, pthread_self()) == 0 else { return nil }
            state.thread = nil
            return thread
        }
        if let thread { pthread_join(thread, nil) }
    }

    deinit {
        state.withLock { state in
            if let thread = state.thread { pthread_detach(thread) }
        }
    }
}

private final class Work {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

/// Where every such thread begins; takes back the reference that `init` gave away.
private nonisolated func runWork(_ opaque: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let opaque else { return nil }
    let work = Unmanaged<Work>.fromOpaque(opaque).takeRetainedValue()
    aircheck_name_thread(work.name)
    work.body()
    return nil
}
