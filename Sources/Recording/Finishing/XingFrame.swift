internal import StreamFormats

/// The frame of silence in front of an MP3 file that says how long it is and where to seek (Xing, LAME).
///
/// It has the version, rate and channels of the frames that follow, and the least bit rate at which the facts fit in.
struct XingFrame: Sendable, Hashable {
    /// Flags, frame count, byte count, seek table.
    private static let factsLength = 4 + 4 + 4 + 4 + 100

    let bytes: [UInt8]
    private let place: Int

    /// Without facts yet: players then guess, as they do without it.
    /// - Parameter first: the first frame of the file.
    init?(like first: [UInt8]) {
        guard first.count >= 4, let header = MPEGAudioHeader(first[0], first[1], first[2], first[3]),
            header.layer == 3
        else { return nil }
        let needed = header.xingOffset + Self.factsLength
        for index in UInt8(1)...14 {
            // No CRC, this bit rate, no padding; what follows the channel mode does not matter in silence.
            let head = [0xFF, first[1] | 1, index << 4 | first[2] & 0x0C, first[3] & 0xC0]
            guard let own = MPEGAudioHeader(head[0], head[1], head[2], head[3]), let length = own.frameLength,
                length >= needed
            else { continue }
            var frame = head + [UInt8](repeating: 0, count: length - head.count)
            frame.replaceSubrange(header.xingOffset..<header.xingOffset + 4, with: Array("Info".utf8))
            bytes = frame
            place = header.xingOffset
            return
        }
        return nil
    }

    /// The one that stands at the front of `bytes`; nil where there is none.
    init?(at bytes: [UInt8]) {
        guard bytes.count >= 4, let header = MPEGAudioHeader(bytes[0], bytes[1], bytes[2], bytes[3]),
            header.layer == 3,
            let length = header.frameLength, bytes.count >= length,
            length >= header.xingOffset + Self.factsLength
        else { return nil }
        let mark = bytes[header.xingOffset..<header.xingOffset + 4]
        guard mark.elementsEqual("Info".utf8) || mark.elementsEqual("Xing".utf8) else { return nil }
        self.bytes = Array(bytes[..<length])
        place = header.xingOffset
    }

    /// The same frame with what is known at the end.
    /// - Parameters:
    ///   - frames: of audio, this one not counted.
    ///   - audioBytes: bytes of those frames.
    func filled(frames: Int64, audioBytes: Int64, index: SeekIndex) -> [UInt8] {
        var frame = bytes
        let total = audioBytes + Int64(frame.count)
        var facts = Array((index.isConstant ? "Info" : "Xing").utf8)
        facts += Self.bigEndian(7) + Self.bigEndian(frames) + Self.bigEndian(total)
        facts += (0..<100).map { hundredth in
            let offset = index.offset(at: Double(hundredth) / 100, total: audioBytes) + Int64(frame.count)
            return UInt8(clamping: total > 0 ? 256 * offset / total : 0)
        }
        frame.replaceSubrange(place..<place + facts.count, with: facts)
        return frame
    }

    private static func bigEndian(_ value: Int64) -> [UInt8] {
        let value = UInt32(clamping: value)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
