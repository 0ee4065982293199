internal import StreamFormats

/// The frames of an encoder's MP3, one after another; ends at the first byte that is none.
struct MP3Frames: Sequence, IteratorProtocol {
    struct Frame {
        var range: Range<Int>
        var info: FrameInfo
        var nanoseconds: Int64
    }

    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Frame? {
        guard place + MPEGAudioHeader.length <= bytes.count,
            let header = MPEGAudioHeader(
                bytes[place], bytes[place + 1], bytes[place + 2], bytes[place + 3]),
            let length = header.frameLength, place + length <= bytes.count
        else { return nil }
        defer { place += length }
        return Frame(
            range: place..<(place + length),
            info: FrameInfo(length: Int32(length), samples: Int32(header.samples)),
            nanoseconds: Int64(header.samples) * 1_000_000_000 / Int64(header.sampleRate))
    }
}
