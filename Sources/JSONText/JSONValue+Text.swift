import Foundation

extension JSONValue {
    /// Why a text is not JSON, or not within our limits.
    package struct ParseError: Error, Sendable, CustomStringConvertible {
        package var description: String
    }

    /// Longest text that `parse` takes, in bytes, unless told otherwise.
    package static let defaultLimit = 64 << 10

    /// Reads a document. Foundation's reader refuses nesting beyond 512 levels by itself.
    /// - Throws: `ParseError`, which never repeats the text.
    package static func parse(_ bytes: [UInt8], limit: Int = defaultLimit) throws(ParseError) -> JSONValue {
        guard bytes.count <= limit else {
            throw ParseError(description: "the JSON text is \(bytes.count) bytes; at most \(limit) are read")
        }
        do {
            return try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
        } catch {
            throw ParseError(description: "this is not valid JSON")
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

extension JSONValue: Decodable {
    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Key.self) {
            self = .object(
                try object.allKeys.map {
                    Member($0.stringValue, try object.decode(JSONValue.self, forKey: $0))
                })
        } else if var list = try? decoder.unkeyedContainer() {
            var items: [JSONValue] = []
            while !list.isAtEnd { items.append(try list.decode(JSONValue.self)) }
            self = .array(items)
        } else {
            self = try Self.scalar(try decoder.singleValueContainer())
        }
    }

    private static func scalar(_ value: any SingleValueDecodingContainer) throws -> JSONValue {
        if value.decodeNil() { return .null }
        if let truth = try? value.decode(Bool.self) { return .bool(truth) }
        if let whole = try? value.decode(Int64.self) { return .int(whole) }
        if let number = try? value.decode(Double.self) { return .number(number) }
        return .string(try value.decode(String.self))
    }
}
