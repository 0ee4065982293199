/// What the helper says.
package enum HelperEvent: Sendable, Hashable {
    /// First message: it runs and speaks this version.
    case ready(version: UInt16)
    /// About 20 times a second as long as an output is open; also the sign of life.
    case progress(PlayProgress)
    /// Stream `id` is what is heard from now on; also after it had run dry.
    case sounding(id: UInt32)
    /// Stream `id` ran dry; it sounds again by itself when enough has arrived.
    case starved(id: UInt32)
    /// Stream `id` has played out after `finish`.
    case finished(id: UInt32)
    case device(DeviceState)
    /// Loudness of stream `id` since it was opened, LUFS, and of the last 3 s.
    case loudness(id: UInt32, integrated: Double, shortTerm: Double)
    /// What the decoder found in stream `id`; HE-AAC is only seen here.
    case facts(id: UInt32, sampleRate: Int, channels: Int, decoder: String)
    /// The job, or stream `id`, cannot go on.
    case failed(id: UInt32, reason: String)
    /// Work mode, pieces of an answer; `done` ends them.
    case features(FrameFeatures)
    case sound(MonoSound)
    case analysis(AudioAnalysis)
    case remuxed(RemuxResult)
    /// MP3 frames of a transcoding job; `position` is where the first begins, in the audio time of what went in.
    case encoded(position: Int64, [UInt8])
    case done
}

/// Where playing stands.
package struct PlayProgress: Sendable, Hashable {
    /// The stream that is heard; 0 is none.
    package var stream: UInt32
    /// The place in the feed's audio time that leaves the speaker now, nanoseconds.
    package var position: Int64
    /// Seconds of sound that wait in the helper, frames and samples together.
    package var buffered: Double
    /// How often a stream ran dry, and how often the sound server did.
    package var underruns: UInt32
    package var deviceUnderruns: UInt32
    /// Parts per million by which playing is faster than the nominal rate.
    package var drift: Double
    package var levels: AudioLevels

    package init(
        stream: UInt32, position: Int64, buffered: Double, underruns: UInt32, deviceUnderruns: UInt32,
        drift: Double,
        levels: AudioLevels
    ) {
        self.stream = stream
        self.position = position
        self.buffered = buffered
        self.underruns = underruns
        self.deviceUnderruns = deviceUnderruns
        self.drift = drift
        self.levels = levels
    }
}

/// Level of what a station sends since the last report, before volume and mute: 0…1 of full scale, left and right.
package struct AudioLevels: Sendable, Hashable {
    package var peak: SIMD2<Float>
    package var rms: SIMD2<Float>

    package init(peak: SIMD2<Float> = .zero, rms: SIMD2<Float> = .zero) {
        self.peak = peak
        self.rms = rms
    }
}

/// How the output is doing.
package enum DeviceState: Sendable, Hashable {
    case connecting
    /// Sound comes out; the name says where.
    case open(name: String)
    /// No sound comes out; it is tried again by itself.
    case lost(reason: String)
}
