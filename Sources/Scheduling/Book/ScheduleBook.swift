package import Platform
package import Store

/// Entries and what became of their occurrences, in SQLite. Any thread.
package final class ScheduleBook: Sendable {
    package static let schema = Schema(
        name: "schedules",
        migrations: [
            """
            CREATE TABLE schedule(
                id TEXT PRIMARY KEY,
                station TEXT NOT NULL,
                name TEXT,
                start TEXT NOT NULL,
                zone TEXT NOT NULL,
                length TEXT NOT NULL,
                seconds INTEGER,
                rule TEXT,
                skipped TEXT NOT NULL,
                pad_before INTEGER NOT NULL,
                pad_after INTEGER NOT NULL,
                action TEXT NOT NULL,
                template TEXT,
                keep INTEGER NOT NULL,
                enabled INTEGER NOT NULL,
                since INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE occurrence(
                key TEXT PRIMARY KEY,
                entry TEXT NOT NULL,
                station TEXT NOT NULL,
                name TEXT,
                action TEXT NOT NULL,
                start INTEGER NOT NULL,
                finish INTEGER,
                padded INTEGER,
                state TEXT NOT NULL,
                reason TEXT,
                began INTEGER,
                ended INTEGER,
                recordings TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX occurrence_by_start ON occurrence(start DESC);
            """
        ])

    /// Entries that a book holds at most.
    package static let limit = 2000
    /// What became of an occurrence is kept for so long; longer than the machine looks back.
    private static let keptSeconds = 400 * 86_400.0

    private let database: Database
    private let kept: Lock<[String: ScheduleEntry]>

    /// Reads the entries. Blocks.
    /// - Parameter database: opened with `schema` among its schemas.
    package init(database: Database) throws {
        self.database = database
        let entries = try database.read { connection in
            try connection.rows("SELECT \(Self.columns) FROM schedule") { try Self.entry($0) }
        }
        kept = Lock(Dictionary(entries.map { ($0.id, $0) }) { $1 })
    }

    // MARK: Entries

    /// In the order of their first time.
    package var entries: [ScheduleEntry] {
        kept.withLock { Array($0.values) }.sorted { ($0.start, $0.id) < ($1.start, $1.id) }
    }

    package func entry(_ id: String) -> ScheduleEntry? { kept.withLock { $0[id] } }

    /// Keeps entries, new ones and changed ones, all or none. Returns when they are on the disk.
    package func put(_ entries: [ScheduleEntry]) throws {
        try database.write { connection in
            for entry in entries { try connection.run(Self.putting, Self.values(entry)) }
        }
        kept.withLock { for entry in entries { $0[entry.id] = entry } }
    }

    /// Takes an entry out; what became of its occurrences stays. False where there is none of that id.
    package func remove(_ id: String) throws -> Bool {
        try database.write { try $0.run("DELETE FROM schedule WHERE id = ?1", [.text(id)]) }
        return kept.withLock { $0.removeValue(forKey: id) != nil }
    }

    private static let columns =
        "id, station, name, start, zone, length, seconds, rule, skipped, pad_before, pad_after, action, template, keep, enabled, since"

    private static let putting = """
        INSERT INTO schedule(\(columns))
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
        ON CONFLICT(id) DO UPDATE SET station = ?2, name = ?3, start = ?4, zone = ?5, length = ?6, seconds = ?7,
            rule = ?8, skipped = ?9, pad_before = ?10, pad_after = ?11, action = ?12, template = ?13, keep = ?14,
            enabled = ?15, since = ?16
        """

    private static func values(_ entry: ScheduleEntry) -> [SQLValue] {
        [
            .text(entry.id), .text(entry.station), SQLValue(entry.name), .text(entry.start.description),
            .text(entry.zone), .text(entry.length.word), SQLValue(entry.seconds), SQLValue(entry.rule?.text),
            .text(entry.skipped.map(\.compact).joined(separator: " ")), .int(entry.padBefore),
            .int(entry.padAfter), .text(entry.action.rawValue), SQLValue(entry.template),
            SQLValue(entry.keep), SQLValue(entry.isEnabled), .int(entry.since.nanoseconds),
        ]
    }

    private static func entry(_ row: borrowing Statement) throws -> ScheduleEntry {
        let seconds = row.int(6)
        let length: ScheduleEntry.Length =
            switch row.text(5) {
            case "elapsed": .elapsed(seconds)
            case "wall": .wall(seconds)
            default: .open
            }
        guard let start = LocalDateTime(row.text(3)) else {
            throw ScheduleMistake.time("the schedule \(row.text(0)) has no start")
        }
        var entry = ScheduleEntry(
            id: row.text(0), station: row.text(1), start: start, zone: row.text(4), length: length)
        entry.name = row.optionalText(2)
        entry.rule = row.optionalText(7).map { RecurrenceRule(kept: $0) }
        entry.skipped = row.text(8).split(separator: " ").compactMap { LocalDateTime(String($0)) }
        entry.padBefore = row.int(9)
        entry.padAfter = row.int(10)
        entry.action = ScheduleEntry.Action(rawValue: row.text(11)) ?? .record
        entry.template = row.optionalText(12)
        entry.keep = row.bool(13)
        entry.isEnabled = row.bool(14)
        entry.since = WallTime(nanoseconds: row.int(15))
        return entry
    }
}

