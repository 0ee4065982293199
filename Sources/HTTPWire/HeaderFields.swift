/// The header fields of a message in the order they came. Names are kept in lower case.
package struct HeaderFields: Sendable, Hashable {
    package struct Field: Sendable, Hashable {
        package var name: String
        package var value: String
    }

    package private(set) var fields: [Field] = []

    package init() {}

    package var count: Int { fields.count }

    /// The first value under this name; any case.
    package subscript(name: String) -> String? {
        let wanted = ASCIIText.lowercased(name)
        return fields.first { $0.name == wanted }?.value
    }

    /// Every value under this name, in order; any case.
    package func all(_ name: String) -> [String] {
        let wanted = ASCIIText.lowercased(name)
        return fields.filter { $0.name == wanted }.map(\.value)
    }

    package func contains(_ name: String) -> Bool { self[name] != nil }

    /// The comma-separated members of every field under this name, trimmed and in lower case: `Connection: Upgrade, Close`.
    package func tokens(_ name: String) -> [String] {
        all(name).flatMap { $0.split(separator: ",") }.map { ASCIIText.lowercased(ASCIIText.trimmed($0)) }
            .filter { !$0.isEmpty }
    }

    package mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: ASCIIText.lowercased(name), value: value))
    }
}
