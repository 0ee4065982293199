package import Platform
package import StreamFormats

/// A station's frames as MP3, for receivers that play nothing else: one process for as long as somebody listens.
///
/// Frames go in from any one thread; MP3 frames come out on a thread of the helper's, in order. When the process dies
/// another one goes on: what comes until it is there waits for it, so a listener hears a short break at most.
package final class LiveTranscoder: Sendable {
    private struct State {
        var process: HelperProcess?
        var format: AudioFormat?
        var isReady = false
        var hasJob = false
        /// After a job that failed, when the next may begin.
        var retryAt: MonotonicTime?
        var backlog = FrameBacklog()
    }

    private let state = Lock(State())
    private let bitrate: Int
    private let time: any TimeSource

    /// Seconds between a job that failed and the next: frames that cannot be decoded keep coming.
    private static let retrySeconds = 1.0

    /// - Parameters:
    ///   - bitrate: kbit/s, 32…320.
    ///   - encoded: whole MP3 frames, 44.1 kHz stereo, and where the first begins in the audio time of what went in
    ///     (nanoseconds); returns soon.
    ///   - failed: it cannot go on for now, and why.
    package init(
        bitrate: Int, time: any TimeSource = SystemTime(),
        encoded: @escaping @Sendable (_ position: Int64, _ frames: [UInt8]) -> Void,
        failed: @escaping @Sendable (String) -> Void
    ) {
        self.bitrate = bitrate
        self.time = time
        // Under the lock: the process may be ready before it has been put down.
        state.withLock { state in
            state.process = HelperProcess(
                launch: { () throws(MediaError) in
                    HelperLaunch(binary: try HelperBinary.find(), mode: .work)
                },
                silenceLimit: .infinity, time: time,
                changed: { [weak self] change in
                    if case .unavailable(let error) = change { failed(error.description) }
                    self?.changed(change)
                },
                received: { [weak self] event in
                    switch event {
                    case .encoded(let position, let bytes): encoded(position, bytes)
                    case .failed(_, let reason):
                        self?.jobFailed()
                        failed(reason)
                    default: break
                    }
                })
        }
    }

    deinit { end() }

    /// The frames that follow are of this format.
    package func change(to format: AudioFormat) {
        state.withLock { state in
            guard format != state.format else { return }
            state.format = format
            state.backlog = FrameBacklog()
            if state.hasJob {
                state.process?.send(.stream(id: 0, format: format, gain: 0))
            } else {
                begin(&state)
            }
        }
    }

    /// - Parameter position: where the first frame begins, in nanoseconds of the feed's audio time.
    package func push(_ run: FrameRun, at position: Int64) {
        state.withLock { state in
            begin(&state)
            guard state.hasJob else { return state.backlog.add(run, at: position) }
            send(run, at: position, &state)
        }
    }

    /// No more frames; what is inside still comes out, for a second at most.
    package func end() {
        state.withLock { state in
            if state.hasJob { state.process?.send(.finish(id: 0)) }
            state.hasJob = false
            state.isReady = false
            state.process?.end()
        }
    }

    /// The running process, 0 if there is none.
    package var processID: Int32 { state.withLock { $0.process?.counters.pid ?? 0 } }

    private func changed(_ change: HelperProcess.Change) {
        state.withLock { state in
            state.hasJob = false
            state.isReady = if case .ready = change { true } else { false }
            state.retryAt = nil
            begin(&state)
        }
    }

    private func jobFailed() {
        let now = time.now
        state.withLock { state in
            state.hasJob = false
            state.retryAt = now.advanced(bySeconds: Self.retrySeconds)
        }
    }

    /// Asks for the job if it can be asked for, and sends what has waited for it.
    private func begin(_ state: inout State) {
        guard state.isReady, !state.hasJob, let format = state.format,
            state.retryAt.map({ $0 <= time.now }) ?? true
        else { return }
        state.hasJob = true
        state.process?.send(.job(.transcode(format, bitrate: bitrate)))
        for (run, position) in state.backlog.take() { send(run, at: position, &state) }
    }

    private func send(_ run: FrameRun, at position: Int64, _ state: inout State) {
        let rate = Int64(max(state.format?.sampleRate ?? 1, 1))
        var samplesBefore: Int64 = 0
        for piece in run.pieces() {
            let place = position &+ samplesBefore * 1_000_000_000 / rate
            state.process?.send(.frames(id: 0, position: place, run: piece))
            samplesBefore += piece.samples
        }
    }
}

/// Frames that wait for a process; the oldest go when there are too many.
private struct FrameBacklog: Sendable {
    /// A minute of what is common; a new process takes a tenth of a second.
    private static let limit = 1 << 20

    private var runs: [(FrameRun, Int64)] = []
    private var bytes = 0

    mutating func add(_ run: FrameRun, at position: Int64) {
        runs.append((run, position))
        bytes += run.bytes.count
        while bytes > Self.limit, !runs.isEmpty { bytes -= runs.removeFirst().0.bytes.count }
    }

    mutating func take() -> [(FrameRun, Int64)] {
        defer { self = FrameBacklog() }
        return runs
    }
}
