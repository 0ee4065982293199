/// A `Range` header that asks for one range of bytes. Source: RFC 9110 §14.
package enum ByteRange: Sendable, Hashable {
    /// `bytes=5-9` and `bytes=5-`.
    case from(Int64, through: Int64?)
    /// `bytes=-5`: so many bytes at the end.
    case last(Int64)

    /// Nil for another unit, for several ranges and for what cannot be read: all of these are answered with the whole.
    package init?(header value: String) {
        let sides = value.utf8.split(
            separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, ASCIIText.equalIgnoringCase(Substring(sides[0]), "bytes") else { return nil }
        let ends = sides[1].split(
            separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        switch (ends[0].isEmpty, ends[1].isEmpty) {
        case (true, _):
            guard let count = Digits.parse(ends[1]) else { return nil }
            self = .last(count)
        case (false, true):
            guard let first = Digits.parse(ends[0]) else { return nil }
            self = .from(first, through: nil)
        case (false, false):
            guard let first = Digits.parse(ends[0]), let last = Digits.parse(ends[1]), first <= last else {
                return nil
            }
            self = .from(first, through: last)
        }
    }

    /// The bytes of something `length` bytes long that this asks for; nil when it has none of them (416).
    package func resolved(length: Int64) -> Range<Int64>? {
        switch self {
        case .from(let first, let through):
            guard first < length else { return nil }
            guard let through, through < length - 1 else { return first..<length }
            return first..<(through + 1)
        case .last(let count):
            guard count > 0, length > 0 else { return nil }
            return max(0, length - count)..<length
        }
    }
}
