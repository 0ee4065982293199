/// Small ASCII habits that every text reader of this room needs. All of them take any bytes.
enum ASCII {
    /// Blank, tab, CR, LF, vertical tab, form feed.
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// The letters a–z lowered, everything else as it is.
    static func lowered(_ bytes: some Sequence<UInt8>) -> [UInt8] { bytes.map(lowered) }

    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let first = bytes.firstIndex(where: { !isBlank($0) }),
            let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return [] }
        return bytes[first...last]
    }

    static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> { trimmed(bytes[...]) }

    /// A whole number written in ASCII digits and nothing else; nil for a sign, a blank, more than 18 digits.
    /// `Int("+5")` says 5 and `Int("-1")` says −1, which is not what a header field means.
    static func number(_ bytes: some Collection<UInt8>) -> Int? {
        guard !bytes.isEmpty, bytes.count <= 18, bytes.allSatisfy(isDigit) else { return nil }
        return bytes.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    }

    static func equal(_ bytes: some Sequence<UInt8>, _ word: StaticString) -> Bool {
        equal(bytes, Array("\(word)".utf8))
    }

    /// Equal but for the case of a–z.
    static func equal(_ bytes: some Sequence<UInt8>, _ word: some Sequence<UInt8>) -> Bool {
        bytes.elementsEqual(word) { lowered($0) == lowered($1) }
    }

    static func hasPrefix(_ bytes: some Sequence<UInt8>, _ prefix: String) -> Bool {
        bytes.starts(with: prefix.utf8) { lowered($0) == lowered($1) }
    }

    /// Where `needle` first stands, case of a–z aside.
    static func firstIndex(of needle: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let needle = lowered(needle.utf8)
        guard let first = needle.first, bytes.count >= needle.count else { return nil }
        var index = bytes.startIndex
        while index <= bytes.endIndex - needle.count {
            if lowered(bytes[index]) == first, bytes[index...].starts(with: needle, by: { lowered($0) == $1 })
            {
                return index
            }
            index += 1
        }
        return nil
    }
}
