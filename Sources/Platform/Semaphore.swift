internal import CLinux

/// Counts signals; a thread waits until there is one. For threads of our own, never for tasks.
package final class Semaphore: @unchecked Sendable {
    // Sendable because the kernel's semaphore is made for several threads; the pointer never changes.
    private let semaphore: UnsafeMutablePointer<sem_t>

    package init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    package func signal() { sem_post(semaphore) }

    package func wait() {
        while sem_wait(semaphore) != 0 {}
    }

    /// Waits at most so many seconds; false when no signal came.
    package func wait(seconds: Double) -> Bool {
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        let nanoseconds = Int64(deadline.tv_nsec) + Int64(max(0, min(seconds, 1e9)) * 1e9)
        deadline.tv_sec += Int(nanoseconds / 1_000_000_000)
        deadline.tv_nsec = Int(nanoseconds % 1_000_000_000)
        return sem_timedwait(semaphore, &deadline) == 0
    }
}