extension ScheduleBook {
    // MARK: What became of them

    private static let recordColumns =
        "key, entry, station, name, action, start, finish, padded, state, reason, began, ended, recordings"

    /// Keeps a row. Never blocks, and the row is not lost: see `Database.post`.
    package func keep(_ record: OccurrenceRecord) {
        database.post(
            Command(
                """
                INSERT OR REPLACE INTO occurrence(\(Self.recordColumns))
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
                """,
                [
                    .text(record.key), .text(record.entry), .text(record.station), SQLValue(record.name),
                    .text(record.action.rawValue), .int(record.start.nanoseconds),
                    SQLValue(record.end?.nanoseconds), SQLValue(record.to?.nanoseconds),
                    .text(record.state.rawValue), SQLValue(record.reason),
                    SQLValue(record.began?.nanoseconds),
                    SQLValue(record.ended?.nanoseconds),
                    .text(record.recordings.joined(separator: " ")),
                ]))
    }

    /// What the machine has to know after a start: all of the last year. Takes out what is older. Blocks.
    package func recentRecords(now: WallTime) throws -> [OccurrenceRecord] {
        let oldest = now.advanced(bySeconds: -Self.keptSeconds)
        database.post(
            Command(
                "DELETE FROM occurrence WHERE start < ?1 AND state <> 'running'", [.int(oldest.nanoseconds)]))
        return try read("WHERE start >= ?1 OR state = 'running' ORDER BY start", [.int(oldest.nanoseconds)])
    }

    /// The newest first. Blocks.
    /// - Parameters:
    ///   - states: of these states.
    ///   - entry: of this entry; nil for all.
    package func records(
        _ states: [OccurrenceRecord.State], entry: String? = nil, limit: Int
    ) throws -> [OccurrenceRecord] {
        let words = states.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return try read(
            "WHERE state IN (\(words)) AND (?1 IS NULL OR entry = ?1) ORDER BY start DESC LIMIT ?2",
            [SQLValue(entry), .int(Int64(limit))])
    }

    private func read(_ rest: String, _ values: [SQLValue]) throws -> [OccurrenceRecord] {
        try database.read { connection in
            try connection.rows("SELECT \(Self.recordColumns) FROM occurrence \(rest)", values) {
                try Self.record($0)
            }
        }
    }

    private static func record(_ row: borrowing Statement) throws -> OccurrenceRecord {
        OccurrenceRecord(
            key: row.text(0), entry: row.text(1), station: row.text(2), name: row.optionalText(3),
            action: ScheduleEntry.Action(rawValue: row.text(4)) ?? .record,
            start: WallTime(nanoseconds: row.int(5)), end: time(row, 6), to: time(row, 7),
            state: OccurrenceRecord.State(rawValue: row.text(8)) ?? .missed, reason: row.optionalText(9),
            began: time(row, 10), ended: time(row, 11),
            recordings: row.text(12).split(separator: " ").map(String.init))
    }

    private static func time(_ row: borrowing Statement, _ column: Int) -> WallTime? {
        row.optionalInt(column).map(WallTime.init(nanoseconds:))
    }
}

extension ScheduleEntry.Length {
    /// As the API and the table write it.
    package var word: String {
        switch self {
        case .elapsed: "elapsed"
        case .wall: "wall"
        case .open: "open"
        }
    }
}
