internal import CAVCodec
internal import MediaHelper

/// An M4A that is being written to a descriptor.
final class OutputFile {
    private var format: UnsafeMutablePointer<AVFormatContext>?
    private let file: FileStream
    private let stream: UnsafeMutablePointer<AVStream>
    private var isOpen = false
    private let rate: Int32

    private static let chapterBase = AVRational(num: 1, den: 1000)

    init(descriptor: Int32, copying source: UnsafeMutablePointer<AVStream>) throws(DecodingError) {
        file = try FileStream(descriptor: descriptor, forWriting: true)
        rate = max(source.pointee.codecpar.pointee.sample_rate, 1)
        guard avformat_alloc_output_context2(&format, nil, "ipod", nil) >= 0, let format,
            let stream = avformat_new_stream(format, nil)
        else { throw DecodingError(description: "this FFmpeg cannot write M4A") }
        format.pointee.pb = file.context
        self.stream = stream
    }

    deinit { avformat_free_context(format) }

    func begin(
        chapters: [MediaChapter], tags: [MediaTag], parameters: UnsafeMutablePointer<AVCodecParameters>?,
        seconds: Double
    ) throws {
        guard let format, let parameters, avcodec_parameters_copy(stream.pointee.codecpar, parameters) >= 0
        else {
            throw DecodingError(description: "no memory")
        }
        stream.pointee.codecpar.pointee.codec_tag = 0
        stream.pointee.time_base = AVRational(num: 1, den: rate)
        for tag in tags { av_dict_set(&format.pointee.metadata, tag.name, tag.value, 0) }
        try add(chapters, to: format, seconds: seconds)
        let code = avformat_write_header(format, nil)
        guard code >= 0 else { throw DecodingError(description: "the M4A cannot be begun (\(code))") }
        isOpen = true
    }

    /// libavformat frees what is put here; its own function for it is not public.
    private func add(
        _ chapters: [MediaChapter], to format: UnsafeMutablePointer<AVFormatContext>, seconds: Double
    ) throws {
        guard !chapters.isEmpty else { return }
        let width = MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride
        guard let list = av_calloc(chapters.count, width) else {
            throw DecodingError(description: "no memory")
        }
        let slots = list.bindMemory(to: UnsafeMutablePointer<AVChapter>?.self, capacity: chapters.count)
        format.pointee.chapters = slots
        for (index, chapter) in chapters.enumerated() {
            guard let memory = av_mallocz(MemoryLayout<AVChapter>.size) else {
                throw DecodingError(description: "no memory")
            }
            let made = memory.bindMemory(to: AVChapter.self, capacity: 1)
            let end = index + 1 < chapters.count ? chapters[index + 1].start : max(seconds, chapter.start)
            made.pointee.id = Int64(index)
            made.pointee.time_base = Self.chapterBase
            made.pointee.start = Self.milliseconds(chapter.start)
            made.pointee.end = Self.milliseconds(end)
            av_dict_set(&made.pointee.metadata, "title", chapter.title, 0)
            slots[index] = made
            format.pointee.nb_chapters = UInt32(index + 1)
        }
    }

    private static func milliseconds(_ seconds: Double) -> Int64 { Int64(min(max(seconds, 0), 1e9) * 1000) }

    /// The packet's times are in samples.
    func write(_ packet: UnsafeMutablePointer<AVPacket>) throws {
        packet.pointee.stream_index = stream.pointee.index
        av_packet_rescale_ts(packet, AVRational(num: 1, den: rate), stream.pointee.time_base)
        let code = av_write_frame(format, packet)
        guard code >= 0 else { throw DecodingError(description: "the M4A cannot be written (\(code))") }
    }

    func end() throws {
        guard isOpen, let format else { return }
        let code = av_write_trailer(format)
        avio_flush(format.pointee.pb)
        guard code >= 0, format.pointee.pb.pointee.error >= 0 else {
            throw DecodingError(description: "the M4A cannot be finished: the disk may be full")
        }
    }
}
