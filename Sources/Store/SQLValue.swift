/// One value that goes into a statement or comes out of a row.
package enum SQLValue: Sendable, Hashable {
    case null
    case int(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    package init(_ value: String?) { self = value.map(SQLValue.text) ?? .null }
    package init(_ value: Int?) { self = value.map { .int(Int64($0)) } ?? .null }
    package init(_ value: Int64?) { self = value.map(SQLValue.int) ?? .null }
    package init(_ value: Double?) { self = value.map(SQLValue.real) ?? .null }
    package init(_ value: [UInt8]?) { self = value.map(SQLValue.blob) ?? .null }
    package init(_ value: Bool) { self = .int(value ? 1 : 0) }
}

extension SQLValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByNilLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int64) { self = .int(value) }
    package init(floatLiteral value: Double) { self = .real(value) }
    package init(booleanLiteral value: Bool) { self = .int(value ? 1 : 0) }
    package init(nilLiteral: ()) { self = .null }
}
