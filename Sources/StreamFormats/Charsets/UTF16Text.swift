/// UTF-16 as tags and badly made titles hold it.
package enum UTF16Text {
    /// The byte order is told by a mark, or else by where the zero bytes of ASCII letters stand. Half a unit at the end
    /// is left out; a broken pair becomes U+FFFD.
    package static func decode(_ bytes: [UInt8]) -> String {
        let hasMark = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        let isLittle = hasMark ? bytes.first == 0xFF : looksLittle(bytes)
        let text = hasMark ? bytes.dropFirst(2) : bytes[...]
        var units: [UInt16] = []
        units.reserveCapacity(text.count / 2)
        for index in stride(from: text.startIndex, to: text.endIndex - 1, by: 2) {
            let (first, second) = (UInt16(text[index]), UInt16(text[index + 1]))
            units.append(isLittle ? second << 8 | first : first << 8 | second)
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static func looksLittle(_ bytes: [UInt8]) -> Bool {
        let zeros = bytes.indices.filter { bytes[$0] == 0 }
        return zeros.count { $0 % 2 == 1 } > zeros.count { $0 % 2 == 0 }
    }
}
