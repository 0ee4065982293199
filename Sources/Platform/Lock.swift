internal import CLinux

/// Guards one private state with a pthread mutex.
///
/// ThreadSanitizer sees pthread mutexes and does not see `Synchronization.Mutex` on Linux, so this is the lock of
/// the whole project. Never call out, never write to a descriptor and never `await` while it is held.
package final class Lock<State>: @unchecked Sendable {
    // Sendable because `state` is only touched between lock and unlock below.
    private var state: State
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Takes the state that the lock guards from now on.
    package init(_ initial: State) {
        state = initial
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the state, alone. Any thread.
    @discardableResult
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }
}
