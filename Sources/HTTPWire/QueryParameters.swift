/// The parameters of a query, decoded, in order. Pieces that cannot be decoded are left out.
package struct QueryParameters: Sendable, Hashable {
    package struct Parameter: Sendable, Hashable {
        package var name: String
        package var value: String
        /// The value's bytes, for callers that learn the charset elsewhere (`song=` of `/admin/metadata`).
        package var bytes: [UInt8]
    }

    package let parameters: [Parameter]

    /// Most parameters that are read.
    package static let limit = 64

    /// Reads `a=1&b=two+words`. Text that is not UTF-8 is read as Latin-1.
    package init(_ query: String) {
        parameters = Substring(query).utf8.split(separator: UInt8(ascii: "&")).prefix(Self.limit).compactMap {
            piece in
            let sides = piece.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = sides.first.flatMap({ PercentCoding.decode($0, plusIsBlank: true) }),
                !name.isEmpty,
                let value = PercentCoding.decode(
                    sides.dropFirst().first ?? Substring("").utf8, plusIsBlank: true)
            else { return nil }
            return Parameter(
                name: ASCIIText.decodingHeader(name), value: ASCIIText.decodingHeader(value), bytes: value)
        }
    }

    /// The first value under this name.
    package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// The first value's bytes under this name.
    package func bytes(_ name: String) -> [UInt8]? { parameters.first { $0.name == name }?.bytes }

    /// Every value under this name.
    package func all(_ name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }
}
