internal import CAVCodec
internal import CMpg123

/// MPEG audio through libmpg123: only its decoder, fed with frames; never its network, its files, its tags.
final class MPEGDecoder: FrameDecoder {
    let name = "libmpg123"
    private let handle: OpaquePointer
    /// The bits of the header that must not change within one feed: the library has had overflows where they did.
    private var header: UInt32?
    private var shape = SoundShape(format: AV_SAMPLE_FMT_FLT, rate: 0, channels: 0)

    /// Version, layer, rate and "mono": 11 bits of sync are the same in every frame.
    private static let headerMask: UInt32 = 0x001E_0C00
    private static let isMonoMask: UInt32 = 0x0000_00C0

    init() throws(DecodingError) {
        // Wanted once in the life of a process; harmless in later releases.
        mpg123_init()
        guard let handle = mpg123_new(nil, nil) else {
            throw DecodingError(description: "libmpg123 has no memory")
        }
        self.handle = handle
        let flags =
            MPG123_QUIET.rawValue | MPG123_SKIP_ID3V2.rawValue | MPG123_IGNORE_STREAMLENGTH.rawValue
            | MPG123_NO_FRANKENSTEIN.rawValue
        mpg123_param2(handle, Int32(MPG123_ADD_FLAGS.rawValue), Int(flags), 0)
        mpg123_param2(handle, Int32(MPG123_REMOVE_FLAGS.rawValue), Int(MPG123_GAPLESS.rawValue), 0)
        mpg123_format_none(handle)
        var (rates, count) = (UnsafePointer<Int>?.none, 0)
        mpg123_rates(&rates, &count)
        for index in 0..<count {
            guard let rate = rates?[index] else { continue }
            mpg123_format(
                handle, rate, Int32(MPG123_STEREO.rawValue | MPG123_MONO.rawValue),
                Int32(MPG123_ENC_FLOAT_32.rawValue))
        }
    }

    deinit { mpg123_delete(handle) }

    func decode(_ frame: UnsafeRawBufferPointer, _ heard: (DecodedSound) -> Void) throws {
        guard frame.count >= 4 else { return }
        try reopenIfChanged(frame)
        let bytes = frame.bindMemory(to: UInt8.self)
        guard mpg123_feed(handle, bytes.baseAddress, bytes.count) == MPG123_OK.rawValue else {
            return forget()
        }
        while true {
            var (number, audio, count) = (0, UnsafeMutablePointer<UInt8>?.none, 0)
            let code = mpg123_decode_frame(handle, &number, &audio, &count)
            if code == MPG123_NEW_FORMAT.rawValue { readShape() }
            if let audio, count > 0, shape.channels > 0 { lend(audio, count, heard) }
            if code == MPG123_NEED_MORE.rawValue { return }
            guard code == MPG123_OK.rawValue || code == MPG123_NEW_FORMAT.rawValue else { return forget() }
        }
    }

    private func reopenIfChanged(_ frame: UnsafeRawBufferPointer) throws(DecodingError) {
        let word = UInt32(bigEndian: frame.loadUnaligned(as: UInt32.self))
        let isMono = word & Self.isMonoMask == Self.isMonoMask
        let key = word & Self.headerMask | (isMono ? 1 : 0)
        guard key != header else { return }
        mpg123_close(handle)
        guard mpg123_open_feed(handle) == MPG123_OK.rawValue else {
            throw DecodingError(description: String(cString: mpg123_strerror(handle)))
        }
        header = key
    }

    /// After an error the next frame begins a new feed.
    private func forget() { header = nil }

    private func readShape() {
        var (rate, channels, encoding) = (0, Int32(0), Int32(0))
        guard mpg123_getformat(handle, &rate, &channels, &encoding) == MPG123_OK.rawValue else { return }
        shape.rate = Int32(rate)
        shape.channels = channels
    }

    private func lend(_ audio: UnsafeMutablePointer<UInt8>, _ count: Int, _ heard: (DecodedSound) -> Void) {
        let samples = Int32(count / (MemoryLayout<Float>.size * Int(shape.channels)))
        var plane = UnsafePointer<UInt8>?(audio)
        withUnsafePointer(to: &plane) { heard(DecodedSound(planes: $0, samples: samples, shape: shape)) }
    }
}
