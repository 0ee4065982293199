/// FNV-1a in 64 bits: the same from run to run, as Swift's own hashes are not. It tells things apart that nobody forges, and
/// defends against nobody.
package struct FNV1a: Sendable, Hashable {
    /// Of all bytes so far.
    package private(set) var value: UInt64

    /// - Parameter basis: what it begins with; another one makes another row of numbers.
    package init(basis: UInt64 = 0xCBF2_9CE4_8422_2325) { value = basis }

    package mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

    package mutating func add(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes { add(byte) }
    }

    /// The text's bytes in UTF-8.
    package mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
    }

    package static func of(_ text: String) -> UInt64 {
        var hash = FNV1a()
        hash.add(text)
        return hash.value
    }

    package static func of(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var hash = FNV1a()
        hash.add(bytes)
        return hash.value
    }
}
