/// What tells how long a Vorbis packet sounds: two block sizes, and which of them each mode uses (Vorbis I §4).
struct VorbisSetup: Sendable {
    private(set) var sampleRate = 0
    private(set) var channels = 0
    private var blockSizes = (short: 0, long: 0)
    private var modes: [Bool] = []
    /// Size of the block before; nil in front of the first, which only primes the decoder.
    private var previous: Int?

    /// Nothing read yet.
    init() {}

    /// From the first and third header packet; nil where they are not sound.
    init?(identification: ArraySlice<UInt8>, setup: ArraySlice<UInt8>) {
        guard readIdentification(identification), let modes = VorbisModes.read(setup, channels: channels)
        else {
            return nil
        }
        self.modes = modes
    }

    private mutating func readIdentification(_ packet: ArraySlice<UInt8>) -> Bool {
        guard packet.count >= 30, packet.starts(with: [1] + "vorbis".utf8) else { return false }
        let body = Array(packet.dropFirst(7))
        channels = Int(body[4])
        sampleRate = body[5..<9].reversed().reduce(0) { $0 << 8 | Int($1) }
        let (short, long) = (Int(body[21] & 15), Int(body[21] >> 4))
        guard channels > 0, AudioFormat.soundRates.contains(sampleRate), 6...13 ~= short, short...13 ~= long
        else {
            return false
        }
        blockSizes = (1 << short, 1 << long)
        return true
    }

    /// Samples per channel that the next packet of the stream adds: half of each of two neighbouring blocks, halved.
    mutating func samples(of packet: ArraySlice<UInt8>) -> Int {
        var bits = LowBitReader(packet)
        guard !bits.flag() else { return 0 }
        let mode = bits.read(VorbisModes.bits(for: modes.count - 1))
        guard mode < modes.count else { return 0 }
        let size = modes[mode] ? blockSizes.long : blockSizes.short
        defer { previous = size }
        return previous.map { $0 / 4 + size / 4 } ?? 0
    }
}

/// Walks the setup header to its end, where the modes stand.
enum VorbisModes {
    /// True for each mode that uses long blocks; nil where the header is not sound.
    static func read(_ packet: ArraySlice<UInt8>, channels: Int) -> [Bool]? {
        guard packet.starts(with: [5] + "vorbis".utf8) else { return nil }
        var bits = LowBitReader(packet.dropFirst(7))
        for _ in 0...bits.read(8) { guard skipCodebook(&bits) else { return nil } }
        for _ in 0...bits.read(6) { bits.skip(16) }
        for _ in 0...bits.read(6) { guard skipFloor(&bits) else { return nil } }
        for _ in 0...bits.read(6) { skipResidue(&bits) }
        for _ in 0...bits.read(6) { skipMapping(&bits, channels) }
        let modes = (0...bits.read(6)).map { _ in
            defer { bits.skip(16 + 16 + 8) }
            return bits.flag()
        }
        return bits.isOverrun ? nil : modes
    }

    /// Bits that hold a number up to `value`.
    static func bits(for value: Int) -> Int {
        value <= 0 ? 0 : Int.bitWidth - value.leadingZeroBitCount
    }

    private static func skipCodebook(_ bits: inout LowBitReader) -> Bool {
        guard bits.read(24) == 0x56_4342 else { return false }
        let dimensions = bits.read(16)
        let entries = bits.read(24)
        if bits.flag() { skipOrderedLengths(entries, &bits) } else { skipLengths(entries, &bits) }
        let lookup = bits.read(4)
        guard lookup <= 2 else { return false }
        guard lookup > 0 else { return !bits.isOverrun }
        bits.skip(64)
        let width = bits.read(4) + 1
        bits.skip(1)
        let values = lookup == 2 ? entries * dimensions : root(of: entries, dimensions)
        bits.skip(values * width)
        return !bits.isOverrun
    }

    private static func skipLengths(_ entries: Int, _ bits: inout LowBitReader) {
        let isSparse = bits.flag()
        for _ in 0..<entries {
            guard !bits.isOverrun else { return }
            if !isSparse || bits.flag() { bits.skip(5) }
        }
    }

    private static func skipOrderedLengths(_ entries: Int, _ bits: inout LowBitReader) {
        bits.skip(5)
        var done = 0
        while done < entries, !bits.isOverrun { done += bits.read(Self.bits(for: entries - done)) }
    }

    /// The greatest number whose power is not above `entries`.
    private static func root(of entries: Int, _ dimensions: Int) -> Int {
        guard dimensions > 1 else { return dimensions == 1 ? entries : 0 }
        var value = 1
        while power(value + 1, dimensions, isWithin: entries) { value += 1 }
        return value
    }

    private static func power(_ base: Int, _ exponent: Int, isWithin limit: Int) -> Bool {
        var product = 1
        for _ in 0..<exponent {
            product *= base
            if product > limit { return false }
        }
        return true
    }

    private static func skipFloor(_ bits: inout LowBitReader) -> Bool {
        switch bits.read(16) {
        case 0:
            bits.skip(8 + 16 + 16 + 6 + 8)
            bits.skip((bits.read(4) + 1) * 8)
        case 1:
            skipFloorOne(&bits)
        default:
            return false
        }
        return !bits.isOverrun
    }

    private static func skipFloorOne(_ bits: inout LowBitReader) {
        let classOf = (0..<bits.read(5)).map { _ in bits.read(4) }
        var dimensions = [Int](repeating: 0, count: 16)
        for index in 0..<((classOf.max() ?? -1) + 1) {
            dimensions[index] = bits.read(3) + 1
            let subclasses = bits.read(2)
            if subclasses > 0 { bits.skip(8) }
            bits.skip(8 << subclasses)
        }
        bits.skip(2)
        let width = bits.read(4)
        for index in classOf { bits.skip(dimensions[index] * width) }
    }

    private static func skipResidue(_ bits: inout LowBitReader) {
        bits.skip(16 + 24 + 24 + 24)
        let classes = bits.read(6) + 1
        bits.skip(8)
        let cascades = (0..<classes).map { _ in
            let low = bits.read(3)
            return bits.flag() ? bits.read(5) << 3 | low : low
        }
        for cascade in cascades { bits.skip(cascade.nonzeroBitCount * 8) }
    }

    private static func skipMapping(_ bits: inout LowBitReader, _ channels: Int) {
        bits.skip(16)
        let submaps = bits.flag() ? bits.read(4) + 1 : 1
        if bits.flag() {
            let steps = bits.read(8) + 1
            bits.skip(steps * 2 * Self.bits(for: channels - 1))
        }
        bits.skip(2)
        if submaps > 1 { bits.skip(channels * 4) }
        bits.skip(submaps * 24)
    }
}

/// Bits as Vorbis packs them, the lowest first. Beyond the end it reads zeros and says so.
struct LowBitReader {
    private let bytes: ArraySlice<UInt8>
    private var position = 0

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    var isOverrun: Bool { position > bytes.count * 8 }

    mutating func flag() -> Bool { read(1) == 1 }

    mutating func read(_ count: Int) -> Int {
        var value = 0
        for place in 0..<count {
            let index = position >> 3
            if index < bytes.count {
                value |= Int(bytes[bytes.startIndex + index] >> UInt8(position & 7) & 1) << place
            }
            position += 1
        }
        return value
    }

    mutating func skip(_ count: Int) {
        position += count
    }
}
