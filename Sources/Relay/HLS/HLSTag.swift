internal import StreamFormats

/// The ID3 tag before the frames of a segment: when they sound, which packed audio must say, and the title.
///
/// RFC 8216 §3.4 (timestamp), ID3v2.4.
enum HLSTag {
    private static let owner = "com.apple.streaming.transportStreamTimestamp"
    /// The clock of a transport stream: 33 bits of 1/90000 s.
    private static let clock: Int64 = 90_000
    private static let clockMask: UInt64 = (1 << 33) - 1

    /// - Parameter packed: with the timestamp; without it for a tag inside MP4, which has its own clock.
    static func bytes(for segment: HLSSegment, packed: Bool) -> [UInt8] {
        var frames: [UInt8] = []
        if packed { frames += frame("PRIV", Array(owner.utf8) + [0] + bigEndian(timestamp(of: segment))) }
        if let title = segment.title, !title.text.isEmpty {
            if let artist = title.artist { frames += text("TPE1", artist) }
            frames += text("TIT2", title.artist == nil ? title.text : title.title ?? title.text)
        }
        return frames.isEmpty ? [] : Array("ID3".utf8) + [4, 0, 0] + syncSafe(frames.count) + frames
    }

    static func timestamp(of segment: HLSSegment) -> UInt64 {
        let rate = Int64(max(1, segment.format.sampleRate))
        let (seconds, rest) = segment.startSample.quotientAndRemainder(dividingBy: rate)
        return UInt64(bitPattern: seconds &* clock &+ rest * clock / rate) & clockMask
    }

    private static func text(_ name: String, _ value: String) -> [UInt8] {
        frame(name, [3] + Array(value.utf8))
    }

    private static func frame(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + syncSafe(content.count) + [0, 0] + content
    }

    private static func syncSafe(_ count: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) }
    }

    private static func bigEndian(_ value: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> UInt64($0)) }
    }
}
