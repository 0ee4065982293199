/// Where something stands in a text, counted from 1.
package struct TOMLPosition: Sendable, Hashable, Comparable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// A value of a TOML document and the place it was written at, so that whoever refuses it can say where.
package struct TOMLValue: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        case table([TOMLEntry])
        case array([TOMLValue])
        case string(String)
        case integer(Int64)
        case real(Double)
        case boolean(Bool)
        /// A date, a time or both, as written.
        case moment(String)
    }

    package var content: Content
    package var position: TOMLPosition

    package init(_ content: Content, at position: TOMLPosition) {
        self.content = content
        self.position = position
    }

    /// What it is called in a message: `a string`, `a whole number`.
    package var kind: String {
        switch content {
        case .table: "a table"
        case .array: "an array"
        case .string: "a string"
        case .integer: "a whole number"
        case .real: "a number"
        case .boolean: "true or false"
        case .moment: "a date or time"
        }
    }

    /// The entries of a table in the order they were written; nil for anything else.
    package var entries: [TOMLEntry]? { if case .table(let entries) = content { entries } else { nil } }
    package var array: [TOMLValue]? { if case .array(let items) = content { items } else { nil } }
    package var string: String? { if case .string(let text) = content { text } else { nil } }
    package var integer: Int64? { if case .integer(let whole) = content { whole } else { nil } }
    package var boolean: Bool? { if case .boolean(let truth) = content { truth } else { nil } }

    /// A number, whole or not.
    package var real: Double? {
        switch content {
        case .real(let number): number
        case .integer(let whole): Double(whole)
        default: nil
        }
    }

    /// The value of a table's key.
    package subscript(key: String) -> TOMLValue? { entries?.first { $0.key == key }?.value }
}

/// One `key = value` of a table.
package struct TOMLEntry: Sendable, Hashable {
    package var key: String
    /// Where the key stands.
    package var position: TOMLPosition
    package var value: TOMLValue

    package init(_ key: String, at position: TOMLPosition, _ value: TOMLValue) {
        self.key = key
        self.position = position
        self.value = value
    }
}
