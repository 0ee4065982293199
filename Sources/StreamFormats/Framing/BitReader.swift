/// Bits of a stranger's bytes, the highest first. Beyond the end it reads zeros and says so: nothing to check per read.
struct BitReader {
    private let bytes: ArraySlice<UInt8>
    private let start: Int
    /// Bits read so far.
    private(set) var position = 0

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        start = bytes.startIndex
    }

    /// Bits that have not been read; negative once it read beyond the end.
    var left: Int { bytes.count * 8 - position }
    var isOverrun: Bool { left < 0 }

    /// Up to 32 bits.
    mutating func read(_ count: Int) -> Int {
        var value = 0
        for _ in 0..<count { value = value << 1 | bit() }
        return value
    }

    mutating func flag() -> Bool { bit() == 1 }

    mutating func skip(_ count: Int) {
        position += count
    }

    mutating func align() {
        position = (position + 7) & ~7
    }

    private mutating func bit() -> Int {
        let index = position >> 3
        let shift = 7 - position & 7
        position += 1
        guard index < bytes.count else { return 0 }
        return Int(bytes[start + index] >> UInt8(shift)) & 1
    }
}
