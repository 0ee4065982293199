internal import CEBUR128

/// EBU R128 loudness of a stream as it is decoded, before any gain.
final class LoudnessMeter {
    private let rate: Int
    private var state: UnsafeMutablePointer<ebur128_state>?
    private var samples = 0
    private var reported = 0

    /// Seconds between reports.
    private static let interval = 3
    /// Seconds until the integrated value is worth anything.
    private static let least = 9

    init(rate: Int) {
        self.rate = rate
        // Through a histogram of fixed size, so that days of play need no memory.
        let mode = Int32(EBUR128_MODE_I.rawValue | EBUR128_MODE_S.rawValue | EBUR128_MODE_HISTOGRAM.rawValue)
        state = ebur128_init(2, UInt(rate), mode)
    }

    deinit { ebur128_destroy(&state) }

    /// Adds interleaved stereo.
    func add(_ sound: ArraySlice<Float>) {
        guard let state else { return }
        sound.withUnsafeBufferPointer { _ = ebur128_add_frames_float(state, $0.baseAddress, $0.count / 2) }
        samples += sound.count / 2
    }

    /// Integrated and short-term loudness in LUFS, every few seconds.
    func take() -> (integrated: Double, shortTerm: Double)? {
        guard let state, samples >= Self.least * rate, samples - reported >= Self.interval * rate else {
            return nil
        }
        reported = samples
        var (integrated, shortTerm) = (0.0, 0.0)
        ebur128_loudness_global(state, &integrated)
        ebur128_loudness_shortterm(state, &shortTerm)
        return integrated.isFinite && shortTerm.isFinite ? (integrated, shortTerm) : nil
    }
}
