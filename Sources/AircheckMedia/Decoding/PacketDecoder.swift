internal import CAVCodec

/// Everything that is not MPEG audio, through libavcodec, fed with the packets that our own framing found.
final class PacketDecoder: FrameDecoder {
    let name: String
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private var frame: UnsafeMutablePointer<AVFrame>?

    init(_ codec: AVCodecID, setup: [UInt8]) throws(DecodingError) {
        av_log_set_level(AV_LOG_QUIET)
        guard let decoder = avcodec_find_decoder(codec) else {
            throw DecodingError(
                description: "this FFmpeg has no decoder for \(String(cString: avcodec_get_name(codec)))")
        }
        name = String(cString: decoder.pointee.name)
        packet = av_packet_alloc()
        frame = av_frame_alloc()
        context = avcodec_alloc_context3(decoder)
        guard let context, packet != nil, frame != nil else {
            throw DecodingError(description: "libavcodec has no memory")
        }
        context.pointee.thread_count = 1
        try Self.give(setup, to: context)
        let code = avcodec_open2(context, decoder, nil)
        guard code >= 0 else {
            throw DecodingError(description: "\(name) refuses the stream's header (\(code))")
        }
    }

    deinit {
        avcodec_free_context(&context)
        av_packet_free(&packet)
        av_frame_free(&frame)
    }

    private static func give(
        _ setup: [UInt8], to context: UnsafeMutablePointer<AVCodecContext>
    ) throws(DecodingError) {
        guard !setup.isEmpty else { return }
        guard let memory = av_mallocz(setup.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
            throw DecodingError(description: "libavcodec has no memory")
        }
        setup.withUnsafeBytes {
            memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count)
        }
        context.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
        context.pointee.extradata_size = Int32(setup.count)
    }

    func decode(_ bytes: UnsafeRawBufferPointer, _ heard: (DecodedSound) -> Void) throws {
        guard let context, let packet, let base = bytes.baseAddress, !bytes.isEmpty else { return }
        // libavcodec reads beyond the end: it gets a padded copy that it owns.
        guard av_new_packet(packet, Int32(bytes.count)) == 0 else { return }
        packet.pointee.data.update(from: base.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        let code = avcodec_send_packet(context, packet)
        av_packet_unref(packet)
        guard code >= 0 || code == aircheck_av_again else { return }
        receive(heard)
    }

    private func receive(_ heard: (DecodedSound) -> Void) {
        guard let context, let frame else { return }
        while avcodec_receive_frame(context, frame) >= 0 {
            defer { av_frame_unref(frame) }
            let channels = frame.pointee.ch_layout.nb_channels
            guard channels > 0, channels <= 16, frame.pointee.sample_rate > 0,
                let planes = frame.pointee.extended_data
            else { continue }
            let shape = SoundShape(
                format: AVSampleFormat(frame.pointee.format), rate: frame.pointee.sample_rate,
                channels: channels)
            planes.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: Int(channels)) {
                heard(DecodedSound(planes: $0, samples: frame.pointee.nb_samples, shape: shape))
            }
        }
    }
}
