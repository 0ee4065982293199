/// The STREAMINFO block of FLAC, as far as framing needs it (RFC 9639 §8.2).
struct FLACStreamInfo {
    static let length = 34

    let sampleRate: Int
    let channels: Int
    /// Bytes of the longest frame; 0 where unknown.
    let longestFrame: Int

    /// The block's body; nil where it is none.
    init?(_ body: ArraySlice<UInt8>) {
        guard body.count >= Self.length else { return nil }
        var bits = BitReader(body)
        bits.skip(16 + 16 + 24)
        longestFrame = bits.read(24)
        sampleRate = bits.read(20)
        channels = bits.read(3) + 1
        guard AudioFormat.soundRates.contains(sampleRate) else { return nil }
    }
}

/// The header of a FLAC frame, its CRC-8 found right (RFC 9639 §9.1).
struct FLACFrameHeader: Sendable, Hashable {
    /// Sync, codes, a coded number of seven bytes, block size, rate, CRC.
    static let longest = 16

    let isVariable: Bool
    /// Samples per channel.
    let blockSize: Int
    /// Hz; nil where STREAMINFO says it.
    let sampleRate: Int?
    let channels: Int
    /// Of the frame where the block size is fixed, else of its first sample.
    let number: Int
    let length: Int

    init?(_ bytes: ArraySlice<UInt8>) {
        let head = bytes.prefix(Self.longest)
        guard head.count >= 6 else { return nil }
        var bits = BitReader(head)
        guard bits.read(15) == 0x7FFC else { return nil }
        isVariable = bits.flag()
        let sizeCode = bits.read(4)
        let rateCode = bits.read(4)
        let channelCode = bits.read(4)
        let depthCode = bits.read(3)
        guard bits.read(1) == 0, sizeCode != 0, rateCode != 15, channelCode < 11, depthCode != 3 else {
            return nil
        }
        guard let number = Self.codedNumber(&bits) else { return nil }
        self.number = number
        channels = channelCode < 8 ? channelCode + 1 : 2
        blockSize = Self.blockSize(sizeCode, &bits)
        sampleRate = Self.sampleRate(rateCode, &bits)
        length = bits.position / 8 + 1
        guard length <= head.count, FLACChecksum.crc8(head.prefix(length)) == 0 else { return nil }
    }

    /// As UTF-8 codes it, up to 36 bits.
    private static func codedNumber(_ bits: inout BitReader) -> Int? {
        let first = UInt8(bits.read(8))
        let following = (~first).leadingZeroBitCount - 1
        if following == -1 { return Int(first) }
        guard following >= 1, following <= 6 else { return nil }
        var value = Int(first) & (0x3F >> following)
        for _ in 0..<following {
            guard bits.read(2) == 2 else { return nil }
            value = value << 6 | bits.read(6)
        }
        return value
    }

    private static func blockSize(_ code: Int, _ bits: inout BitReader) -> Int {
        switch code {
        case 1: 192
        case 2...5: 144 << code
        case 6: bits.read(8) + 1
        case 7: bits.read(16) + 1
        default: 1 << code
        }
    }

    private static func sampleRate(_ code: Int, _ bits: inout BitReader) -> Int? {
        switch code {
        case 0: nil
        case 12: bits.read(8) * 1000
        case 13: bits.read(16)
        case 14: bits.read(16) * 10
        default: rates[code]
        }
    }

    private static let rates: [12 of Int] = [
        0, 88200, 176_400, 192_000, 8000, 16000, 22050, 24000, 32000, 44100, 48000, 96000,
    ]
}

/// The two checksums of FLAC. Over bytes that end with their own checksum both come out as 0.
enum FLACChecksum {
    static func crc8(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        var value: UInt8 = 0
        for byte in bytes {
            value ^= byte
            for _ in 0..<8 { value = value << 1 ^ (value >> 7) &* 0x07 }
        }
        return value
    }

    /// Goes on from `sum` with one more byte.
    static func crc16(_ sum: UInt16, _ byte: UInt8) -> UInt16 {
        sum << 8 ^ table[Int(UInt8(truncatingIfNeeded: sum >> 8) ^ byte)]
    }

    private static let table: [UInt16] = (0..<256).map { index in
        (0..<8).reduce(UInt16(index) << 8) { value, _ in value << 1 ^ (value >> 15) &* 0x8005 }
    }
}
