/// One page of an Ogg stream (RFC 3533 §6), found at the front of a window.
struct OggPage {
    enum Reading {
        case page(OggPage)
        /// No page, or one whose checksum is wrong.
        case none
        case needsMore
    }

    static let headerLength = 27
    /// A page has at most 255 segments of 255 bytes.
    static let longestBody = 255 * 255

    let flags: UInt8
    /// -1 where no packet ends on the page.
    let granule: Int64
    let serial: UInt32
    let sequence: UInt32
    /// Bytes of the lacing values, in the window.
    let lacing: Range<Int>
    let body: Range<Int>

    var isContinued: Bool { flags & 1 != 0 }
    var isFirst: Bool { flags & 2 != 0 }
    var isLast: Bool { flags & 4 != 0 }
    var length: Int { body.upperBound }

    static func read(_ window: borrowing ByteWindow) -> Reading {
        guard window.mayHave("OggS\0", at: 0) else { return .none }
        guard window.count >= headerLength else { return .needsMore }
        let lacing = headerLength..<headerLength + Int(window[26])
        guard window.count >= lacing.upperBound else { return .needsMore }
        let bodyLength = lacing.reduce(0) { $0 + Int(window[$1]) }
        let body = lacing.upperBound..<lacing.upperBound + bodyLength
        guard window.count >= body.upperBound else { return .needsMore }
        guard OggChecksum.isRight(window.slice(0..<body.upperBound)) else { return .none }
        return .page(
            OggPage(
                flags: window[5], granule: Int64(bitPattern: UInt64(little(window, 6, 8))),
                serial: UInt32(truncatingIfNeeded: little(window, 14, 4)),
                sequence: UInt32(truncatingIfNeeded: little(window, 18, 4)), lacing: lacing, body: body))
    }

    private static func little(_ window: borrowing ByteWindow, _ index: Int, _ bytes: Int) -> UInt64 {
        (0..<bytes).reduce(0) { $0 | UInt64(window[index + $1]) << UInt64($1 * 8) }
    }
}

/// The checksum of Ogg pages: CRC-32 of polynomial 04C11DB7, not reflected, from 0, its own field taken as 0.
enum OggChecksum {
    /// Where the field stands in the page.
    static let field = 22..<26

    static func isRight(_ page: ArraySlice<UInt8>) -> Bool {
        let start = page.startIndex
        let told = field.reversed().reduce(0) { $0 << 8 | UInt32(page[start + $1]) }
        return told == of(page)
    }

    static func of(_ page: ArraySlice<UInt8>) -> UInt32 {
        let start = page.startIndex
        var value = add(page[start..<start + field.lowerBound], to: 0)
        value = add([0, 0, 0, 0], to: value)
        return add(page[(start + field.upperBound)...], to: value)
    }

    private static func add(_ bytes: ArraySlice<UInt8>, to sum: UInt32) -> UInt32 {
        var value = sum
        for byte in bytes { value = value << 8 ^ table[Int(value >> 24 ^ UInt32(byte))] }
        return value
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { value, _ in value << 1 ^ (value >> 31) &* 0x04C1_1DB7 }
    }
}
