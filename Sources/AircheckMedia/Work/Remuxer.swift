internal import CAVCodec
internal import MediaHelper

/// Copies the AAC of an ADTS file into an M4A with chapters, bit for bit, and reads it back.
struct Remuxer {
    let chapters: [MediaChapter]
    let tags: [MediaTag]

    /// Samples of an AAC frame (ISO/IEC 14496-3): the ADTS header has no time, so it is counted.
    private static let frameSamples: Int64 = 1024

    func remux(from source: Int32, to target: Int32) throws -> RemuxResult {
        let input = try InputFile(descriptor: source)
        let output = try OutputFile(descriptor: target, copying: input.stream)
        var packets: Int64 = 0
        let filter = try AACFilter(input.stream)
        try input.forEachPacket { packet in
            try filter.pass(packet) { packet in
                if packets == 0 {
                    // The filter knows the decoder's configuration once it has seen a header.
                    try output.begin(
                        chapters: chapters, tags: tags, parameters: filter.parameters,
                        seconds: Self.seconds(of: input))
                }
                packet.pointee.pts = packets * Self.frameSamples
                packet.pointee.dts = packet.pointee.pts
                packet.pointee.duration = Self.frameSamples
                try output.write(packet)
                packets += 1
            }
        }
        guard packets > 0 else { throw DecodingError(description: "the file holds no AAC frame") }
        try output.end()
        let rate = Int64(max(input.stream.pointee.codecpar.pointee.sample_rate, 1))
        let seconds = Double(packets * Self.frameSamples) / Double(rate)
        try Self.verify(target, packets: packets, seconds: seconds)
        return RemuxResult(packets: packets, seconds: seconds)
    }

    /// About how long the file is; the last chapter ends there.
    private static func seconds(of input: InputFile) -> Double {
        let duration = input.format?.pointee.duration ?? 0
        return duration > 0 ? Double(duration) / Double(AV_TIME_BASE) : 0
    }

    /// The finished file must hold every packet and be as long.
    private static func verify(_ descriptor: Int32, packets: Int64, seconds: Double) throws {
        let input = try InputFile(descriptor: descriptor)
        var found: Int64 = 0
        try input.forEachPacket { _ in found += 1 }
        let base = input.stream.pointee.time_base
        let length = Double(input.stream.pointee.duration) * Double(base.num) / Double(max(base.den, 1))
        guard found == packets, abs(length - seconds) < 0.03 else {
            throw DecodingError(
                description:
                    "the M4A reads back as \(found) frames, \(length) s instead of \(packets), \(seconds) s")
        }
    }
}

/// Takes the ADTS headers off and learns the decoder's configuration from them.
private final class AACFilter {
    private var context: UnsafeMutablePointer<AVBSFContext>?

    init(_ stream: UnsafeMutablePointer<AVStream>) throws(DecodingError) {
        guard stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_AAC else {
            throw DecodingError(description: "only AAC goes into an M4A")
        }
        guard av_bsf_alloc(av_bsf_get_by_name("aac_adtstoasc"), &context) >= 0, let context,
            avcodec_parameters_copy(context.pointee.par_in, stream.pointee.codecpar) >= 0
        else { throw DecodingError(description: "no memory") }
        context.pointee.time_base_in = AVRational(
            num: 1, den: max(stream.pointee.codecpar.pointee.sample_rate, 1))
        guard av_bsf_init(context) >= 0 else {
            throw DecodingError(description: "the ADTS filter does not start")
        }
    }

    deinit { av_bsf_free(&context) }

    var parameters: UnsafeMutablePointer<AVCodecParameters>? { context?.pointee.par_out }

    func pass(
        _ packet: UnsafeMutablePointer<AVPacket>, _ next: (UnsafeMutablePointer<AVPacket>) throws -> Void
    ) throws {
        // A frame that is no ADTS is left out, as a decoder would do.
        guard av_bsf_send_packet(context, packet) >= 0 else { return av_packet_unref(packet) }
        while av_bsf_receive_packet(context, packet) >= 0 {
            defer { av_packet_unref(packet) }
            try next(packet)
        }
    }
}
