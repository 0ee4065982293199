/// Refuses names such as `a.a.a.…` with thousands of parts.
///
/// The parser bounds nested values, not dotted names: each part becomes a table inside the last, and the tables are
/// let go of one inside the other, until the stack is used up.
enum TOMLDepthGuard {
    /// Dots in one name; a name of ours has two.
    private static let limit = 31

    /// Where the first name with too many dots is, or nil.
    static func tooDeep(_ text: [UInt8]) -> TOMLPosition? {
        var scan = Scan()
        for byte in text {
            if scan.take(byte) > limit { return scan.position }
        }
        return nil
    }

    /// Follows quotes and comments, and counts the dots outside them.
    private struct Scan {
        private enum Place { case plain, comment, basic, literal, longBasic, longLiteral }

        private var place = Place.plain
        private var line = 1
        private var column = 0
        private var dots = 0
        /// How many of the same quote have just come, and whether a backslash did.
        private var quotes = 0
        private var escaped = false
        private var quoteByte: UInt8 = 0

        var position: TOMLPosition { TOMLPosition(line: line, column: column) }

        /// The dots of the name that the scan is in.
        mutating func take(_ byte: UInt8) -> Int {
            column += 1
            switch place {
            case .plain: takePlain(byte)
            case .comment: break
            case .basic, .literal: takeShort(byte)
            case .longBasic, .longLiteral: takeLong(byte)
            }
            if byte == UInt8(ascii: "\n") { endLine() }
            return dots
        }

        private mutating func takePlain(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): openQuote(byte)
            case UInt8(ascii: "#"): place = .comment
            case UInt8(ascii: "."): dots += 1
            // A value or another name starts behind these. Blanks do not end a name: `a . b` is one.
            case UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "{"), UInt8(ascii: "["): dots = 0
            default: break
            }
            if byte != quoteByte { quotes = 0 }
        }

        /// Two quotes are an empty string; a third at once opens a long one.
        private mutating func openQuote(_ byte: UInt8) {
            let basic = byte == UInt8(ascii: "\"")
            quotes = byte == quoteByte ? quotes + 1 : 1
            quoteByte = byte
            if quotes == 2 {
                // The short string before has just ended with this quote's neighbour: a long one begins.
                place = basic ? .longBasic : .longLiteral
                quotes = 0
            } else {
                place = basic ? .basic : .literal
            }
        }

        private mutating func takeShort(_ byte: UInt8) {
            if escaped {
                escaped = false
            } else if place == .basic && byte == UInt8(ascii: "\\") {
                escaped = true
                quotes = 0
            } else if byte == quoteByte {
                place = .plain
                // Still 1 if nothing stood between the quotes.
                return
            }
            quotes = 0
        }

        /// The last three of up to five quotes in a row end a long string.
        private mutating func takeLong(_ byte: UInt8) {
            if byte == quoteByte && !escaped {
                quotes += 1
                if quotes == 5 { leaveLong() }
            } else if quotes >= 3 {
                leaveLong()
                takePlain(byte)
            } else {
                escaped = place == .longBasic && byte == UInt8(ascii: "\\") && !escaped
                quotes = 0
            }
        }

        private mutating func leaveLong() {
            place = .plain
            quotes = 0
            quoteByte = 0
        }

        /// A short string and a comment end with their line, a long string does not.
        private mutating func endLine() {
            line += 1
            column = 0
            dots = 0
            let isLong = place == .longBasic || place == .longLiteral
            if !isLong { place = .plain; quotes = 0; escaped = false }
        }
    }
}
