/// The STREAMINFO block at the front of a FLAC file (RFC 9639 §8.2), as far as a recorder must know it.
enum StreamInfo {
    private static let length = 34
    /// Minimum and maximum sizes, rate, channels and bits are as the station sent them; what follows is ours.
    private static let countOffset = 13

    /// Where it begins; nil where the bytes are no FLAC head.
    static func offset(in bytes: [UInt8]) -> Int? {
        guard bytes.count >= 8 + length, bytes.starts(with: Array("fLaC".utf8)), bytes[4] & 0x7F == 0 else {
            return nil
        }
        return 8
    }

    /// Bytes of `fLaC` and all metadata blocks; nil where the bytes are no FLAC head or end within it.
    static func headLength(of bytes: [UInt8]) -> Int? {
        guard bytes.starts(with: Array("fLaC".utf8)) else { return nil }
        var place = 4
        while place + 4 <= bytes.count {
            let size = Int(bytes[place + 1]) << 16 | Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
            let isLast = bytes[place] & 0x80 != 0
            place += 4 + size
            if isLast { return place <= bytes.count ? place : nil }
        }
        return nil
    }

    private static let picture: UInt8 = 6

    /// The head of a FLAC file with a picture behind its other blocks; nil where it has one, or is no such head.
    static func head(_ bytes: [UInt8], adding picture: TagFields.Picture) -> [UInt8]? {
        guard headLength(of: bytes) == bytes.count else { return nil }
        var (head, place, last) = (bytes, 4, 4)
        while place + 4 <= head.count {
            if head[place] & 0x7F == Self.picture { return nil }
            last = place
            place += 4 + (Int(head[place + 1]) << 16 | Int(head[place + 2]) << 8 | Int(head[place + 3]))
        }
        let block = picture.flacBlock
        head[last] &= 0x7F
        let size = [16, 8, 0].map { UInt8(truncatingIfNeeded: block.count >> $0) }
        return head + [0x80 | Self.picture] + size + block
    }

    /// Count of samples and an MD5 of zeros, which says "unknown": 36 bits and 16 bytes, to be written behind the byte
    /// that holds rate, channels and bits.
    /// - Parameter first: that byte as it is; its upper half stays.
    static func counts(samples: Int64, keeping first: UInt8) -> [UInt8] {
        let samples = min(max(samples, 0), (1 << 36) - 1)
        let low = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: samples >> $0) }
        return [first & 0xF0 | UInt8(truncatingIfNeeded: samples >> 32)] + low
            + [UInt8](repeating: 0, count: 16)
    }

    static var countsOffset: Int { countOffset }
}
