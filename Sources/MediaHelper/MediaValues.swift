/// What the cutter looks at: one value per 10 ms of decoded mono sound.
package struct FrameFeatures: Sendable, Hashable {
    /// Seconds that one value stands for.
    package static let step = 0.01

    /// Root mean square of the samples, 0…1 of full scale.
    package var energy: [Float]
    /// How much louder the spectrum became, summed over log-spaced bands: 0 is steady, a hard cut is a peak.
    package var novelty: [Float]
    /// Samples per channel that were really decoded; frames that need an absent predecessor give none.
    package var decodedSamples: Int64
    package var sampleRate: Int

    package init(energy: [Float], novelty: [Float], decodedSamples: Int64, sampleRate: Int) {
        self.energy = energy
        self.novelty = novelty
        self.decodedSamples = decodedSamples
        self.sampleRate = sampleRate
    }
}

/// Decoded mono sound.
package struct MonoSound: Sendable, Hashable {
    package var samples: [Int16]
    package var sampleRate: Int

    package init(samples: [Int16], sampleRate: Int) {
        self.samples = samples
        self.sampleRate = sampleRate
    }
}

/// What `analyse` is to find out; each costs time.
package struct AnalysisWants: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let loudness = AnalysisWants(rawValue: 1)
    package static let silence = AnalysisWants(rawValue: 2)
    package static let peaks = AnalysisWants(rawValue: 4)
}

/// Loudness after EBU R128. Silence has no loudness: then the values are nil.
package struct Loudness: Sendable, Hashable {
    /// Integrated loudness, LUFS.
    package var integrated: Double?
    /// Loudness range, LU.
    package var range: Double?
    /// True peak, dBTP.
    package var truePeak: Double?

    package init(integrated: Double?, range: Double?, truePeak: Double?) {
        self.integrated = integrated
        self.range = range
        self.truePeak = truePeak
    }
}

/// A stretch of a recording, in seconds from its start.
package struct SilentSpan: Sendable, Hashable {
    package var start: Double
    package var end: Double

    package init(start: Double, end: Double) {
        self.start = start
        self.end = end
    }
}

/// A waveform: the loudest sample of every tenth of a second, 0…255 of full scale, all channels together.
package struct Waveform: Sendable, Hashable {
    /// Seconds that one value stands for.
    package static let step = 0.1

    package var peaks: [UInt8]

    package init(peaks: [UInt8]) { self.peaks = peaks }
}

/// What `analyse` found; nil is what was not asked for.
package struct AudioAnalysis: Sendable, Hashable {
    package var seconds: Double
    package var sampleRate: Int
    package var channels: Int
    package var loudness: Loudness?
    package var silences: [SilentSpan]?
    package var waveform: Waveform?

    package init(seconds: Double, sampleRate: Int, channels: Int) {
        self.seconds = seconds
        self.sampleRate = sampleRate
        self.channels = channels
    }
}

/// One chapter of a finished file; it ends where the next begins.
package struct MediaChapter: Sendable, Hashable {
    /// Seconds from the start.
    package var start: Double
    package var title: String

    package init(start: Double, title: String) {
        self.start = start
        self.title = title
    }
}

/// One field of a file's tags, named as FFmpeg names it: `title`, `artist`, `album`, `date`, `comment`.
package struct MediaTag: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// What a remux wrote.
package struct RemuxResult: Sendable, Hashable {
    package var packets: Int64
    package var seconds: Double

    package init(packets: Int64, seconds: Double) {
        self.packets = packets
        self.seconds = seconds
    }
}
