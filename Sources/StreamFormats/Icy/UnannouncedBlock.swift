/// Looks for a title block in a stream that did not announce any, by the words it starts with.
struct UnannouncedBlock: Sendable {
    struct Found {
        /// Where the length byte stands in the bytes pushed; negative when it came with an earlier push.
        var lengthByte: Int
        /// The first byte behind the mark.
        var end: Int
        /// What is still to come of the block.
        var left: Int
        /// The distance of blocks, worked out from where this one stands; 0 when it cannot be.
        var interval: Int
    }

    static let mark = Array("StreamTitle='".utf8)

    /// Distances that servers are set to.
    private static let usual = [
        16000, 8192, 4096, 16384, 32768, 2048, 1024, 512, 256, 8000, 24576, 32000, 65536, 4000, 12288, 10000,
        1000, 48000,
    ]

    private var matched = 0
    private var previous: UInt8 = 0
    private var lengthByte: UInt8 = 0
    /// Bytes before this push, counted from the start of the stream or the end of the block found last.
    private var position = 0

    /// The first block that shows in these bytes. Bytes behind it are not looked at.
    mutating func push(_ bytes: Span<UInt8>, from start: Int) -> Found? {
        for index in start..<bytes.count {
            let byte = bytes[index]
            if byte != Self.mark[matched] { matched = 0 }
            if byte == Self.mark[matched] {
                if matched == 0 { lengthByte = previous }
                matched += 1
            }
            previous = byte
            guard matched == Self.mark.count else { continue }
            matched = 0
            guard lengthByte > 0 else { continue }
            defer { position = 0 }
            return found(end: index + 1, from: start)
        }
        position += bytes.count - start
        return nil
    }

    private func found(end: Int, from start: Int) -> Found {
        let lengthByteIndex = end - Self.mark.count - 1
        return Found(
            lengthByte: lengthByteIndex, end: end, left: Int(lengthByte) * 16 - Self.mark.count,
            interval: Self.interval(before: position + lengthByteIndex - start))
    }

    /// With k empty blocks before it, the length byte of a block stands behind k·(interval + 1) + interval bytes.
    private static func interval(before count: Int) -> Int {
        if let interval = usual.first(where: { (count + 1) % ($0 + 1) == 0 }) { return interval }
        return count <= ResponseHead.longestInterval ? count : 0
    }
}
