internal import JSONText
internal import Platform
package import Store

/// What was learned of how late the titles of stations come, in SQLite: the next start, and cuts that are made later, go on
/// from there.
package final class OffsetBook: Sendable {
    package static let schema = Schema(
        name: "offsets",
        migrations: [
            """
            CREATE TABLE title_offset(
                station TEXT PRIMARY KEY,
                seen TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;
            """
        ])

    private let database: Database

    /// - Parameter database: opened with `schema` among its schemas.
    package init(database: Database) { self.database = database }

    /// All that is known, and whatever is learned from now on is kept. Blocks.
    package func offsets() throws -> StationOffsets {
        let rows = try database.read { connection in
            try connection.rows("SELECT station, seen FROM title_offset") { ($0.text(0), $0.text(1)) }
        }
        let known = rows.compactMap { station, text -> (String, [Double])? in
            guard let seen = try? JSONValue.parse(text, limit: 64 << 10).array else { return nil }
            return (station, seen.compactMap(\.double).filter { abs($0) < 60 })
        }
        return StationOffsets(known: Dictionary(known, uniquingKeysWith: { first, _ in first })) {
            [database] station, seen in
            Self.keep(seen, of: station, in: database)
        }
    }

    /// Never blocks.
    private static func keep(_ seen: [Double], of station: String, in database: Database) {
        let text = JSONValue.array(seen.map { .number(($0 * 1000).rounded() / 1000) }).text()
        database.enqueue { connection in
            try connection.run(
                """
                INSERT INTO title_offset(station, seen) VALUES (?1, ?2)
                ON CONFLICT(station) DO UPDATE SET seen = ?2
                """, [.text(station), .text(text)])
        } then: { result in
            if case .failure(let error) = result {
                Log.error("recording", "an offset of titles was not kept", ["error": "\(error)"])
            }
        }
    }
}
