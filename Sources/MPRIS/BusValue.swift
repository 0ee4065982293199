/// A value as the bus carries it.
enum BusValue: Sendable, Hashable {
    case text(String)
    case path(String)
    case texts([String])
    case truth(Bool)
    case real(Double)
    case whole(Int64)
    /// Names and values.
    case facts([BusFact])

    /// Its type, in the bus's letters.
    var signature: String {
        switch self {
        case .text: "s"
        case .path: "o"
        case .texts: "as"
        case .truth: "b"
        case .real: "d"
        case .whole: "x"
        case .facts: "a{sv}"
        }
    }
}

/// A property, or one of several facts.
struct BusFact: Sendable, Hashable {
    var name: String
    var value: BusValue

    init(_ name: String, _ value: BusValue) {
        self.name = name
        self.value = value
    }
}
