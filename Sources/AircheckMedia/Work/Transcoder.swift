internal import CAVCodec
internal import StreamFormats

/// Frames of any codec in, MP3 of one bit rate out, for receivers that play nothing else.
final class Transcoder {
    private static let rate: Int32 = 44_100
    private static let channels: Int32 = 2

    private var decoder: any FrameDecoder
    private var format: AudioFormat
    private let resampler = Resampler(rate: Transcoder.rate, channels: Transcoder.channels)
    private var encoder: UnsafeMutablePointer<AVCodecContext>?
    private var frame: UnsafeMutablePointer<AVFrame>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private var samples: [Float] = []
    private var time: Int64 = 0
    private var places = SamplePlaces(rate: Int64(Transcoder.rate))
    /// What came out since the last `encoded`.
    private var output: (position: Int64, bytes: [UInt8])?
    private let encoded: (Int64, [UInt8]) -> Void

    /// - Parameter encoded: whole frames, and where the first begins in the audio time of what went in, nanoseconds.
    init(
        format: AudioFormat, bitrate: Int, encoded: @escaping (Int64, [UInt8]) -> Void
    ) throws(DecodingError) {
        decoder = try Decoders.decoder(for: format)
        self.format = format
        self.encoded = encoded
        guard let codec = avcodec_find_encoder_by_name("libmp3lame") else {
            throw DecodingError(description: "this FFmpeg has no MP3 encoder")
        }
        encoder = avcodec_alloc_context3(codec)
        frame = av_frame_alloc()
        packet = av_packet_alloc()
        guard let encoder, frame != nil, packet != nil else { throw DecodingError(description: "no memory") }
        encoder.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
        encoder.pointee.sample_rate = Self.rate
        encoder.pointee.bit_rate = Int64(min(max(bitrate, 32), 320)) * 1000
        av_channel_layout_default(&encoder.pointee.ch_layout, Self.channels)
        guard avcodec_open2(encoder, codec, nil) >= 0 else {
            throw DecodingError(description: "the MP3 encoder refuses \(bitrate) kbit/s")
        }
    }

    deinit {
        avcodec_free_context(&encoder)
        av_frame_free(&frame)
        av_packet_free(&packet)
    }

    func change(to new: AudioFormat) throws(DecodingError) {
        guard new != format else { return }
        decoder = try Decoders.decoder(for: new)
        format = new
    }

    /// - Parameter position: where the first frame begins, nanoseconds.
    func add(_ run: FrameRun, at position: Int64) throws {
        var (start, samplesBefore) = (0, Int64(0))
        let rate = Int64(max(format.sampleRate, 1))
        defer { deliver() }
        try run.bytes.withUnsafeBytes { bytes in
            for info in run.frames {
                let end = start + Int(info.length)
                places.mark(
                    sample: time + Int64(samples.count / Int(Self.channels)),
                    position: position &+ samplesBefore * 1_000_000_000 / rate)
                samplesBefore += Int64(info.samples)
                try decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) {
                    resampler.convert($0, into: &samples)
                }
                start = end
            }
        }
        try encodeWholeFrames()
    }

    func finish() throws {
        defer { deliver() }
        resampler.drain(into: &samples)
        try encodeWholeFrames()
        _ = avcodec_send_frame(encoder, nil)
        receive()
    }

    private func encodeWholeFrames() throws {
        let size = Int(encoder?.pointee.frame_size ?? 0)
        var start = 0
        while size > 0, samples.count - start >= 2 * size {
            try encode(samples[start..<(start + 2 * size)], size)
            start += 2 * size
        }
        samples.removeFirst(start)
    }

    private func encode(_ block: ArraySlice<Float>, _ size: Int) throws {
        guard let encoder, let frame else { return }
        frame.pointee.nb_samples = Int32(size)
        frame.pointee.format = encoder.pointee.sample_fmt.rawValue
        frame.pointee.sample_rate = Self.rate
        av_channel_layout_default(&frame.pointee.ch_layout, Self.channels)
        guard av_frame_get_buffer(frame, 0) >= 0, let planes = frame.pointee.extended_data else {
            throw DecodingError(description: "no memory")
        }
        defer { av_frame_unref(frame) }
        for channel in 0..<Int(Self.channels) {
            planes[channel]?.withMemoryRebound(to: Float.self, capacity: size) { plane in
                for index in 0..<size { plane[index] = block[block.startIndex + 2 * index + channel] }
            }
        }
        frame.pointee.pts = time
        time += Int64(size)
        guard avcodec_send_frame(encoder, frame) >= 0 else {
            throw DecodingError(description: "the encoder fails")
        }
        receive()
    }

    private func receive() {
        guard let encoder, let packet else { return }
        while avcodec_receive_packet(encoder, packet) >= 0 {
            let bytes = UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
            if output == nil { output = (places.position(of: max(packet.pointee.pts, 0)), []) }
            output?.bytes.append(contentsOf: bytes)
            av_packet_unref(packet)
        }
    }

    private func deliver() {
        guard let output else { return }
        self.output = nil
        encoded(output.position, output.bytes)
    }
}
