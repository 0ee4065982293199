internal import MediaHelper
internal import StreamFormats

/// A span of frames as mono samples whose place in time is known.
final class SpanDecoder {
    struct Sound {
        var samples: [Float]
        /// Samples per channel that came out of the decoder, at its own rate.
        var decoded: Int64
        var sourceRate: Int
    }

    private let format: AudioFormat
    private let rate: Int
    private let decoder: any FrameDecoder
    private let resampler: Resampler
    private var samples: [Float] = []
    /// Samples that the frames stand for, at the format's rate.
    private var expected: Int64 = 0
    private var decoded: Int64 = 0
    private var sourceRate: Int

    /// Seconds in one question; what is more is a mistake of the asker.
    private static let limit: Int64 = 900

    init(format: AudioFormat, rate: Int) throws(DecodingError) {
        self.format = format
        self.rate = rate
        decoder = try Decoders.decoder(for: format)
        resampler = Resampler(rate: Int32(clamping: rate), channels: 1)
        sourceRate = format.sampleRate
    }

    func add(_ run: FrameRun) throws {
        expected += run.samples
        guard expected <= Self.limit * Int64(max(format.sampleRate, 1)) else {
            throw DecodingError(description: "more than \(Self.limit) s of frames in one question")
        }
        var start = 0
        try run.bytes.withUnsafeBytes { bytes in
            for frame in run.frames {
                let end = start + Int(frame.length)
                try decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) { sound in
                    decoded += Int64(sound.samples)
                    sourceRate = Int(sound.shape.rate)
                    resampler.convert(sound, into: &samples)
                }
                start = end
            }
        }
    }

    /// A decoder that starts in mid stream swallows its first frames: what is missing is missing at the front, and is
    /// filled with silence, so that sample 0 is the start of the first frame.
    func finish() -> Sound {
        resampler.drain(into: &samples)
        let wanted = Int(expected * Int64(rate) / Int64(max(format.sampleRate, 1)))
        if samples.count < wanted {
            samples.insert(contentsOf: [Float](repeating: 0, count: wanted - samples.count), at: 0)
        } else {
            samples.removeLast(samples.count - wanted)
        }
        return Sound(samples: samples, decoded: decoded, sourceRate: sourceRate)
    }
}
