/// Cuts a long JSON array into its elements while it is being read, so that the whole need not be in memory.
package struct JSONArraySplitter {
    /// What was wrong with the text around the elements; the elements themselves are not looked into.
    package enum Problem: Error, Sendable, Hashable {
        case notAnArray
        case elementTooLong
        /// The text ended inside the array.
        case unfinished
    }

    private enum Place { case before, between, inside, after }

    private var place = Place.before
    private var element: [UInt8] = []
    private var depth = 0
    private var inString = false
    private var escaped = false
    private let longest: Int

    /// - Parameter longest: bytes of one element.
    package init(longestElement longest: Int = 64 << 10) { self.longest = longest }

    /// Takes the next bytes, of any length, and hands over each element that they complete.
    package mutating func feed(
        _ bytes: some Sequence<UInt8>, _ each: ([UInt8]) throws -> Void
    ) throws {
        for byte in bytes {
            switch place {
            case .before: try open(byte)
            case .between: try begin(byte)
            case .inside: try take(byte, each)
            case .after: break
            }
        }
    }

    /// Says whether the array came to its end.
    package func finish() throws(Problem) {
        guard place == .after else { throw place == .before ? .notAnArray : .unfinished }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    private mutating func open(_ byte: UInt8) throws(Problem) {
        if byte == UInt8(ascii: "[") { place = .between } else if !Self.isBlank(byte) { throw .notAnArray }
    }

    private mutating func begin(_ byte: UInt8) throws(Problem) {
        if byte == UInt8(ascii: "]") {
            place = .after
        } else if !Self.isBlank(byte) && byte != UInt8(ascii: ",") {
            place = .inside
            element = []
            try add(byte)
        }
    }

    private mutating func take(_ byte: UInt8, _ each: ([UInt8]) throws -> Void) throws {
        if depth == 0 && !inString && (byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]")) {
            place = byte == UInt8(ascii: "]") ? .after : .between
            try each(element)
        } else {
            try add(byte)
        }
    }

    private mutating func add(_ byte: UInt8) throws(Problem) {
        guard element.count < longest else { throw .elementTooLong }
        element.append(byte)
        if escaped {
            escaped = false
        } else if inString {
            if byte == UInt8(ascii: "\\") {
                escaped = true
            } else if byte == UInt8(ascii: "\"") {
                inString = false
            }
        } else {
            switch byte {
            case UInt8(ascii: "\""): inString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
    }
}
