extension JSONValue {
    /// Why a text is not JSON, or not within our limits.
    package struct ParseError: Error, Sendable, CustomStringConvertible {
        package var description: String
    }

    /// Longest text that `parse` takes, in bytes, unless told otherwise.
    package static let defaultLimit = 64 << 10

    /// Reads a document (RFC 8259), nested at most 128 deep; of two members with one key the later counts.
    /// - Throws: `ParseError`, which never repeats the text.
    package static func parse(_ bytes: [UInt8], limit: Int = defaultLimit) throws(ParseError) -> JSONValue {
        guard bytes.count <= limit else {
            throw ParseError(description: "the JSON text is \(bytes.count) bytes; at most \(limit) are read")
        }
        var reader = JSONReader(bytes)
        do throws(JSONReader.Failure) {
            return try reader.document()
        } catch {
            throw ParseError(description: "this is not valid JSON (near byte \(error.offset))")
        }
    }

    package static func parse(_ text: String, limit: Int = defaultLimit) throws(ParseError) -> JSONValue {
        try parse(Array(text.utf8), limit: limit)
    }

    /// The document on one line, or indented by two blanks.
    package func text(pretty: Bool = false) -> String {
        var text = ""
        write(to: &text, indent: pretty ? 0 : nil)
        return text
    }

    private func write(to text: inout String, indent: Int?) {
        switch self {
        case .null: text += "null"
        case .bool(let truth): text += truth ? "true" : "false"
        case .int(let whole): text += String(whole)
        case .number(let number): text += number.isFinite ? "\(number)" : "null"
        case .string(let string): Self.writeQuoted(string, to: &text)
        case .array(let items):
            Self.writeList("[", "]", items, indent, &text) { $0.write(to: &$1, indent: $2) }
        case .object(let members):
            Self.writeList("{", "}", members, indent, &text) { member, text, indent in
                Self.writeQuoted(member.key, to: &text)
                text += indent == nil ? ":" : ": "
                member.value.write(to: &text, indent: indent)
            }
        }
    }

    private static func writeList<Item>(
        _ open: String, _ close: String, _ items: [Item], _ indent: Int?, _ text: inout String,
        _ write: (Item, inout String, Int?) -> Void
    ) {
        guard !items.isEmpty else { text += open + close; return }
        let inner = indent.map { $0 + 1 }
        text += open
        for (index, item) in items.enumerated() {
            if index > 0 { text += "," }
            if let inner { text += "\n" + String(repeating: "  ", count: inner) }
            write(item, &text, inner)
        }
        if let indent { text += "\n" + String(repeating: "  ", count: indent) }
        text += close
    }

    private static func writeQuoted(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..<"\u{20}", "\u{7F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
