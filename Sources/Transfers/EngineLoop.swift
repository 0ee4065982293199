internal import CCurl
internal import CLinux
internal import Glibc
import Platform

/// The engine's thread: waits for sockets, timers and jobs, and lets libcurl work on what is ready.
final class EngineLoop: @unchecked Sendable {
    // Sendable because other threads touch `inbox` and `wakeup` alone; all else is made before the thread starts and
    // touched by the thread only.
    private struct Inbox {
        var jobs: [(run: () -> Void, drop: () -> Void)] = []
        var isStopping = false
        var isClosed = false
        var thread: pthread_t?
    }

    private let inbox = Lock(Inbox())
    private let wakeup: FileDescriptor
    private let poller: FileDescriptor

    let settings: TransferEngine.Settings
    private let time: any TimeSource
    private let multi: OpaquePointer
    private var events = [epoll_event](repeating: epoll_event(), count: EngineLoop.eventsAtOnce)
    private var timers = TimerQueue()
    private var curlDue: MonotonicTime?
    /// Descriptors that are in the poller, and what for.
    private var watched: [Int32: UInt32] = [:]
    /// Sockets that are read in rounds, by their pace.
    private var rounds: [ReadingPace: ReadingRounds] = [:]
    /// One more with every round that is read.
    private(set) var roundNumber = 0
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    /// What libcurl forbids inside its callbacks, to be done right after.
    private var deferred: [() -> Void] = []

    /// Connections kept open for the next request to the same server.
    private static let idleConnections = 32
    private static let eventsAtOnce = 256
    /// So many transfers are a crowd.
    private static let crowd = 32
    /// Far below what anybody hears, far above what a turn costs.
    private static let restMicroseconds: UInt32 = 5_000

