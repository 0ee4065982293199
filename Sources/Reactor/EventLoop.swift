internal import CLinux
package import Platform
internal import Synchronization

/// One thread that waits for descriptors, timers and jobs, and does what they ask, one after another.
///
/// Everything that belongs to a loop is touched on its thread only, so it needs no lock. Nothing on it may block.
/// The thread keeps the loop alive until `stop`.
package final class EventLoop: @unchecked Sendable {
    // Sendable because `watches` and `timers` are touched on the loop's thread only (checked), the inbox has a lock, the
    // thread's number is atomic and the rest never changes.
    private struct Inbox {
        var jobs: [@Sendable () -> Void] = []
        var isOpen = true
    }

    /// Shown by top and gdb; at most 15 bytes.
    package let name: String
    private let epoll: FileDescriptor
    private let bell: FileDescriptor
    private let inbox = Lock(Inbox())
    private let thread = Atomic<UInt>(0)
    private let handle = Lock<pthread_t?>(nil)
    private let time = SystemTime()
    private var watches = WatchTable()
    private var timers = TimerHeap()

    /// Ready descriptors taken from the kernel at a time.
    private static let batch: Int32 = 512
    /// The tag under which epoll reports the bell; no token has it, since slot numbers stay below 2³².
    private static let bellMark = UInt64.max

    /// Starts the thread.
    /// - Throws: `SystemError` when the process has no descriptors or threads left.
    package init(name: String) throws(SystemError) {
        self.name = name
        let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw SystemError(while: "creating an event loop") }
        self.epoll = FileDescriptor(owning: epoll)
        let bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard bell >= 0 else { throw SystemError(while: "creating an event loop's bell") }
        self.bell = FileDescriptor(owning: bell)
        try control(EPOLL_CTL_ADD, bell, .readable, mark: Self.bellMark)
        try start()
    }

    private func start() throws(SystemError) {
        var created = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        let failure = pthread_create(&created, nil, runEventLoop, context)
        guard failure == 0 else {
            Unmanaged<EventLoop>.fromOpaque(context).release()
            throw SystemError(code: failure, while: "starting the thread \(name)")
        }
        handle.withLock { $0 = created }
    }

    /// True on the loop's own thread.
    package var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    // MARK: Jobs

    /// Runs `job` on the loop's thread, in the order of the calls. Any thread. After `stop` jobs are let go unrun.
    package func submit(_ job: @escaping @Sendable () -> Void) {
        let mustRing = inbox.withLock { inbox in
            guard inbox.isOpen else { return false }
            inbox.jobs.append(job)
            return inbox.jobs.count == 1
        }
        if mustRing && !isCurrent { ring() }
    }

    /// At once when already on the loop's thread, else as `submit`.
    package func run(_ job: @escaping @Sendable () -> Void) {
        if isCurrent { job() } else { submit(job) }
    }

    private func ring() {
        var one: UInt64 = 1
        _ = write(bell.number, &one, 8)
    }

    // MARK: Timers

    /// Runs `job` on the loop's thread, once, after so many seconds (0 or more). Any thread.
    @discardableResult
    package func after(_ seconds: Double, _ job: @escaping @Sendable () -> Void) -> LoopTimer {
        schedule(LoopTimer(interval: nil, job: job), in: seconds)
    }

    /// Runs `job` on the loop's thread every so many seconds, first after that time. Late firings are not made up for.
    @discardableResult
    package func every(_ seconds: Double, _ job: @escaping @Sendable () -> Void) -> LoopTimer {
        precondition(seconds > 0, "a timer needs an interval above zero")
        return schedule(LoopTimer(interval: Nanoseconds.of(seconds), job: job), in: seconds)
    }

    private func schedule(_ timer: LoopTimer, in seconds: Double) -> LoopTimer {
        let deadline = time.now.advanced(bySeconds: max(0, seconds)).nanoseconds
        run { self.timers.add(timer, at: deadline) }
        return timer
    }

    // MARK: Descriptors

    /// Tells `handler` when the descriptor is ready. Loop thread. The descriptor stays the caller's, and must be
    /// unwatched before it is closed.
    /// - Parameter tag: handed back with every event; the handler's own business.
    /// - Throws: `SystemError`, as epoll_ctl(2).
    package func watch(
        _ descriptor: Int32, for events: IOEvents, handler: any EventHandler, tag: UInt64 = 0
    ) throws(SystemError) -> WatchToken {
        checkThread()
        let token = watches.add(descriptor, handler: handler, tag: tag)
        do {
            try control(EPOLL_CTL_ADD, descriptor, events, mark: token.rawValue)
        } catch {
            _ = watches.remove(token)
            throw error
        }
        return token
    }

    /// Changes what is told about a watched descriptor. Loop thread. A stale token does nothing.
    package func modify(_ token: WatchToken, to events: IOEvents) {
        checkThread()
        guard let slot = watches[token] else { return }
        do {
            try control(EPOLL_CTL_MOD, slot.descriptor, events, mark: token.rawValue)
        } catch {
            Log.error("reactor", "epoll refused a change", ["loop": name, "error": "\(error)"])
        }
    }

    /// No more events for this token, not even those that came in the same batch. Loop thread. May be called twice.
    package func unwatch(_ token: WatchToken) {
        checkThread()
        guard let descriptor = watches.remove(token) else { return }
        epoll_ctl(epoll.number, EPOLL_CTL_DEL, descriptor, nil)
    }

    /// How many descriptors are watched. Loop thread.
    package var watchCount: Int {
        checkThread()
        return watches.count
    }

    private func checkThread() { precondition(isCurrent, "this belongs to the thread of loop \(name)") }

    private func control(_ operation: Int32, _ descriptor: Int32, _ events: IOEvents, mark: UInt64)
        throws(SystemError)
    {
        var event = epoll_event()
        event.events = events.rawValue
        event.data.u64 = mark
        guard epoll_ctl(epoll.number, operation, descriptor, &event) == 0 else {
            throw SystemError(while: "watching a descriptor")
        }
    }

    // MARK: Ending

    /// Ends the loop: jobs already submitted are run, then the thread ends and what it watched is let go (not closed).
    /// From another thread it returns when the thread has ended. May be called twice.
    package func stop() {
        inbox.withLock { $0.isOpen = false }
        ring()
        if isCurrent { return }
        if let thread = handle.withLock({ $0.take() }) { pthread_join(thread, nil) }
    }

    // MARK: The thread

    fileprivate func runUntilStopped() {
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        aircheck_name_thread(name)
        let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: Int(Self.batch))
        defer { events.deallocate() }
        while runJobs() {
            runTimers()
            let count = epoll_wait(epoll.number, events, Self.batch, timeout())
            for index in 0..<Int(max(0, count)) { dispatch(events[index]) }
        }
        watches.removeAll()
        timers.removeAll()
    }

    private func dispatch(_ event: epoll_event) {
        if event.data.u64 == Self.bellMark {
            var rings: UInt64 = 0
            _ = read(bell.number, &rings, 8)
        } else if let slot = watches[WatchToken(rawValue: event.data.u64)] {
            slot.handler?.ready(IOEvents(rawValue: event.events), tag: slot.tag)
        }
    }

    /// Runs what was submitted. False when the loop is closed and nothing was left.
    private func runJobs() -> Bool {
        let (jobs, isOpen) = inbox.withLock { inbox in
            let jobs = inbox.jobs
            inbox.jobs = []
            return (jobs, inbox.isOpen)
        }
        for job in jobs { job() }
        return isOpen || !jobs.isEmpty
    }

    private func runTimers() {
        let now = time.now.nanoseconds
        while let timer = timers.popDue(at: now) { timer.fire() }
    }

    /// Milliseconds that the kernel may wait, rounded up so that no timer is early; -1 is for ever.
    private func timeout() -> Int32 {
        if inbox.withLock({ !$0.jobs.isEmpty || !$0.isOpen }) { return 0 }
        guard let soonest = timers.soonest else { return -1 }
        let wait = soonest - time.now.nanoseconds
        return Int32(clamping: max(0, (wait + 999_999) / 1_000_000))
    }
}

/// The body of a loop's thread. Next: the loop runs until `stop`, then its last reference goes.
private func runEventLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().runUntilStopped()
    return nil
}
