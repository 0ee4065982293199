/// Writes bits, the highest first.
package struct BitWriter: Sendable {
    private var bytes: [UInt8] = []
    private var filled = 0

    package init() {}

    /// Bits written so far.
    package var count: Int { bytes.count * 8 - (filled == 0 ? 0 : 8 - filled) }

    package mutating func write(_ value: Int, _ count: Int) {
        for place in stride(from: count - 1, through: 0, by: -1) { write(bit: value >> place & 1 == 1) }
    }

    /// Everything written, the last byte filled up with zeros.
    package func finished() -> [UInt8] { bytes }

    private mutating func write(bit: Bool) {
        if filled == 0 { bytes.append(0) }
        if bit { bytes[bytes.count - 1] |= 0x80 >> UInt8(filled) }
        filled = (filled + 1) & 7
    }
}
