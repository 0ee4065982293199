internal import StreamFormats

/// What stands in front of the first frame of a file: written at the start, written over at the end, never moved.
struct FileHead: Sendable, Hashable {
    /// Bytes kept for the tag.
    var tagLength: Int
    var xing: XingFrame?
    /// The bytes as they are at first.
    var bytes: [UInt8]

    /// Bytes that a picture's frame has beside the picture, at most.
    private static let pictureHead = 64

    /// Where the count of samples of a FLAC file begins: in its STREAMINFO.
    var flacInfo: Int?

    static let none = FileHead(tagLength: 0, xing: nil, bytes: [])

    /// For MPEG audio a tag that is valid from the first byte on, and for MP3 a frame that will say the length. ADTS
    /// has neither; it is finished by a remux. Ogg and FLAC carry their own.
    init(_ format: AudioFormat, first: FrameRun, tag: TagFields, reserve: Int) {
        if format.container == .nativeFLAC {
            let head = format.setup.first ?? []
            self.init(
                tagLength: 0, xing: nil,
                bytes: tag.picture.flatMap { StreamInfo.head(head, adding: $0) } ?? head)
            flacInfo = StreamInfo.offset(in: bytes)
            return
        }
        guard [.mp1, .mp2, .mp3].contains(format.codec), format.container == .elementary else {
            self = .none
            return
        }
        // A picture does not take the room of the chapters.
        var words = tag
        words.picture = nil
        let length =
            max(reserve, ID3.length(words)) + (tag.picture.map { $0.bytes.count + Self.pictureHead } ?? 0)
        let frame = Array(first.bytes.prefix(Int(first.frames.first?.length ?? 0)))
        let xing = XingFrame(like: frame)
        guard reserve > 0, let bytes = ID3.tag(tag, length: length) else {
            self.init(tagLength: 0, xing: xing, bytes: xing?.bytes ?? [])
            return
        }
        self.init(tagLength: length, xing: xing, bytes: bytes + (xing?.bytes ?? []))
    }

    /// One that is in a file already.
    init(tagLength: Int, xing: XingFrame?) { self.init(tagLength: tagLength, xing: xing, bytes: []) }

    private init(tagLength: Int, xing: XingFrame?, bytes: [UInt8]) {
        self.tagLength = tagLength
        self.xing = xing
        self.bytes = bytes
    }
}
