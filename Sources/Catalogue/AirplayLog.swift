package import Platform
package import Store
package import StreamFormats

/// One title that a station announced, and when.
package struct Airing: Sendable, Hashable {
    /// The row's key; also the cursor of a page. 0 before it is written.
    package var id: Int64 = 0
    package var station: String
    /// When it came into force on the wall clock.
    package var at: WallTime
    package var title: TitleText
    /// The bytes as they came, so that the text can be read again once the charset is known.
    package var raw: [UInt8] = []

    package init(station: String, at: WallTime, title: TitleText, raw: [UInt8] = []) {
        self.station = station
        self.at = at
        self.title = title
        self.raw = raw
    }
}

/// Which airings are asked for. Everything that is set must fit.
package struct AirplayQuery: Sendable, Hashable {
    /// Words of artist and title, by their beginnings.
    package var text = ""
    package var station: String?
    package var from: WallTime?
    package var to: WallTime?
    /// Empty for all but `none`.
    package var kinds: [TitleClass] = []
    /// Only rows with a smaller id: the last one of the page before.
    package var before: Int64?
    package var limit = 100

    package init(_ text: String = "") { self.text = text }

    package static let largestLimit = 5000
}

/// What every watched station played, newest first. Appending never waits and loses nothing (`Database.post`).
package struct AirplayLog: Sendable {
    private let database: Database

    package init(_ database: Database) { self.database = database }

    /// The log's tables; hand it to `Database.open`.
    package static let schema = Schema(
        name: "airplay",
        migrations: [
            """
            CREATE TABLE airplay (
                id INTEGER PRIMARY KEY AUTOINCREMENT, station TEXT NOT NULL, at INTEGER NOT NULL,
                kind TEXT NOT NULL, text TEXT NOT NULL, artist TEXT, title TEXT, raw BLOB);
            CREATE INDEX airplay_by_station ON airplay (station, at);
            CREATE INDEX airplay_by_time ON airplay (at);
            CREATE VIRTUAL TABLE airplay_text USING fts5(
                text, content = 'airplay', content_rowid = 'id', tokenize = "unicode61 remove_diacritics 2");
            """
        ])

    /// Any thread, never blocks.
    package func append(_ airing: Airing) {
        database.post([
            Command(
                """
                INSERT INTO airplay (station, at, kind, text, artist, title, raw) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                """,
                [
                    .text(airing.station), .int(airing.at.nanoseconds), .text(airing.title.kind.rawValue),
                    .text(airing.title.text), SQLValue(airing.title.artist), SQLValue(airing.title.title),
                    airing.raw.isEmpty ? .null : .blob(airing.raw),
                ]),
            // A trigger would do, but schemas are not trusted with virtual tables.
            Command(
                "INSERT INTO airplay_text (rowid, text) VALUES (last_insert_rowid(), ?1)",
                [.text(airing.title.text)]),
        ])
    }

    /// The airings that fit, newest first. Blocks; inside `Database.read` of a task use `search(_:on:)`.
    package func search(_ query: AirplayQuery) throws -> [Airing] {
        try database.read { try Self.search(query, on: $0) }
    }

    package static func search(_ query: AirplayQuery, on connection: Connection) throws -> [Airing] {
        var conditions: [String] = []
        var values: [SQLValue] = []
        func add(_ condition: String, _ value: SQLValue) {
            values.append(value)
            conditions.append(condition.replacing("?", with: "?\(values.count)"))
        }
        if !query.text.isEmpty {
            guard let match = SearchText.match(query.text) else { return [] }
            add("id IN (SELECT rowid FROM airplay_text WHERE airplay_text MATCH ?)", .text(match))
        }
        if let station = query.station { add("station = ?", .text(station)) }
        if let from = query.from { add("at >= ?", .int(from.nanoseconds)) }
        if let to = query.to { add("at < ?", .int(to.nanoseconds)) }
        if let before = query.before { add("id < ?", .int(before)) }
        if query.kinds.isEmpty { conditions.append("kind <> 'none'") }
        for kind in query.kinds { values.append(.text(kind.rawValue)) }
        if !query.kinds.isEmpty {
            let places = (values.count - query.kinds.count + 1...values.count).map { "?\($0)" }
            conditions.append("kind IN (\(places.joined(separator: ", ")))")
        }
        values.append(.int(Int64(min(max(query.limit, 0), AirplayQuery.largestLimit))))
        return try connection.rows(
            """
            SELECT id, station, at, kind, text, artist, title, raw FROM airplay
            WHERE \(conditions.joined(separator: " AND ")) ORDER BY id DESC LIMIT ?\(values.count)
            """, values, airing)
    }

    private static func airing(_ row: borrowing Statement) -> Airing {
        let title = TitleText(
            text: row.text(4), artist: row.optionalText(5), title: row.optionalText(6),
            kind: TitleClass(rawValue: row.text(3)) ?? .none)
        var airing = Airing(
            station: row.text(1), at: WallTime(nanoseconds: row.int(2)), title: title, raw: row.blob(7))
        airing.id = row.int(0)
        return airing
    }

    /// Reads a station's history again with a charset that has been learned. Never blocks.
    /// - Parameter read: the text of raw bytes, or nil to leave the row as it is.
    package func readAnew(
        station: String, limit: Int = 10_000, read: @escaping @Sendable ([UInt8]) -> TitleText?,
        then: @escaping @Sendable (Result<Int, any Error>) -> Void = { _ in }
    ) {
        database.enqueue(
            { connection in
                let rows = try connection.rows(
                    "SELECT id, raw, text FROM airplay WHERE station = ?1 AND raw IS NOT NULL ORDER BY id DESC LIMIT ?2",
                    [.text(station), .int(Int64(limit))]
                ) { ($0.int(0), $0.blob(1), $0.text(2)) }
                var changed = 0
                for (id, raw, text) in rows {
                    guard let title = read(raw), title.text != text else { continue }
                    changed += 1
                    try connection.run(Self.forget, [.int(id), .text(text)])
                    try connection.run(
                        "INSERT INTO airplay_text (rowid, text) VALUES (?1, ?2)",
                        [.int(id), .text(title.text)])
                    try connection.run(
                        "UPDATE airplay SET text = ?2, artist = ?3, title = ?4, kind = ?5 WHERE id = ?1",
                        [
                            .int(id), .text(title.text), SQLValue(title.artist), SQLValue(title.title),
                            .text(title.kind.rawValue),
                        ])
                }
                return changed
            }, then: then)
    }

    /// How a table of words without a text of its own forgets one.
    private static let forget =
        "INSERT INTO airplay_text (airplay_text, rowid, text) VALUES ('delete', ?1, ?2)"

    /// When the log is tidied: an hour after the start, and once a day from then on. A machine whose clock is set only a while
    /// after it has begun would lose everything at the start. A plain value.
    package struct Tidying: Sendable {
        /// Seconds for which what was played is kept.
        private let keep: Double
        private var next: MonotonicTime

        private static let first = 3600.0
        private static let pause = 86_400.0

        package init(keep: Double, start: MonotonicTime) {
            self.keep = keep
            next = start.advanced(bySeconds: Self.first)
        }

        /// Before which moment all is to go; nil while it is not time yet.
        package mutating func due(at now: MonotonicTime, wall: WallTime) -> WallTime? {
            guard now >= next else { return nil }
            next = now.advanced(bySeconds: Self.pause)
            return wall.advanced(bySeconds: -keep)
        }
    }

    /// Takes away what is older. Never blocks.
    package func prune(before: WallTime) {
        database.post([
            Command(
                """
                INSERT INTO airplay_text (airplay_text, rowid, text)
                SELECT 'delete', id, text FROM airplay WHERE at < ?1
                """, [.int(before.nanoseconds)]),
            Command("DELETE FROM airplay WHERE at < ?1", [.int(before.nanoseconds)]),
        ])
    }
}
