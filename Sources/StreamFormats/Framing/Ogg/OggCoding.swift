/// What differs between the codecs in Ogg: their header packets, and how long a packet sounds.
enum OggCoding: Sendable {
    case vorbis(VorbisSetup)
    case opus
    /// Header packets behind the first; nil where the first does not say.
    case flac(headers: Int?)

    /// Nil where the stream is none that we read.
    init?(firstPacket head: ArraySlice<UInt8>) {
        if head.starts(with: [1] + "vorbis".utf8) {
            self = .vorbis(VorbisSetup())
        } else if head.starts(with: "OpusHead".utf8) {
            self = .opus
        } else if head.starts(with: [0x7F] + "FLAC".utf8), head.count >= 9 {
            let count = Int(head[head.startIndex + 7]) << 8 | Int(head[head.startIndex + 8])
            self = .flac(headers: count == 0 ? nil : count)
        } else {
            return nil
        }
    }

    /// Bytes in front of the comments in their packet.
    var commentsOffset: Int {
        switch self {
        case .vorbis: 7
        case .opus: 8
        case .flac: 4
        }
    }

    /// True for the packet with the comments, which comes second.
    func isComments(_ packet: ArraySlice<UInt8>, at index: Int) -> Bool {
        switch self {
        case .vorbis, .opus: index == 1
        case .flac: packet.first.map { $0 & 0x7F == 4 } ?? false
        }
    }

    /// The comments as listeners get them: as they came, or without pictures where they are long.
    func commentsPacket(keeping packet: ArraySlice<UInt8>, _ comments: VorbisComments, within limit: Int)
        -> [UInt8]
    {
        guard packet.isEmpty || packet.count > limit else { return Array(packet) }
        let bytes = comments.bytes(without: VorbisComments.pictureNames, limit: limit)
        switch self {
        case .vorbis: return [3] + "vorbis".utf8 + bytes + [1]
        case .opus: return "OpusTags".utf8 + bytes
        case .flac:
            let isLast = packet.first.map { $0 & 0x80 } ?? 0
            return [isLast | 4] + [16, 8, 0].map { UInt8(truncatingIfNeeded: bytes.count >> $0) } + bytes
        }
    }

    /// True once no more header packets come.
    func isComplete(_ headers: [[UInt8]]) -> Bool {
        switch self {
        case .vorbis: headers.count == 3
        case .opus: headers.count == 2
        case .flac(let count):
            if let count {
                headers.count == count + 1
            } else {
                headers.count > 1 && Self.isLastBlock(headers.last)
            }
        }
    }

    private static func isLastBlock(_ packet: [UInt8]?) -> Bool {
        packet?.first.map { $0 & 0x80 != 0 } ?? false
    }

    /// Reads the header packets; nil where they are no such headers.
    mutating func format(_ headers: [[UInt8]]) -> AudioFormat? {
        switch self {
        case .vorbis:
            guard let setup = VorbisSetup(identification: headers[0][...], setup: headers[2][...]) else {
                return nil
            }
            self = .vorbis(setup)
            return AudioFormat(
                codec: .vorbis, container: .ogg, sampleRate: setup.sampleRate, channels: setup.channels,
                setup: headers)
        case .opus:
            guard headers[0].count >= 19, headers[0][9] > 0 else { return nil }
            return AudioFormat(
                codec: .opus, container: .ogg, sampleRate: OpusPacket.sampleRate,
                channels: Int(headers[0][9]),
                setup: headers)
        case .flac:
            guard let info = FLACStreamInfo(headers[0].dropFirst(17)) else { return nil }
            return AudioFormat(
                codec: .flac, container: .ogg, sampleRate: info.sampleRate, channels: info.channels,
                setup: headers)
        }
    }

    /// True for a packet that is no sound though headers were over.
    func isHeader(_ packet: ArraySlice<UInt8>) -> Bool {
        switch self {
        case .vorbis: packet.first.map { $0 & 1 == 1 } ?? true
        case .opus: false
        case .flac: packet.first != 0xFF
        }
    }

    /// Samples per channel that the next packet adds.
    mutating func samples(of packet: ArraySlice<UInt8>) -> Int {
        switch self {
        case .vorbis(var setup):
            defer { self = .vorbis(setup) }
            return setup.samples(of: packet)
        case .opus:
            return OpusPacket.samples(of: packet)
        case .flac:
            return FLACFrameHeader(packet)?.blockSize ?? 0
        }
    }
}
