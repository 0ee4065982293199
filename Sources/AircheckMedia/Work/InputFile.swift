internal import CAVCodec

/// A recording on a descriptor, opened by libavformat: its one audio stream, packet by packet.
final class InputFile {
    private(set) var format: UnsafeMutablePointer<AVFormatContext>?
    let stream: UnsafeMutablePointer<AVStream>
    private let file: FileStream
    private var packet: UnsafeMutablePointer<AVPacket>?

    init(descriptor: Int32) throws(DecodingError) {
        av_log_set_level(AV_LOG_QUIET)
        file = try FileStream(descriptor: descriptor)
        var format = avformat_alloc_context()
        format?.pointee.pb = file.context
        // Frees the context where it fails.
        guard avformat_open_input(&format, nil, nil, nil) >= 0, let opened = format else {
            throw DecodingError(description: "the file is in no format that FFmpeg knows")
        }
        guard avformat_find_stream_info(opened, nil) >= 0 else {
            avformat_close_input(&format)
            throw DecodingError(description: "the file holds nothing that can be decoded")
        }
        let index = av_find_best_stream(opened, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
        guard index >= 0, let stream = opened.pointee.streams[Int(index)] else {
            avformat_close_input(&format)
            throw DecodingError(description: "the file holds no audio")
        }
        self.format = format
        self.stream = stream
        packet = av_packet_alloc()
    }

    deinit {
        av_packet_free(&packet)
        avformat_close_input(&format)
    }

    /// Lends every packet of the audio stream, to the end of the file.
    func forEachPacket(_ body: (UnsafeMutablePointer<AVPacket>) throws -> Void) throws {
        guard let packet else { throw DecodingError(description: "no memory") }
        while true {
            let code = av_read_frame(format, packet)
            if code == aircheck_av_end { return }
            guard code >= 0 else {
                throw DecodingError(description: "the file cannot be read to its end (\(code))")
            }
            defer { av_packet_unref(packet) }
            if packet.pointee.stream_index == stream.pointee.index { try body(packet) }
        }
    }
}
