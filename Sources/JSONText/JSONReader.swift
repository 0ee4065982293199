/// Reads JSON (RFC 8259) from bytes: strict, within limits, never trapping. Directory snapshots have a million values,
/// so it works on bytes and makes no value twice.
struct JSONReader {
    /// Why it stopped; the text itself is not repeated.
    struct Failure: Error {
        var offset: Int
    }

    private let bytes: [UInt8]
    private var offset = 0
    private var depth = 0

    /// Levels of nesting that are followed. Our own documents have six.
    private static let deepest = 128
    /// Objects with more members than this are searched for a double key by a dictionary.
    private static let linearMembers = 16

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The one value of a document.
    mutating func document() throws(Failure) -> JSONValue {
        let value = try value()
        skipBlanks()
        guard offset == bytes.count else { throw Failure(offset: offset) }
        return value
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    }

    private mutating func value() throws(Failure) -> JSONValue {
        skipBlanks()
        switch next {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return .object(try nested { reader throws(Failure) in try reader.members() })
        case UInt8(ascii: "["): return .array(try nested { reader throws(Failure) in try reader.items() })
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func nested<Value>(
        _ read: (inout JSONReader) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard depth < Self.deepest else { throw Failure(offset: offset) }
        depth += 1
        defer { depth -= 1 }
        offset += 1
        return try read(&self)
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Failure) -> JSONValue {
        for index in 0..<word.utf8CodeUnitCount {
            guard next == word.withUTF8Buffer({ $0[index] }) else { throw Failure(offset: offset) }
            offset += 1
        }
        return value
    }

    // MARK: Arrays and objects

    private mutating func items() throws(Failure) -> [JSONValue] {
        var items: [JSONValue] = []
        skipBlanks()
        if next == UInt8(ascii: "]") { offset += 1; return items }
        while true {
            items.append(try value())
            if try isLast(closing: UInt8(ascii: "]")) { return items }
        }
    }

    private mutating func members() throws(Failure) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        var places: [String: Int] = [:]
        skipBlanks()
        if next == UInt8(ascii: "}") { offset += 1; return members }
        while true {
            skipBlanks()
            let key = try string()
            skipBlanks()
            guard next == UInt8(ascii: ":") else { throw Failure(offset: offset) }
            offset += 1
            put(JSONValue.Member(key, try value()), into: &members, &places)
            if try isLast(closing: UInt8(ascii: "}")) { return members }
        }
    }

    /// Of two members with one key the later counts, as with every reader that makes a dictionary.
    private func put(
        _ member: JSONValue.Member, into members: inout [JSONValue.Member], _ places: inout [String: Int]
    ) {
        if members.count == Self.linearMembers {
            for (place, known) in members.enumerated() { places[known.key] = place }
        }
        let twin =
            members.count < Self.linearMembers
            ? members.firstIndex { $0.key == member.key } : places[member.key]
        if let twin {
            members[twin] = member
        } else {
            if members.count >= Self.linearMembers { places[member.key] = members.count }
            members.append(member)
        }
    }

    private mutating func isLast(closing: UInt8) throws(Failure) -> Bool {
        skipBlanks()
        guard let byte = next, byte == closing || byte == UInt8(ascii: ",") else {
            throw Failure(offset: offset)
        }
        offset += 1
        return byte == closing
    }

    // MARK: Strings

    private mutating func string() throws(Failure) -> String {
        guard next == UInt8(ascii: "\"") else { throw Failure(offset: offset) }
        offset += 1
        let start = offset
        while let byte = next {
            if byte == UInt8(ascii: "\"") {
                defer { offset += 1 }
                return try text(bytes[start..<offset])
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
            guard byte >= 0x20 else { throw Failure(offset: offset) }
            offset += 1
        }
        throw Failure(offset: offset)
    }

    private mutating func escapedString(from start: Int) throws(Failure) -> String {
        var plain = Array(bytes[start..<offset])
        while let byte = next {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return try text(plain[...])
            case UInt8(ascii: "\\"): try escape(into: &plain)
            case 0..<0x20: throw Failure(offset: offset)
            default: plain.append(byte)
            }
        }
        throw Failure(offset: offset)
    }

    private func text(_ utf8: ArraySlice<UInt8>) throws(Failure) -> String {
        guard let text = String(validating: utf8, as: UTF8.self) else { throw Failure(offset: offset) }
        return text
    }

    private mutating func escape(into plain: inout [UInt8]) throws(Failure) {
        guard let byte = next else { throw Failure(offset: offset) }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain.append(byte)
        case UInt8(ascii: "n"): plain.append(0x0A)
        case UInt8(ascii: "t"): plain.append(0x09)
        case UInt8(ascii: "r"): plain.append(0x0D)
        case UInt8(ascii: "b"): plain.append(0x08)
        case UInt8(ascii: "f"): plain.append(0x0C)
        case UInt8(ascii: "u"): plain += Array(String(Character(try scalar())).utf8)
        default: throw Failure(offset: offset)
        }
    }

    /// `\uXXXX`, or two of them for a scalar beyond the first plane; half of a pair alone is refused.
    private mutating func scalar() throws(Failure) -> Unicode.Scalar {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800...0xDBFF).contains(first), next == UInt8(ascii: "\\") else {
            throw Failure(offset: offset)
        }
        offset += 1
        guard next == UInt8(ascii: "u") else { throw Failure(offset: offset) }
        offset += 1
        let second = try hexadecimal()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        else { throw Failure(offset: offset) }
        return scalar
    }

    private mutating func hexadecimal() throws(Failure) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = next.flatMap(Self.hexadecimalDigit) else { throw Failure(offset: offset) }
            value = value << 4 | digit
            offset += 1
        }
        return value
    }

    private static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte) - 0x30
        case 0x41...0x46: UInt32(byte) - 0x41 + 10
        case 0x61...0x66: UInt32(byte) - 0x61 + 10
        default: nil
        }
    }

    // MARK: Numbers

    /// Whole numbers that fit become `int`, all others `number`.
    private mutating func number() throws(Failure) -> JSONValue {
        let start = offset
        if next == UInt8(ascii: "-") { offset += 1 }
        let firstDigit = next
        let whole = skipDigits()
        guard whole > 0, whole == 1 || firstDigit != UInt8(ascii: "0") else { throw Failure(offset: offset) }
        var isWhole = true
        if next == UInt8(ascii: ".") {
            isWhole = false
            offset += 1
            guard skipDigits() > 0 else { throw Failure(offset: offset) }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isWhole = false
            offset += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
            guard skipDigits() > 0 else { throw Failure(offset: offset) }
        }
        let digits = String(decoding: bytes[start..<offset], as: UTF8.self)
        if isWhole, let int = Int64(digits) { return .int(int) }
        guard let number = Double(digits), number.isFinite else { throw Failure(offset: offset) }
        return .number(number)
    }

    private mutating func skipDigits() -> Int {
        let start = offset
        while let byte = next, (0x30...0x39).contains(byte) { offset += 1 }
        return offset - start
    }
}
