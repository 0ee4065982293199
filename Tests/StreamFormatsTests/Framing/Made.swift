import StreamFormats

/// Streams made by hand, in the words of the cases they come from.
enum Made {
    /// `count` frames, each the four header bytes and zeros: silence.
    static func mp3(_ count: Int, _ header: UInt32 = 0xFFFB_9064, _ length: Int = 417) -> [UInt8] {
        (0..<count).flatMap { _ in big(header) + [UInt8](repeating: 0, count: length - 4) }
    }

    /// Frames with a body that no junk looks like: each byte tells frame and place.
    static func sounding(_ count: Int, _ header: UInt32 = 0xFFFB_9064, _ length: Int = 417) -> [UInt8] {
        var bytes: [UInt8] = []
        for frame in 0..<count { bytes += big(header) + body(4..<length, of: frame) }
        return bytes
    }

    static func soundingADTS(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for frame in 0..<count { bytes += big(0xFFF1_5080_2E7F_FC, 7) + body(7..<371, of: frame) }
        return bytes
    }

    private static func body(_ places: Range<Int>, of frame: Int) -> [UInt8] {
        places.map { UInt8((frame * 7 + $0 * 13) % 250) }
    }

    /// `count` frames, each the seven header bytes (given as the first seven of a hexadecimal number) and zeros.
    static func adts(_ count: Int, _ header: UInt64 = 0xFFF1_5080_2E7F_FC, _ length: Int = 371) -> [UInt8] {
        (0..<count).flatMap { _ in big(header, 7) + [UInt8](repeating: 0, count: length - 7) }
    }

    /// One ID3v2.4 tag with UTF-8 texts.
    static func id3(_ frames: [(name: String, value: [UInt8])]) -> [UInt8] {
        var body: [UInt8] = []
        for frame in frames {
            body += Array(frame.name.utf8) + safe(frame.value.count) + [0, 0] + frame.value
        }
        return Array("ID3".utf8) + [4, 0, 0] + safe(body.count) + body
    }

    static func text(_ text: String) -> [UInt8] { [3] + Array(text.utf8) }

    /// Sync-safe, four bytes.
    static func safe(_ value: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(value >> $0 & 0x7F) }
    }

    static func big(_ value: UInt32) -> [UInt8] { big(UInt64(value), 4) }

    static func big(_ value: UInt64, _ bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    }

    /// The same bytes in every run of the tests.
    static func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var generator = Noise(state: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 33) }
    }
}

/// Knuth's linear congruence: the tests need the same numbers everywhere, not good ones.
struct Noise: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}
