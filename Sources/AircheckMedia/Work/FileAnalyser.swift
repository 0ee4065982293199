internal import CAVCodec
internal import MediaHelper

/// Decodes a recording once, from start to end, and measures what is wanted.
struct FileAnalyser {
    private let wants: AnalysisWants

    init(_ wants: AnalysisWants) { self.wants = wants }

    func analyse(_ descriptor: Int32) throws -> AudioAnalysis {
        let input = try InputFile(descriptor: descriptor)
        let decoder = try FileDecoder(input.stream)
        var meters: Meters?
        try input.forEachPacket { packet in
            try decoder.decode(packet) { samples, rate, channels in
                if meters == nil { meters = try Meters(wants, rate: rate, channels: channels) }
                meters?.add(samples)
            }
        }
        try decoder.decode(nil) { samples, _, _ in meters?.add(samples) }
        guard let meters else { throw DecodingError(description: "the file holds no sound") }
        return meters.result
    }

    /// The three meters over interleaved samples.
    private struct Meters {
        private let wants: AnalysisWants
        private let rate: Int
        private let channels: Int
        private var frames: Int64 = 0
        private let loudness: FileLoudness?
        private var silence: SilenceMap
        private var waveform: WaveformMeter

        init(_ wants: AnalysisWants, rate: Int, channels: Int) throws {
            self.wants = wants
            self.rate = rate
            self.channels = channels
            loudness = wants.contains(.loudness) ? try FileLoudness(rate: rate, channels: channels) : nil
            silence = SilenceMap(rate: rate, channels: channels)
            waveform = WaveformMeter(rate: rate, channels: channels)
        }

        mutating func add(_ samples: UnsafeBufferPointer<Float>) {
            frames += Int64(samples.count / channels)
            loudness?.add(samples)
            if wants.contains(.silence) { silence.add(samples) }
            if wants.contains(.peaks) { waveform.add(samples) }
        }

        var result: AudioAnalysis {
            var found = AudioAnalysis(
                seconds: Double(frames) / Double(rate), sampleRate: rate, channels: channels)
            found.loudness = loudness?.result
            if wants.contains(.silence) { found.silences = silence.spans }
            if wants.contains(.peaks) { found.waveform = waveform.result }
            return found
        }
    }
}

/// Packets of a file to interleaved float samples of the file's own rate and channels.
private final class FileDecoder {
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var frame: UnsafeMutablePointer<AVFrame>?
    private var resampler: Resampler?
    private var samples: [Float] = []

    init(_ stream: UnsafeMutablePointer<AVStream>) throws(DecodingError) {
        guard let decoder = avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id) else {
            throw DecodingError(description: "this FFmpeg has no decoder for the file")
        }
        context = avcodec_alloc_context3(decoder)
        frame = av_frame_alloc()
        guard let context, frame != nil, avcodec_parameters_to_context(context, stream.pointee.codecpar) >= 0,
            avcodec_open2(context, decoder, nil) >= 0
        else { throw DecodingError(description: "the decoder refuses the file's header") }
        context.pointee.pkt_timebase = stream.pointee.time_base
    }

    deinit {
        avcodec_free_context(&context)
        av_frame_free(&frame)
    }

    /// Decodes a packet, or with nil what is left inside; a broken packet gives nothing.
    func decode(
        _ packet: UnsafeMutablePointer<AVPacket>?,
        _ heard: (UnsafeBufferPointer<Float>, Int, Int) throws -> Void
    ) throws {
        guard let context, let frame else { return }
        _ = avcodec_send_packet(context, packet)
        while avcodec_receive_frame(context, frame) >= 0 {
            defer { av_frame_unref(frame) }
            let channels = frame.pointee.ch_layout.nb_channels
            guard channels > 0, channels <= 16, frame.pointee.sample_rate > 0,
                let planes = frame.pointee.extended_data
            else { continue }
            let shape = SoundShape(
                format: AVSampleFormat(frame.pointee.format), rate: frame.pointee.sample_rate,
                channels: channels)
            // The first frame decides; a file that changes its shape is brought to it.
            let resampler = resampler ?? Resampler(rate: shape.rate, channels: shape.channels)
            self.resampler = resampler
            samples.removeAll(keepingCapacity: true)
            planes.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: Int(channels)) {
                resampler.convert(
                    DecodedSound(planes: $0, samples: frame.pointee.nb_samples, shape: shape), into: &samples)
            }
            try samples.withUnsafeBufferPointer {
                try heard($0, Int(resampler.rate), Int(resampler.channels))
            }
        }
    }
}
