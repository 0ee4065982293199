internal import Platform
package import StreamFormats

/// A station's frames as MP3, for receivers that play nothing else: one process for as long as somebody listens.
///
/// Frames go in from any one thread; MP3 frames come out on a thread of the helper's, in order. When the process dies
/// another one goes on with the frames that come then: a listener hears a short break.
package final class LiveTranscoder: Sendable {
    private struct State {
        var format: AudioFormat?
        var isReady = false
        var hasJob = false
    }

    private let state = Lock(State())
    private let process = Lock<HelperProcess?>(nil)
    private let bitrate: Int

    /// - Parameters:
    ///   - bitrate: kbit/s, 32…320.
    ///   - encoded: whole MP3 frames, 44.1 kHz stereo; returns soon.
    ///   - failed: it cannot go on, and why.
    package init(
        bitrate: Int, encoded: @escaping @Sendable ([UInt8]) -> Void,
        failed: @escaping @Sendable (String) -> Void
    ) {
        self.bitrate = bitrate
        let started = HelperProcess(
            launch: { () throws(MediaError) in HelperLaunch(binary: try HelperBinary.find(), mode: .work) },
            silenceLimit: .infinity,
            changed: { [weak self] change in
                if case .unavailable(let error) = change { failed(error.description) }
                self?.changed(change)
            },
            received: { event in
                switch event {
                case .encoded(let bytes): encoded(bytes)
                case .failed(_, let reason): failed(reason)
                default: break
                }
            })
        process.withLock { $0 = started }
    }

    deinit { end() }

    /// The frames that follow are of this format.
    package func change(to format: AudioFormat) {
        tell { state in
            state.format = format
            guard state.isReady else { return nil }
            defer { state.hasJob = true }
            return state.hasJob
                ? .stream(id: 0, format: format, gain: 0) : .job(.transcode(format, bitrate: bitrate))
        }
    }

    package func push(_ run: FrameRun) {
        for piece in run.pieces() {
            tell { $0.hasJob ? .frames(id: 0, position: 0, run: piece) : nil }
        }
    }

    /// No more frames; what is inside still comes out, for a second at most.
    package func end() {
        tell { $0.hasJob ? .finish(id: 0) : nil }
        process.withLock { $0 }?.end()
    }

    private func changed(_ change: HelperProcess.Change) {
        tell { state in
            guard case .ready = change else {
                (state.isReady, state.hasJob) = (false, false)
                return nil
            }
            state.isReady = true
            guard let format = state.format else { return nil }
            state.hasJob = true
            return .job(.transcode(format, bitrate: bitrate))
        }
    }

    private func tell(_ decide: (inout State) -> HelperCommand?) {
        guard let command = state.withLock({ decide(&$0) }) else { return }
        process.withLock { $0 }?.send(command)
    }
}