    init(settings: TransferEngine.Settings, time: any TimeSource) {
        self.settings = settings
        self.time = time
        wakeup = FileDescriptor(owning: eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)))
        poller = FileDescriptor(owning: epoll_create1(Int32(EPOLL_CLOEXEC)))
        guard let made = curl_multi_init() else { preconditionFailure("libcurl has no memory") }
        multi = OpaquePointer(made)
        watch(wakeup.number, events: UInt32(EPOLLIN.rawValue))
        aircheck_curl_multi_watch(
            made, socketForLoop, timerForLoop, Unmanaged.passUnretained(self).toOpaque())
        // One stream, one connection: streams that share one would wait for each other.
        aircheck_curl_multi_set_long(made, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
        aircheck_curl_multi_set_long(made, CURLMOPT_MAXCONNECTS, Self.idleConnections)
    }

    private var handle: UnsafeMutableRawPointer { UnsafeMutableRawPointer(multi) }

    // MARK: From any thread

    var isOnThread: Bool {
        inbox.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    func enqueue(_ job: @escaping @Sendable () -> Void, onDrop: @escaping @Sendable () -> Void = {}) {
        let wasEmpty = inbox.withLock { inbox -> Bool? in
            guard !inbox.isClosed else { return nil }
            inbox.jobs.append((job, onDrop))
            return inbox.jobs.count == 1
        }
        switch wasEmpty {
        case nil: onDrop()
        case true?: ring()
        case false?: break
        }
    }

    func askToStop() {
        inbox.withLock { $0.isStopping = true }
        ring()
    }

    private func ring() {
        var one: UInt64 = 1
        _ = write(wakeup.number, &one, 8)
    }

    // MARK: The thread

    func run() {
        // What waits in the kernel is what a crash would cost: a busy machine must not make that more.
        aircheck_favour_thread()
        inbox.withLock { $0.thread = pthread_self() }
        while takeJobs() {
            runTimers()
            finishDone()
            runDeferred()
            wait()
        }
        for transfer in transfers.values { transfer.end(in: handle) }
        transfers = [:]
        curl_multi_cleanup(handle)
    }

    /// Runs what others asked for. False when it is time to stop.
    private func takeJobs() -> Bool {
        let (jobs, isStopping) = inbox.withLock { inbox in
            let jobs = inbox.jobs
            inbox.jobs = []
            if inbox.isStopping { inbox.isClosed = true }
            return (jobs, inbox.isStopping)
        }
        for job in jobs {
            if isStopping { job.drop() } else { job.run() }
        }
        return !isStopping
    }

    private func runTimers() {
        let now = time.now
        while let job = timers.popDue(by: now) { job() }
        if let due = curlDue, due <= now {
            curlDue = nil
            act(on: CURL_SOCKET_TIMEOUT, events: 0)
        }
    }

    private func runDeferred() {
        while !deferred.isEmpty {
            let jobs = deferred
            deferred = []
            for job in jobs { job() }
            finishDone()
        }
    }

    private func wait() {
        if transfers.count >= Self.crowd { gather() }
        let count = epoll_wait(poller.number, &events, Int32(events.count), timeout)
        guard count > 0 else { return }
        for index in 0..<Int(count) {
            let event = events[index]
            if event.data.fd == wakeup.number {
                var value: UInt64 = 0
                _ = read(wakeup.number, &value, 8)
            } else if watched[event.data.fd] != nil {
                act(on: event.data.fd, events: curlEvents(event.events))
            }
        }
    }

    /// With many streams there is always one that is ready. A moment's rest lets more of them become so, and one turn of
    /// the loop serves them together.
    private func gather() {
        guard deferred.isEmpty else { return }
        usleep(Self.restMicroseconds)
    }

    /// Milliseconds until something is due; -1 for "whenever".
    private var timeout: Int32 {
        if !deferred.isEmpty { return 0 }
        guard let due = [timers.nextDue, curlDue].compactMap({ $0 }).min() else { return -1 }
        let left = due.seconds(since: time.now) * 1000
        return left <= 0 ? 0 : Int32(min(left.rounded(.up), 60_000))
    }

    private func act(on socket: curl_socket_t, events: Int32) {
        var running: Int32 = 0
        curl_multi_socket_action(handle, socket, events, &running)
    }

    private func curlEvents(_ events: UInt32) -> Int32 {
        var found: Int32 = 0
        if events & UInt32(EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0 { found |= CURL_CSELECT_IN }
        if events & UInt32(EPOLLOUT.rawValue) != 0 { found |= CURL_CSELECT_OUT }
        if events & UInt32(EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { found |= CURL_CSELECT_ERR }
        return found
    }

    // MARK: Transfers

    func start(_ request: TransferRequest, delegate: any TransferDelegate) -> Transfer {
        let transfer = Transfer(request, delegate: delegate, loop: self)
        deferred.append { [self] in begin(transfer) }
        return transfer
    }

    private func begin(_ transfer: Transfer) {
        guard !transfer.isOver else { return }
        let key = transfer.easyHandle
        transfers[key] = transfer
        if transfer.request.upload == nil {
            transfer.headTimer = after(transfer.request.headSeconds) { transfer.ranOutOfTime(forHead: true) }
        }
        if let total = transfer.request.totalSeconds {
            transfer.totalTimer = after(total) { transfer.ranOutOfTime(forHead: false) }
        }
        curl_multi_add_handle(handle, key)
    }

    /// Takes a transfer out as soon as libcurl allows it, tells nobody.
    func drop(_ transfer: Transfer) {
        deferred.append { [self] in remove(transfer) }
    }

    private func remove(_ transfer: Transfer) {
        transfer.end(in: handle)
        for timer in [transfer.headTimer, transfer.totalTimer].compactMap({ $0 }) { cancel(timer) }
        transfers[transfer.easyHandle] = nil
    }

    private func finishDone() {
        var code = CURLE_OK
        while let easy = aircheck_curl_next_done(handle, &code) {
            guard let transfer = transfers[easy] else { continue }
            if let target = transfer.nextHop() {
                curl_multi_remove_handle(handle, easy)
                transfer.turn(to: target)
                curl_multi_add_handle(handle, easy)
            } else {
                let result = transfer.result(code)
                remove(transfer)
                transfer.tell(result)
            }
        }
    }

    // MARK: Timers

    func after(_ seconds: Double, _ job: @escaping () -> Void) -> TimerID {
        TimerID(number: timers.add(at: time.now.advanced(bySeconds: seconds), job))
    }

    func cancel(_ timer: TimerID) { timers.cancel(timer.number) }

    // MARK: Reading in rounds

    /// From now on a socket that libcurl reads from is read at such a pace. Its end is still seen at once.
    func setPace(_ pace: ReadingPace, of socket: Int32) {
        guard watched[socket].map({ $0 & UInt32(EPOLLOUT.rawValue) == 0 }) == true else { return }
        leaveRounds(socket)
        guard let seconds = pace.seconds else { return watch(socket, events: UInt32(EPOLLIN.rawValue)) }
        watch(socket, events: UInt32(EPOLLRDHUP.rawValue))
        let group = rounds[pace] ?? ReadingRounds(seconds: seconds)
        rounds[pace] = group
        group.add(socket)
        if !group.isRunning { run(group) }
    }

    /// Reads at once what has come on a socket that waits for its round.
    func readNow(_ socket: Int32) {
        var left = ReadingRounds.readsPerRound
        while left > 0, watched[socket] != nil, aircheck_is_readable(socket) != 0 {
            act(on: socket, events: CURL_CSELECT_IN)
            left -= 1
        }
    }

    private func leaveRounds(_ socket: Int32) {
        for group in rounds.values { group.remove(socket) }
    }

    /// One round after another, as long as the group has sockets.
    private func run(_ group: ReadingRounds) {
        group.isRunning = true
        // By the clock and not from the end of the last round: the rounds of all groups fall together where they can.
        _ = after(group.secondsToNext(from: time.now)) { [self] in
            group.isRunning = false
            readRound(group)
            if !group.isEmpty { run(group) }
        }
    }

    private func readRound(_ group: ReadingRounds) {
        roundNumber += 1
        group.forEachReadable { socket, events in
            if watched[socket] != nil { act(on: socket, events: curlEvents(events)) }
        }
    }

    // MARK: What libcurl wants watched

    fileprivate func socketChanged(_ easy: UnsafeMutableRawPointer?, _ socket: Int32, what: Int32) {
        let transfer = easy.flatMap { transfers[$0] }
        leaveRounds(socket)
        transfer?.watches(what == CURL_POLL_REMOVE ? nil : socket)
        switch what {
        case CURL_POLL_IN: watch(socket, events: UInt32(EPOLLIN.rawValue))
        case CURL_POLL_OUT: watch(socket, events: UInt32(EPOLLOUT.rawValue))
        case CURL_POLL_INOUT: watch(socket, events: UInt32(EPOLLIN.rawValue | EPOLLOUT.rawValue))
        default:
            watched[socket] = nil
            epoll_ctl(poller.number, EPOLL_CTL_DEL, socket, nil)
        }
    }

    fileprivate func timerChanged(milliseconds: Int) {
        curlDue = milliseconds < 0 ? nil : time.now.advanced(bySeconds: Double(milliseconds) / 1000)
    }

    private func watch(_ descriptor: Int32, events: UInt32) {
        var event = epoll_event()
        event.events = events
        event.data.fd = descriptor
        let isNew = watched.updateValue(events, forKey: descriptor) == nil
        let code = epoll_ctl(poller.number, isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event)
        // A descriptor that was closed and given out again is new to the poller though we knew its number.
        if code != 0, !isNew { epoll_ctl(poller.number, EPOLL_CTL_ADD, descriptor, &event) }
    }
}

/// libcurl: watch this socket from now on, or no longer.
private nonisolated func socketForLoop(
    _ easy: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ what: Int32,
    _ context: UnsafeMutableRawPointer?,
    _ socketContext: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return -1 }
    Unmanaged<EngineLoop>.fromOpaque(context).takeUnretainedValue().socketChanged(easy, socket, what: what)
    return 0
}

/// libcurl: call me after so many milliseconds, or no longer.
private nonisolated func timerForLoop(
    _ multi: UnsafeMutableRawPointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let context else { return -1 }
    Unmanaged<EngineLoop>.fromOpaque(context).takeUnretainedValue().timerChanged(milliseconds: milliseconds)
    return 0
}
