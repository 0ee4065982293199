internal import Store

/// Full-text search over the stations of one snapshot, in memory.
final class StationIndex: Sendable {
    private static let script = """
        CREATE VIRTUAL TABLE station_text USING fts5(
            name, genre, tags, country, language, place,
            content = '', tokenize = "unicode61 remove_diacritics 2", prefix = '2 3')
        """

    private let memory: MemoryDatabase

    init(_ stations: [CatalogueStation]) throws {
        memory = try MemoryDatabase(Self.script)
        try memory.use { connection in
            for (number, station) in stations.enumerated() {
                try connection.run(
                    """
                    INSERT INTO station_text (rowid, name, genre, tags, country, language, place)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                    """, [.int(Int64(number))] + Self.columns(station))
            }
        }
    }

    private static func columns(_ entry: CatalogueStation) -> [SQLValue] {
        let station = entry.station
        let country = station.country ?? ""
        return [
            .text("\(station.name) \(station.id) \(station.callsign ?? "")"),
            .text(station.genre ?? ""),
            .text((station.tags + station.groups).joined(separator: " ")),
            .text("\(country) \(CountryNames.name(of: country) ?? "")"),
            .text(station.language ?? ""),
            .text("\(station.market ?? "") \(station.frequency ?? "")"),
        ]
    }

    /// Numbers of the stations that fit, best first. The name counts most.
    func matches(_ query: StationQuery) throws -> [Int] {
        guard let match = Self.match(query) else { return [] }
        return try memory.use { connection in
            try connection.rows(
                """
                SELECT rowid FROM station_text WHERE station_text MATCH ?1
                ORDER BY bm25(station_text, 10, 4, 3, 2, 2, 2), rowid
                """, [.text(match)]
            ) { Int($0.int(0)) }
        }
    }

    /// The whole query as FTS5, or nil where nothing in it is text.
    static func match(_ query: StationQuery) -> String? {
        let parts = [
            SearchText.match(query.text),
            query.genre.flatMap { SearchText.match($0, column: "genre tags") },
            query.country.flatMap { SearchText.match($0, column: "country") },
            query.language.flatMap { SearchText.match($0, column: "language") },
            query.tag.flatMap { SearchText.match($0, column: "tags genre") },
        ].compactMap { $0 }
        return parts.isEmpty ? nil : parts.map { "(\($0))" }.joined(separator: " AND ")
    }
}
