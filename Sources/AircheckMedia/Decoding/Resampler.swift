internal import CAVCodec

/// Brings sound of any shape to interleaved float samples of one rate and channel count, a little faster or slower
/// where the clocks ask for it.
final class Resampler {
    let rate: Int32
    let channels: Int32
    private var context: OpaquePointer?
    private var shape: SoundShape?
    private var drift = 0.0

    /// Samples over which a correction is spread. It is renewed long before they are used up.
    private static let distance: Int32 = 1 << 30

    init(rate: Int32, channels: Int32 = 2) {
        self.rate = rate
        self.channels = channels
    }

    deinit { swr_free(&context) }

    /// Seconds of sound that are inside.
    var delay: Double {
        guard let context else { return 0 }
        return Double(swr_get_delay(context, 1_000_000)) / 1e6
    }

    /// Plays faster by so many parts per million from now on.
    func set(drift: Double) {
        self.drift = drift
        correct()
    }

    /// Appends the converted samples to `output`.
    func convert(_ sound: DecodedSound, into output: inout [Float]) {
        if sound.shape != shape { prepare(for: sound.shape) }
        guard let context else { return }
        let room = swr_get_out_samples(context, sound.samples)
        guard room > 0 else { return }
        // Only read from, whatever the type says.
        let planes = UnsafeMutablePointer(mutating: sound.planes)
        append(room, to: &output) { target in
            var target = UnsafeMutablePointer<UInt8>?(target)
            return swr_convert(context, &target, room, planes, sound.samples)
        }
    }

    /// What is still inside, at the end of a stream.
    func drain(into output: inout [Float]) {
        guard let context else { return }
        let room = swr_get_out_samples(context, 0)
        guard room > 0 else { return }
        append(room, to: &output) { target in
            var target = UnsafeMutablePointer<UInt8>?(target)
            return swr_convert(context, &target, room, nil, 0)
        }
    }

    private func append(
        _ room: Int32, to output: inout [Float], _ convert: (UnsafeMutablePointer<UInt8>) -> Int32
    ) {
        let width = Int(channels)
        withUnsafeTemporaryAllocation(of: Float.self, capacity: Int(room) * width) { buffer in
            guard let base = buffer.baseAddress else { return }
            let made = base.withMemoryRebound(to: UInt8.self, capacity: buffer.count * 4) { convert($0) }
            if made > 0 { output.append(contentsOf: buffer[..<(Int(made) * width)]) }
        }
    }

    private func prepare(for new: SoundShape) {
        swr_free(&context)
        shape = nil
        var (input, output) = (AVChannelLayout(), AVChannelLayout())
        av_channel_layout_default(&input, new.channels)
        av_channel_layout_default(&output, channels)
        guard
            swr_alloc_set_opts2(
                &context, &output, AV_SAMPLE_FMT_FLT, rate, &input, new.format, new.rate, 0, nil) >= 0,
            let context
        else { return }
        let options = UnsafeMutableRawPointer(context)
        // Always resample, so that a correction never has to begin with a click; between the phases linearly, as the
        // corrected step falls on none of them.
        av_opt_set_int(options, "flags", Int64(SWR_FLAG_RESAMPLE), 0)
        av_opt_set_int(options, "linear_interp", 1, 0)
        av_opt_set_int(options, "exact_rational", 0, 0)
        // Fewer channels must not become louder than full scale.
        av_opt_set_double(options, "rematrix_maxval", 1, 0)
        if new.channels == 1, channels == 2 {
            // A mono station is to be as loud as a stereo one; the library's own matrix takes 3 dB off.
            let matrix = [1.0, 1.0]
            swr_set_matrix(context, matrix, 1)
        }
        guard swr_init(context) >= 0 else { return swr_free(&self.context) }
        shape = new
        correct()
    }

    private func correct() {
        guard let context, shape != nil else { return }
        // Faster means fewer samples out: 1 ppm is `distance` / 1,000,000 fewer over `distance`.
        let fewer = Int32((-drift * Double(Self.distance) / 1e6).rounded())
        swr_set_compensation(context, fewer, Self.distance)
    }
}
