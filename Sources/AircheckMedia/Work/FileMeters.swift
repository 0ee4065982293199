internal import CEBUR128
internal import MediaHelper

/// EBU R128 loudness of a whole file.
final class FileLoudness {
    private var state: UnsafeMutablePointer<ebur128_state>?
    private let channels: Int

    init(rate: Int, channels: Int) throws(DecodingError) {
        self.channels = channels
        let mode = Int32(
            EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
                | EBUR128_MODE_HISTOGRAM.rawValue)
        state = ebur128_init(UInt32(channels), UInt(rate), mode)
        guard state != nil else { throw DecodingError(description: "libebur128 refuses \(rate) Hz") }
    }

    deinit { ebur128_destroy(&state) }

    func add(_ samples: UnsafeBufferPointer<Float>) {
        _ = ebur128_add_frames_float(state, samples.baseAddress, samples.count / channels)
    }

    var result: Loudness {
        var (integrated, range, peak) = (0.0, 0.0, 0.0)
        ebur128_loudness_global(state, &integrated)
        ebur128_loudness_range(state, &range)
        for channel in 0..<channels {
            var own = 0.0
            ebur128_true_peak(state, UInt32(channel), &own)
            peak = max(peak, own)
        }
        return Loudness(
            integrated: integrated.isFinite ? integrated : nil, range: range.isFinite ? range : nil,
            truePeak: peak > 0 ? amplitudeToDecibels(peak) : nil)
    }
}

/// Where nothing is heard.
struct SilenceMap {
    /// RMS of 10 ms below which it is silent: -54 dBFS, beneath the noise of any studio.
    private static let threshold: Float = 0.002
    /// Seconds that a silence lasts at least.
    private static let least = 0.5

    private let channels: Int
    private let step: Int
    private let seconds: Double
    private(set) var finished: [SilentSpan] = []
    private var index = 0
    private var silentFrom: Int?
    private var sum: Float = 0
    private var count = 0

    init(rate: Int, channels: Int) {
        self.channels = channels
        step = max(rate / 100, 1) * channels
        seconds = Double(max(rate / 100, 1)) / Double(rate)
    }

    mutating func add(_ samples: UnsafeBufferPointer<Float>) {
        for sample in samples {
            sum += sample * sample
            count += 1
            if count == step { closeStep() }
        }
    }

    private mutating func closeStep() {
        let isSilent = (sum / Float(step)).squareRoot() < Self.threshold
        if isSilent {
            silentFrom = silentFrom ?? index
        } else if let start = silentFrom {
            keep(from: start, to: index)
            silentFrom = nil
        }
        (sum, count) = (0, 0)
        index += 1
    }

    private mutating func keep(from start: Int, to end: Int) {
        let span = SilentSpan(start: Double(start) * seconds, end: Double(end) * seconds)
        if span.end - span.start >= Self.least { finished.append(span) }
    }

    /// All of them, the one at the end too.
    var spans: [SilentSpan] {
        var map = self
        if let start = silentFrom { map.keep(from: start, to: index) }
        return map.finished
    }
}

/// The loudest sample of every tenth of a second.
struct WaveformMeter {
    private let step: Int
    private var peaks: [UInt8] = []
    private var peak: Float = 0
    private var count = 0

    init(rate: Int, channels: Int) { step = max(Int(Double(rate) * Waveform.step), 1) * channels }

    mutating func add(_ samples: UnsafeBufferPointer<Float>) {
        for sample in samples {
            peak = max(peak, abs(sample))
            count += 1
            if count == step { closeStep() }
        }
    }

    private mutating func closeStep() {
        peaks.append(UInt8(min(peak * 255, 255).rounded()))
        (peak, count) = (0, 0)
    }

    var result: Waveform {
        var meter = self
        if count > 0 { meter.closeStep() }
        return Waveform(peaks: meter.peaks)
    }
}
