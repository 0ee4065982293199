internal import CCurl
internal import CLinux
internal import Glibc
package import Platform

/// Every outgoing connection of the process, on one thread: libcurl's multi interface over epoll.
///
/// State that belongs to transfers may live on this thread without a lock: `run` brings a job here, `after` brings it
/// later, and every delegate is called here.
package final class TransferEngine: Sendable {
    /// How all requests are made.
    package struct Settings: Sendable {
        /// Never anything with "Mozilla" in it: old servers answer that with their web page.
        package var userAgent = "aircheck"
        /// Seconds for name, connection and handshake together.
        package var connectSeconds = 8.0
        /// A proxy for all requests that have none of their own.
        package var proxy: String?
        /// PEM file of more certificate authorities; nil for the system's.
        package var authorities: String?
        /// Every request may go to addresses of this machine and network, whoever named them.
        package var allowsLocalAddresses = false

        package init() {}
    }

    let loop: EngineLoop
    private let thread: Lock<WorkerThread?>

    /// Starts the thread. There is one engine in a process.
    package init(_ settings: Settings = Settings(), time: any TimeSource = SystemTime()) {
        _ = Self.libraryIsReady
        let loop = EngineLoop(settings: settings, time: time)
        self.loop = loop
        thread = Lock(WorkerThread(name: "transfers") { loop.run() })
    }

    deinit { stop() }

    /// Runs a job on the engine's thread, soon. Any thread. After `stop` it is dropped, and `onDrop` called instead.
    package func run(_ job: @escaping @Sendable () -> Void, onDrop: @escaping @Sendable () -> Void = {}) {
        loop.enqueue(job, onDrop: onDrop)
    }

    /// Runs a job on the engine's thread and waits for what it returns. Never from that thread.
    package func sync<Result: Sendable>(_ job: @escaping @Sendable () -> Result) -> Result? {
        precondition(!isOnThread, "the engine's thread would wait for itself")
        let box = Lock<Result?>(nil)
        let done = Semaphore()
        loop.enqueue {
            let result = job()
            box.withLock { $0 = result }
            done.signal()
        } onDrop: {
            done.signal()
        }
        done.wait()
        return box.withLock { $0 }
    }

    /// True on the engine's thread.
    package var isOnThread: Bool { loop.isOnThread }

    /// Begins a request. On the engine's thread only; the delegate is kept until the end.
    @discardableResult
    package func start(_ request: TransferRequest, delegate: any TransferDelegate) -> Transfer {
        preconditionOnThread()
        return loop.start(request, delegate: delegate)
    }

    /// Runs a job on the engine's thread after so many seconds. On that thread only.
    @discardableResult
    package func after(_ seconds: Double, _ job: @escaping () -> Void) -> TimerID {
        preconditionOnThread()
        return loop.after(seconds, job)
    }

    /// Forgets a job of `after`. On the engine's thread only; late calls do nothing.
    package func cancel(_ timer: TimerID) {
        preconditionOnThread()
        loop.cancel(timer)
    }

    /// Breaks off every transfer, tells nobody, and waits for the thread. May be called twice.
    package func stop() {
        loop.askToStop()
        let ending = thread.withLock { thread -> WorkerThread? in
            defer { thread = nil }
            return thread
        }
        ending?.join()
    }

    private func preconditionOnThread() { precondition(isOnThread, "this belongs on the engine's thread") }

    /// libcurl's own start, once in a process; writes to broken connections must be errors, not signals.
    private static let libraryIsReady: Bool = {
        signal(SIGPIPE, SIG_IGN)
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()
}

/// One job asked for with `after`.
package struct TimerID: Sendable, Hashable {
    let number: Int
}
