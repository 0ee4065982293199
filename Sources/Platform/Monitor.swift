internal import CLinux

/// A `Lock` that a thread can wait at until another has changed the state. For threads of our own, never for tasks.
package final class Monitor<State>: @unchecked Sendable {
    // Sendable because `state` is only touched with `mutex` held.
    private var state: State
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>

    /// Takes the state that it guards from now on.
    package init(_ initial: State) {
        state = initial
        mutex = .allocate(capacity: 1)
        changed = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` with the state, alone, and wakes those who wait to look again. Any thread.
    @discardableResult
    package func change<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// Blocks until `look` finds what it wants and returns it. `look` runs with the lock held, after every change.
    package func wait<Result>(_ look: (inout State) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = look(&state) { return result }
            pthread_cond_wait(changed, mutex)
        }
    }
}
