/// A JSON document as a value. Objects keep the order they were written in.
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case int(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Sendable, Hashable {
        package var key: String
        package var value: JSONValue

        package init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// The member of an object by its key; nil for another key or another kind of value.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    package var string: String? { if case .string(let text) = self { text } else { nil } }
    package var bool: Bool? { if case .bool(let truth) = self { truth } else { nil } }
    package var array: [JSONValue]? { if case .array(let items) = self { items } else { nil } }
    package var members: [Member]? { if case .object(let members) = self { members } else { nil } }
    package var isNull: Bool { self == .null }

    /// A whole number, also when it was written `3.0`.
    package var int: Int64? {
        switch self {
        case .int(let whole): whole
        case .number(let number): Int64(exactly: number)
        default: nil
        }
    }

    package var double: Double? {
        switch self {
        case .int(let whole): Double(whole)
        case .number(let number): number
        default: nil
        }
    }
}

// MARK: Building

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .int(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(nilLiteral: ()) { self = .null }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }

    package init(_ value: String?) { self = value.map(JSONValue.string) ?? .null }
    package init(_ value: Int?) { self = value.map { .int(Int64($0)) } ?? .null }
    package init(_ value: Double?) { self = value.map(JSONValue.number) ?? .null }
    package init(_ value: Bool) { self = .bool(value) }
}
