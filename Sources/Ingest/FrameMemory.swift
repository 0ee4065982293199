import StreamFormats

/// Remembers which frames a feed was given last, each as 32 bits, so that they are known when they come again.
struct FrameMemory: Sendable {
    /// Oldest first. What is beyond `limit` is cut off in strides, so that appending stays cheap.
    private(set) var hashes: [UInt32] = []
    /// Frames kept; a stride more now and then.
    private var limit = mostFrames

    private static let stride = 64
    /// An edge that lags behind is known by what was on the air so long ago.
    private static let seconds = 60.0
    /// A minute of Opus in packets of 20 ms; shorter packets are remembered for a shorter time.
    private static let mostFrames = 3000
    private static let leastFrames = 512

    /// Remembers a minute of frames that sound so long each, at most 3,000 of them.
    mutating func expect(frameSeconds: Double) {
        guard frameSeconds > 0 else { return }
        limit = min(max(Int(Self.seconds / frameSeconds), Self.leastFrames), Self.mostFrames)
    }

    mutating func append(_ hash: UInt32) {
        if hashes.isEmpty { hashes.reserveCapacity(limit + Self.stride) }
        if hashes.count >= limit + Self.stride { hashes.removeFirst(hashes.count - limit) }
        hashes.append(hash)
    }

    mutating func removeAll() { hashes.removeAll() }

    /// The hash of a frame. Not for secrets: the frames of one programme are told apart, no more is asked, and a line-up is
    /// believed only when four of them fit.
    static func hash(_ frame: UnsafeRawBufferPointer) -> UInt32 {
        var state = UInt64(truncatingIfNeeded: frame.count) &* 0x9E37_79B9_7F4A_7C15
        var offset = 0
        while offset + 8 <= frame.count {
            state = mix(state ^ frame.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < frame.count {
            rest = rest << 8 | UInt64(frame[offset])
            offset += 1
        }
        return UInt32(truncatingIfNeeded: mix(state ^ rest))
    }

    /// Folds a 128-bit product, as wyhash does: one multiplication spreads every bit.
    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
        return product.high ^ product.low
    }
}
