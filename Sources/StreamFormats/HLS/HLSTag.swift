/// One tag line of an HLS playlist: `#EXT-X-KEY:METHOD=NONE`.
struct HLSTag {
    /// Without the `#`.
    var name: String
    /// What stands behind the colon, without blanks around it.
    var value: ArraySlice<UInt8>

    /// Nil for an address or a comment.
    init?(_ line: ArraySlice<UInt8>) {
        guard line.starts(with: "#EXT".utf8) else { return nil }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        name = String(
            decoding: ASCII.trimmed(line[line.index(after: line.startIndex)..<colon]), as: UTF8.self)
        value = colon < line.endIndex ? ASCII.trimmed(line[(colon + 1)...]) : []
    }

    /// The value as a whole number of at most 15 digits, so that nothing counted on from it can overflow.
    var number: Int? { value.count <= 15 ? ASCII.number(value) : nil }

    /// The value as an attribute list (RFC 8216 §4.2): names in upper case, quotes taken off; the first of a name counts.
    var attributes: [String: String] {
        var found: [String: String] = [:]
        var rest = value
        while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            let name = String(decoding: ASCII.trimmed(rest[..<equals]), as: UTF8.self).uppercased()
            let (text, next) = Self.attribute(rest[(equals + 1)...])
            if found[name] == nil { found[name] = String(decoding: text, as: UTF8.self) }
            rest = next.drop { $0 == UInt8(ascii: ",") || ASCII.isBlank($0) }
        }
        return found
    }

    /// One value, and what stands behind it. A quote that never closes reaches to the end.
    private static func attribute(_ text: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, ArraySlice<UInt8>) {
        let text = text.drop(while: ASCII.isBlank)
        if text.first == UInt8(ascii: "\"") {
            let inner = text.dropFirst()
            let end = inner.firstIndex(of: UInt8(ascii: "\"")) ?? inner.endIndex
            return (inner[..<end], end < inner.endIndex ? inner[(end + 1)...] : [])
        }
        let end = text.firstIndex(of: UInt8(ascii: ",")) ?? text.endIndex
        return (ASCII.trimmed(text[..<end]), text[end...])
    }
}

/// Numbers of HLS playlists.
enum HLSNumber {
    /// Longer segments than a day do not exist.
    private static let longest = 86_400

    /// `9.984`; nil for a sign, an exponent, `NaN` and whatever else is not digits and one point.
    static func seconds(_ text: ArraySlice<UInt8>) -> Duration? {
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let whole = first.isEmpty ? 0 : ASCII.number(first), whole <= longest
        else {
            return nil
        }
        guard parts.count == 2 else { return first.isEmpty ? nil : .seconds(whole) }
        let digits = parts[1].prefix(9)
        guard parts[1].allSatisfy(ASCII.isDigit), !(digits.isEmpty && first.isEmpty) else { return nil }
        let padded = Array(digits) + [UInt8](repeating: UInt8(ascii: "0"), count: 9 - digits.count)
        return .seconds(whole) + .nanoseconds(ASCII.number(padded) ?? 0)
    }

    /// `length[@offset]`.
    static func range(_ text: some StringProtocol) -> (length: Int, offset: Int?)? {
        let parts = text.split(separator: "@", maxSplits: 1).map { ASCII.trimmed(Array($0.utf8)) }
        guard let first = parts.first, first.count <= 15, let length = ASCII.number(first), length > 0 else {
            return nil
        }
        guard parts.count == 2 else { return (length, nil) }
        guard parts[1].count <= 15, let offset = ASCII.number(parts[1]) else { return nil }
        return (length, offset)
    }

    /// `0x…` of at most 32 digits, as 16 bytes.
    static func initializationVector(_ text: String) -> [UInt8]? {
        guard text.hasPrefix("0x") || text.hasPrefix("0X") else { return nil }
        let digits = text.dropFirst(2)
        guard (1...32).contains(digits.utf8.count), digits.utf8.count == digits.count else { return nil }
        let padded = Array((String(repeating: "0", count: 32 - digits.count) + digits))
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 32, by: 2) {
            guard let high = padded[index].hexDigitValue, let low = padded[index + 1].hexDigitValue else {
                return nil
            }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}
