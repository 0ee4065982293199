package import StreamFormats

/// What the helper is told.
package enum HelperCommand: Sendable, Hashable {
    /// First message in play mode: where the sound goes.
    case open(PlaySetup)
    /// Stream `id` begins, or goes on in another format. `gain` in dB is added to this stream alone. A stored one comes
    /// from a file: it keeps to its own clock, and its places are the recording's.
    case stream(id: UInt32, format: AudioFormat, gain: Double, isStored: Bool = false)
    /// Whole frames of stream `id`; `position` is where the first begins, in nanoseconds of the feed's audio time.
    case frames(id: UInt32, position: Int64, run: FrameRun)
    /// Stream `id` is to sound as soon as it has audio; the one that sounds now goes on until then, and both are faded
    /// into each other over `fade` milliseconds.
    case select(id: UInt32, fade: UInt32)
    /// Stream `id` has no more frames; it plays out what is buffered.
    case finish(id: UInt32)
    /// Stream `id` is no longer wanted; if it sounds it is faded out over `fade` milliseconds.
    case drop(id: UInt32, fade: UInt32)
    /// Linear volume 0…1, reached over `ramp` milliseconds.
    case volume(Double, ramp: UInt32)
    case mute(Bool)
    /// dB added to stream `id`.
    case gain(id: UInt32, decibels: Double)
    /// Stream `id` stands still where it is, or goes on from there.
    case hold(id: UInt32, Bool)
    /// Stream `id` is played so much faster than recorded, at its own pitch; see `PlaybackSpeed`.
    case speed(id: UInt32, Double)
    /// Fade out, let what was written sound, close the output and exit.
    case stop
    /// Work mode: do this; the frames it needs follow as `frames`, closed by `finish`.
    case job(MediaJob)
}

/// Where the helper puts the sound.
package struct PlaySetup: Sendable, Hashable {
    package enum Output: Sendable, Hashable {
        /// A sink of a sound server; nil is the user's own server and its default sink.
        case pulse(server: String?, device: String?)
        /// A WAV file on the n-th handed descriptor; grows where it ends, its header is right at every second.
        case wav(descriptor: Int)
        /// Interleaved signed 16-bit samples, native order, on the n-th handed descriptor.
        case raw(descriptor: Int)
        /// Nowhere, at the pace of the clock.
        case null
    }

    package var output: Output
    /// Samples a second; 0 leaves it to the sink, or is 48000 where there is none.
    package var sampleRate: Int
    /// Milliseconds of sound that the sound server holds.
    package var latency: Int
    /// Measure EBU R128 loudness of what is decoded, before gain and volume.
    package var measuresLoudness: Bool

    package init(output: Output, sampleRate: Int = 0, latency: Int = 50, measuresLoudness: Bool = false) {
        self.output = output
        self.sampleRate = sampleRate
        self.latency = latency
        self.measuresLoudness = measuresLoudness
    }
}

/// What a worker can be asked to do.
package enum MediaJob: Sendable, Hashable {
    /// Decode the frames to mono and describe every 10 ms.
    case features(AudioFormat)
    /// Decode the frames to mono samples at the format's rate.
    case decode(AudioFormat)
    /// Measure the file on the first handed descriptor, in one pass.
    case analyse(AnalysisWants)
    /// Copy the audio of the file on the first handed descriptor into an M4A on the second, with chapters.
    case remux(chapters: [MediaChapter], tags: [MediaTag])
    /// Encode the frames to MP3 at this bit rate (kbit/s) until `finish`.
    case transcode(AudioFormat, bitrate: Int)
}
