internal import StreamFormats

/// AAC in fragments of MP4 (ISO 14496-12 and -14): an initialisation that says how to decode, then a fragment a segment.
///
/// Samples are ADTS frames without their heads. The time scale is the output's sample rate.
enum FragmentedMP4 {
    private static let track: UInt32 = 1
    /// Identity, as every header box repeats it.
    private static let matrix: [UInt8] = [0x0001_0000, 0, 0, 0, 0x0001_0000, 0, 0, 0, 0x4000_0000].flatMap(
        word)

    /// Nil when the format is not AAC, or no frame was there to read its configuration from.
    static func initialisation(for segment: HLSSegment) -> [UInt8]? {
        guard let config = configuration(of: segment) else { return nil }
        let format = segment.format
        let rate = word(UInt32(clamping: format.sampleRate))
        let entry = box(
            "mp4a",
            zeros(6) + half(1) + zeros(8) + half(UInt16(config.outputChannels)) + half(16) + zeros(4)
                + half(UInt16(truncatingIfNeeded: min(format.sampleRate, 65_535))) + half(0)
                + descriptor(config.bytes))
        let tables =
            box("stsd", zeros(4) + word(1) + entry) + box("stts", zeros(8)) + box("stsc", zeros(8))
            + box("stsz", zeros(12)) + box("stco", zeros(8))
        let minf = box(
            "minf",
            box("smhd", zeros(8)) + box("dinf", box("dref", zeros(4) + word(1) + box("url ", word(1))))
                + box("stbl", tables))
        let mdia = box(
            "mdia",
            box("mdhd", zeros(12) + rate + zeros(4) + half(0x55C4) + half(0))
                + box("hdlr", zeros(8) + Array("soun".utf8) + zeros(12) + Array("audio\0".utf8)) + minf)
        let tkhd = box(
            "tkhd",
            word(7) + zeros(8) + word(track) + zeros(4) + zeros(4) + zeros(8) + zeros(4) + half(0x0100)
                + half(0) + matrix + zeros(8))
        let mvhd = box(
            "mvhd",
            zeros(12) + rate + zeros(4) + word(0x0001_0000) + half(0x0100) + zeros(10) + matrix
                + zeros(24) + word(track + 1))
        let mvex = box("mvex", box("trex", zeros(4) + word(track) + word(1) + zeros(12)))
        let brand = box("ftyp", Array("iso6".utf8) + word(0) + Array("iso6mp41".utf8))
        return brand + box("moov", mvhd + box("trak", tkhd + mdia) + mvex)
    }

    /// Nil when a frame is not ADTS.
    static func fragment(of segment: HLSSegment) -> [UInt8]? {
        var samples: [(length: Int, duration: Int32)] = []
        var data: [UInt8] = []
        var offset = 0
        for info in segment.frames.frames {
            let frame = segment.frames.bytes[offset..<(offset + Int(info.length))]
            offset += Int(info.length)
            guard let head = header(of: frame), head.headerLength <= frame.count else { return nil }
            data += frame.dropFirst(head.headerLength)
            samples.append((frame.count - head.headerLength, info.samples))
        }
        let event = eventBox(for: segment)
        // The offset of the data counts from the fragment's first byte, so its length must be known before it is written.
        let length = fragmentBox(segment, samples, dataOffset: 0).count
        let moof = fragmentBox(segment, samples, dataOffset: UInt32(length + 8))
        return event + moof + box("mdat", data)
    }

    private static func fragmentBox(
        _ segment: HLSSegment, _ samples: [(length: Int, duration: Int32)], dataOffset: UInt32
    ) -> [UInt8] {
        let sequence = UInt32(truncatingIfNeeded: segment.sequence)
        let run = samples.flatMap { word(UInt32(bitPattern: $0.duration)) + word(UInt32($0.length)) }
        // Flags: data offset, and of each sample duration and size. tfhd: offsets count from this fragment.
        let trun = box("trun", word(0x301) + word(UInt32(samples.count)) + word(dataOffset) + run)
        let time = UInt64(bitPattern: segment.startSample)
        let tfdt = box(
            "tfdt", word(0x0100_0000) + word(UInt32(time >> 32)) + word(UInt32(truncatingIfNeeded: time)))
        let traf = box("traf", box("tfhd", word(0x2_0000) + word(track)) + tfdt + trun)
        return box("moof", box("mfhd", zeros(4) + word(sequence)) + traf)
    }

    /// The title as timed metadata: ID3 in an event message, which players of HLS read.
    private static func eventBox(for segment: HLSSegment) -> [UInt8] {
        let tag = HLSTag.bytes(for: segment, packed: false)
        guard !tag.isEmpty else { return [] }
        let time = UInt64(bitPattern: segment.startSample)
        return box(
            "emsg",
            word(0x0100_0000) + word(UInt32(clamping: segment.format.sampleRate)) + word(UInt32(time >> 32))
                + word(UInt32(truncatingIfNeeded: time)) + word(0xFFFF_FFFF)
                + word(UInt32(truncatingIfNeeded: segment.sequence))
                + Array("https://aomedia.org/emsg/ID3\0".utf8) + [0]
                + tag)
    }

    private static func header(of frame: ArraySlice<UInt8>) -> ADTSHeader? { ADTSHeader(frame.span) }

    private static func configuration(of segment: HLSSegment) -> AudioSpecificConfig? {
        guard let first = segment.frames.frames.first,
            let header = header(of: segment.frames.bytes.prefix(Int(first.length)))
        else { return nil }
        return AudioSpecificConfig(header, codec: segment.format.codec)
    }

    /// `esds`: ISO 14496-1 §7.2.6, each length in one byte, which these never exceed.
    private static func descriptor(_ config: [UInt8]) -> [UInt8] {
        func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag, UInt8(content.count)] + content }
        let decoder = tagged(4, [0x40, 0x15] + zeros(3) + zeros(8) + tagged(5, config))
        return box("esds", zeros(4) + tagged(3, half(1) + [0] + decoder + tagged(6, [2])))
    }

    // MARK: Bytes

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        word(UInt32(content.count + 8)) + Array(name.utf8) + content
    }

    private static func word(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    }

    private static func half(_ value: UInt16) -> [UInt8] {
        [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
