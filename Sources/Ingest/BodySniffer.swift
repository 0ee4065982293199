/// Tells from the first bytes of a body whether a list of addresses is coming, which must be read whole, or a stream.
/// Pure.
struct BodySniffer: Sendable {
    enum Judgement: Hashable, Sendable {
        case undecided
        /// Nothing that could be text: hand it on as a stream.
        case stream
        /// Text so far: collect it.
        case text
    }

    /// So many readable bytes in a row are no frames: by chance that happens once in millions of joins.
    private static let enough = 24

    /// - Parameter isEnd: no more bytes come.
    static func judge(_ bytes: [UInt8], isEnd: Bool) -> Judgement {
        var start = 0
        // A byte order mark says text; UTF-16 has zeros then.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
        if isWide(bytes) { return utf16(bytes, isEnd: isEnd) }
        for byte in bytes[start...].prefix(enough) where !isReadable(byte) { return .stream }
        if bytes.count - start >= enough { return .text }
        return isEnd ? (bytes.isEmpty ? .stream : .text) : .undecided
    }

    /// True when something that began as text goes on as something else.
    static func isBinary(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.contains { $0 == 0 } }

    /// True for UTF-16, whose zeros are no sign of anything else.
    static func isWide(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    }

    /// FF FE is also what an MPEG frame may begin with; text in it has a zero in every other place.
    private static func utf16(_ bytes: [UInt8], isEnd: Bool) -> Judgement {
        let pairs = bytes.dropFirst(2).prefix(enough)
        guard pairs.count >= 8 else { return isEnd ? .stream : .undecided }
        let zeroPlace = bytes[0] == 0xFF ? 1 : 0
        for (offset, byte) in pairs.enumerated() where (byte == 0) != (offset % 2 == zeroPlace) {
            return .stream
        }
        return .text
    }

    private static func isReadable(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) || (0x09...0x0D).contains(byte)
    }
}
