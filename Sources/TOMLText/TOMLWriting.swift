/// The small part of TOML that we write: strings, always on one line.
package enum TOMLWriting {
    /// The text as a basic string, in quotes.
    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{0}"..<"\u{20}", "\u{7F}"..."\u{9F}":
                let digits = String(scalar.value, radix: 16, uppercase: true)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// Any value on one line; tables become inline tables.
    package static func text(_ content: TOMLValue.Content) -> String {
        switch content {
        case .string(let text): quoted(text)
        case .integer(let whole): "\(whole)"
        case .real(let number): "\(number)"
        case .boolean(let truth): truth ? "true" : "false"
        case .moment(let text): text
        case .array(let items): "[" + items.map { text($0.content) }.joined(separator: ", ") + "]"
        case .table(let entries):
            entries.isEmpty
                ? "{}"
                : "{ " + entries.map { "\(key($0.key)) = \(text($0.value.content))" }.joined(separator: ", ")
                    + " }"
        }
    }

    /// A key, in quotes only where TOML wants them.
    private static func key(_ key: String) -> String {
        let isBare =
            !key.isEmpty
            && key.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        return isBare ? key : quoted(key)
    }
}

extension TOMLValue.Content {
    /// A list of strings that were made, not read: they have no place.
    package static func texts(_ texts: [String]) -> TOMLValue.Content {
        .array(texts.map { TOMLValue(.string($0), at: TOMLPosition(line: 1, column: 1)) })
    }
}
