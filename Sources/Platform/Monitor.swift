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
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // Waits that end by time must not notice when somebody sets the clock.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
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
            // Whoever is woken wants the mutex: awake before it is free, it would go to sleep once more.
            pthread_mutex_unlock(mutex)
            pthread_cond_broadcast(changed)
        }
        return try body(&state)
    }

    /// Runs `body` with the state, alone, and wakes nobody: for what no one waits for. Any thread.
    package func quietly<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
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

    /// The same, but gives up after so many seconds and returns nil; nil seconds never do.
    @discardableResult
    package func wait<Result>(atMost seconds: Double?, _ look: (inout State) -> Result?) -> Result? {
        guard let seconds else { return wait(look) }
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let nanoseconds = end.tv_nsec + Int(seconds * 1e9)
        end.tv_sec += nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = look(&state) { return result }
            if pthread_cond_timedwait(changed, mutex, &end) == ETIMEDOUT { return look(&state) }
        }
    }

    /// The same, for `seconds` at most; nil when the time is up. Spurious wakes do not lengthen it.
    package func wait<Result>(forSeconds seconds: Double, _ look: (inout State) -> Result?) -> Result? {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let nanoseconds = Int64(end.tv_nsec) + Int64(min(max(seconds, 0), 1e6) * 1e9)
        end.tv_sec += Int(nanoseconds / 1_000_000_000)
        end.tv_nsec = Int(nanoseconds % 1_000_000_000)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = look(&state) { return result }
            if pthread_cond_timedwait(changed, mutex, &end) == ETIMEDOUT { return look(&state) }
        }
    }
}
