internal import TOMLText

/// Finds the one station that somebody means by an id, a name or a part of one.
package struct StationResolver: Sendable {
    private let snapshot: CatalogueSnapshot
    /// Candidates that an error names.
    private static let mostCandidates = 50

    package init(_ snapshot: CatalogueSnapshot) { self.snapshot = snapshot }

    /// In this order: the id; a preset's number; the name, case and marks aside; the only one whose id or name holds the
    /// text; the only one whose words begin so.
    /// - Throws: `CatalogueError.unknown` with near ids, `ambiguous` with the candidates.
    package func resolve(_ text: String) throws -> CatalogueStation {
        if let station = snapshot[text] { return station }
        if let number = Int(text), let preset = snapshot.stations.first(where: { $0.preset == number }) {
            return preset
        }
        let wanted = LatinFolding.folded(text)
        guard !wanted.isEmpty else { throw CatalogueError.unknown(text, near: []) }
        let visible = snapshot.visible
        for found in [
            visible.filter { LatinFolding.folded($0.name) == wanted },
            visible.filter { $0.id.contains(wanted) || LatinFolding.folded($0.name).contains(wanted) },
            try snapshot.search(StationQuery(text)),
        ] where !found.isEmpty {
            guard let only = found.first, found.count == 1 else { throw ambiguous(text, found) }
            return only
        }
        throw CatalogueError.unknown(text, near: near(text))
    }

    private func ambiguous(_ text: String, _ found: [CatalogueStation]) -> CatalogueError {
        .ambiguous(
            text, candidates: found.prefix(Self.mostCandidates).map { .init(id: $0.id, name: $0.name) })
    }

    private func near(_ text: String) -> [String] {
        let ids = snapshot.visible.map(\.id)
        return Spelling.nearest(to: text, among: ids).map { [$0] } ?? []
    }
}
