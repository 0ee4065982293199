internal import MediaHelper
internal import Platform

/// The mixer, shared between the thread that brings frames and the one that wants sound.
///
/// Decoding happens inside the lock, on the output's thread: a block of 10 ms costs some 10 µs of it.
final class PlayEngine: Sendable {
    let rate: Int
    private let mixer: Lock<Mixer>
    private let tell: @Sendable (HelperEvent) -> Void

    init(rate: Int, measuresLoudness: Bool, tell: @escaping @Sendable (HelperEvent) -> Void) {
        self.rate = rate
        mixer = Lock(Mixer(rate: rate, measuresLoudness: measuresLoudness))
        self.tell = tell
    }

    /// The command thread. Commands that are not for a mixer are left alone.
    func handle(_ command: HelperCommand) {
        mixer.withLock { mixer in
            switch command {
            case .stream(let id, let format, let gain, let isStored):
                mixer.stream(id, format, gain: gain, isStored: isStored)
            case .frames(let id, let position, let run): mixer.frames(id, run, position: position)
            case .select(let id, let fade): mixer.select(id, fade: fade)
            case .finish(let id): mixer.finish(id)
            case .drop(let id, let fade): mixer.drop(id, fade: fade)
            case .volume(let volume, let ramp): mixer.setVolume(volume, ramp: ramp)
            case .mute(let muted): mixer.setMuted(muted)
            case .gain(let id, let decibels): mixer.setGain(id, decibels)
            case .hold(let id, let isHeld): mixer.hold(id, isHeld)
            case .speed(let id, let speed): mixer.setSpeed(id, speed)
            case .open, .stop, .job: break
            }
        }
    }

    /// The output's thread: fills the whole buffer with interleaved stereo.
    func render(into output: UnsafeMutableBufferPointer<Float>) {
        let events = mixer.withLock { mixer in
            mixer.render(into: output)
            return mixer.takeEvents()
        }
        for event in events { tell(event) }
    }

    /// Says where playing stands.
    func report(latency: Double, deviceUnderruns: UInt32) {
        tell(
            .progress(mixer.withLock { $0.takeProgress(latency: latency, deviceUnderruns: deviceUnderruns) }))
    }

    func silence(over milliseconds: UInt32) { mixer.withLock { $0.silence(over: milliseconds) } }

    var waitsForSound: Bool { mixer.withLock { $0.waitsForSound } }
    var isAboutToBegin: Bool { mixer.withLock { $0.isAboutToBegin } }
    var isIdle: Bool { mixer.withLock { $0.isIdle } }
    var hasSounded: Bool { mixer.withLock { $0.hasSounded } }
}
