internal import JSONText
package import Platform
package import Store

/// The recordings that there are, in SQLite: found without reading a folder, and known to be unfinished after a crash.
///
/// A row holds what the sidecar holds, and columns to search by. A recording never waits for it: `keep` posts the row and
/// returns, and a row that the database cannot take now waits until it can; the sidecar beside the file is what counts.
package final class RecordingLibrary: RecordingJournal {
    package static let schema = Schema(
        name: "recordings",
        migrations: [
            """
            CREATE TABLE recording(
                id TEXT PRIMARY KEY,
                state TEXT NOT NULL,
                station TEXT NOT NULL,
                started INTEGER NOT NULL,
                folder TEXT NOT NULL,
                words TEXT NOT NULL,
                facts TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX recording_by_start ON recording(started DESC);
            """,
            """
            CREATE TABLE recording_progress(
                recording TEXT PRIMARY KEY REFERENCES recording(id) ON DELETE CASCADE,
                seconds REAL NOT NULL,
                isPlayed INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX recording_by_station ON recording(station, started DESC);
            """,
            """
            CREATE TABLE recording_deletion(
                id INTEGER PRIMARY KEY,
                recording TEXT NOT NULL,
                station TEXT NOT NULL,
                started INTEGER NOT NULL,
                ended INTEGER NOT NULL,
                bytes INTEGER NOT NULL,
                path TEXT NOT NULL,
                rule TEXT NOT NULL,
                at INTEGER NOT NULL
            ) STRICT;
            """,
            "ALTER TABLE recording ADD COLUMN summary TEXT",
        ])

    /// Longest text of a row: a day of titles is far below.
    private static let factsLimit = 32 << 20

    /// Deletions that are remembered.
    private static let deletionsKept = 10_000

    private let database: Database
    /// The newest of what was kept, oldest first: their rows may still be on the way.
    private let recent = Lock<[RecordingFacts]>([])
    private static let recentKept = 64
    private let shelf = SummaryShelf()

    /// - Parameter database: opened with `schema` among its schemas.
    package init(database: Database) { self.database = database }

    // MARK: Keeping

    package func keep(_ facts: RecordingFacts) {
        recent.withLock { recent in
            recent.removeAll { $0.id == facts.id }
            recent.append(facts)
            if recent.count > Self.recentKept { recent.removeFirst() }
        }
        let summary = RecordingSummary(facts)
        shelf.put(summary, facts.id)
        let row: [SQLValue] = [
            .text(facts.id.text), .text(facts.state.rawValue), .text(facts.stationID),
            .int(facts.started.nanoseconds), .text(facts.folder), .text(Self.words(facts)),
            .text(Sidecar.json(facts).text()), .text(summary.json.text()),
        ]
        database.post(
            Command(
                """
                INSERT INTO recording(id, state, station, started, folder, words, facts, summary)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                ON CONFLICT(id) DO UPDATE
                SET state = ?2, started = ?4, folder = ?5, words = ?6, facts = ?7, summary = ?8
                """, row))
    }

    package func unfinished() -> [RecordingFacts] {
        (try? read("WHERE state = ?1 ORDER BY started", [.text(RecordingFacts.State.recording.rawValue)]))
            ?? []
    }

    /// Blocks.
    package func logged(station: String) -> [RecordingFacts]? {
        guard
            let rows = try? read(
                "WHERE station = ?1 AND json_extract(facts, '$.slot.seconds') IS NOT NULL", [.text(station)])
        else { return nil }
        // Rows may wait for room on the disk: what was said last counts, a mark to keep above all.
        let newer = recent.withLock { $0.filter { $0.stationID == station && $0.slot != nil } }
        let changed = Set(newer.map(\.id))
        return rows.filter { !changed.contains($0.id) } + newer
    }

    package func deleted(_ deletion: Deletion) {
        recent.withLock { $0.removeAll { $0.id == deletion.recording } }
        shelf.put(nil, deletion.recording)
        let row: [SQLValue] = [
            .text(deletion.recording.text), .text(deletion.stationID), .int(deletion.started.nanoseconds),
            .int(deletion.ended.nanoseconds), .int(deletion.bytes), .text(deletion.path),
            .text(deletion.rule.rawValue), .int(deletion.at.nanoseconds),
        ]
        database.post([
            Command("DELETE FROM recording WHERE id = ?1", [.text(deletion.recording.text)]),
            Command(
                """
                INSERT INTO recording_deletion(recording, station, started, ended, bytes, path, rule, at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                """, row),
            Command(
                "DELETE FROM recording_deletion WHERE id <= (SELECT max(id) FROM recording_deletion) - ?1",
                [.int(Int64(Self.deletionsKept))]),
        ])
    }

    /// What was deleted by rule, the newest first. Blocks.
    package func deletions(limit: Int = 50) throws -> [Deletion] {
        try database.read { connection in
            try connection.rows(
                """
                SELECT recording, station, started, ended, bytes, path, rule, at FROM recording_deletion
                ORDER BY id DESC LIMIT ?1
                """, [.int(Int64(limit))]
            ) { row in
                Deletion(
                    recording: RecordingID(row.text(0)), stationID: row.text(1),
                    started: WallTime(nanoseconds: row.int(2)), ended: WallTime(nanoseconds: row.int(3)),
                    bytes: row.int(4), path: row.text(5), rule: .init(rawValue: row.text(6)) ?? .age,
                    at: WallTime(nanoseconds: row.int(7)))
            }
        }
    }

    // MARK: Finding

    /// Which recordings are wanted.
    package struct Filter: Sendable, Hashable {
        /// Words of the station's name, the show or a title; empty for all.
        package var query: String
        /// Id of a station.
        package var station: String?
        package var state: RecordingFacts.State?
        /// Those that began then or later.
        package var since: WallTime?

        package init(query: String = "") { self.query = query }

        /// Most words that are looked for.
        private static let mostWords = 8

        var words: [String] {
            query.lowercased().split(separator: " ").prefix(Self.mostWords).map(String.init)
        }

        /// Whether a recording is wanted, for one that has no row yet.
        package func wants(_ facts: RecordingFacts) -> Bool {
            let text = RecordingLibrary.words(facts)
            return words.allSatisfy { text.contains($0) } && (station ?? facts.stationID) == facts.stationID
                && (state ?? facts.state) == facts.state && (since ?? facts.started) <= facts.started
        }
    }

    /// The newest first. Blocks.
    package func list(_ filter: Filter = Filter(), limit: Int = 50, offset: Int = 0) throws
        -> [RecordingFacts]
    {
        let (rule, values) = Self.rule(filter)
        return try read(
            "\(rule) ORDER BY started DESC, id DESC LIMIT ?1 OFFSET ?2",
            [.int(Int64(limit)), .int(Int64(offset))] + values)
    }

    /// The same in short: what is in memory already, after the first time. Blocks.
    package func summaries(_ filter: Filter = Filter(), limit: Int = .max, offset: Int = 0) throws
        -> [RecordingSummary]
    {
        let all = try shelf.all(readSummaries)
        guard filter != Filter() else { return Array(all.dropFirst(offset).prefix(limit)) }
        let (rule, values) = Self.rule(filter)
        let found = try database.read { connection in
            try connection.rows(
                "SELECT id FROM recording \(rule) ORDER BY started DESC, id DESC LIMIT ?1 OFFSET ?2",
                [.int(Int64(limit)), .int(Int64(offset))] + values
            ) { RecordingID($0.text(0)) }
        }
        return found.compactMap { shelf[$0] }
    }

    private func readSummaries() throws -> [RecordingSummary] {
        let rows = try database.read { connection in
            try connection.rows("SELECT id, summary FROM recording") {
                (RecordingID($0.text(0)), $0.optionalText(1))
            }
        }
        let found = rows.map { id, text in
            text.flatMap { try? JSONValue.parse($0, limit: Self.factsLimit) }
                .flatMap { RecordingSummary(id, $0) } ?? older(id)
        }
        // What was said last may still be on its way to the disk.
        let newer = recent.withLock { $0.map(RecordingSummary.init) }
        return found.compactMap { $0 } + newer
    }

    /// Of a row that an older program wrote: it gets its summary now.
    private func older(_ id: RecordingID) -> RecordingSummary? {
        guard let facts = try? read("WHERE id = ?1", [.text(id.text)]).first else { return nil }
        let summary = RecordingSummary(facts)
        database.post(
            Command(
                "UPDATE recording SET summary = ?2 WHERE id = ?1 AND summary IS NULL",
                [.text(id.text), .text(summary.json.text())]))
        return summary
    }

    /// What a filter says in SQL; its values begin with ?3.
    private static func rule(_ filter: Filter) -> (sql: String, values: [SQLValue]) {
        var conditions: [String] = []
        var values: [SQLValue] = []
        func add(_ value: SQLValue, _ condition: (String) -> String) {
            values.append(value)
            conditions.append(condition("?\(values.count + 2)"))
        }
        for word in filter.words {
            add(.text(word)) { "instr(words, \($0)) > 0" }
        }
        if let station = filter.station { add(.text(station)) { "station = \($0)" } }
        if let state = filter.state { add(.text(state.rawValue)) { "state = \($0)" } }
        if let since = filter.since { add(.int(since.nanoseconds)) { "started >= \($0)" } }
        return (conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND "), values)
    }

    /// Those of these ids that there are, in this order. Blocks.
    package func recordings(_ ids: [RecordingID]) throws -> [RecordingFacts] {
        try ids.compactMap { try recording($0) }
    }

    /// One recording; nil where there is none of that id. Blocks.
    package func recording(_ id: RecordingID) throws -> RecordingFacts? {
        if let facts = recent.withLock({ $0.last { $0.id == id } }) { return facts }
        return try read("WHERE id = ?1", [.text(id.text)]).first
    }

    package func newest(_ facts: RecordingFacts) -> RecordingFacts? {
        do { return try recording(facts.id) } catch { return facts }
    }

    package func forget(_ id: RecordingID) throws {
        recent.withLock { $0.removeAll { $0.id == id } }
        shelf.put(nil, id)
        let command = Command("DELETE FROM recording WHERE id = ?1", [.text(id.text)])
        try database.write { try $0.run(command.sql, command.values) }
        // What was said of it earlier may still wait for room.
        database.post(command)
    }

    /// The recordings of a station that reach into a span of time, oldest first. Blocks.
    package func recordings(of station: String, from: WallTime, to: WallTime) throws -> [RecordingFacts] {
        let found = try read(
            "WHERE station = ?1 AND started < ?2 ORDER BY started", [.text(station), .int(to.nanoseconds)])
        return found.filter { $0.ended > from && $0.state != .failed }
    }

    // MARK: Listening

    /// How far somebody has listened.
    package struct Progress: Sendable, Hashable {
        package var seconds: Double
        package var isPlayed: Bool

        package init(seconds: Double, isPlayed: Bool) {
            self.seconds = seconds
            self.isPlayed = isPlayed
        }
    }

    /// Nil for one that nobody has begun. Blocks.
    package func progress(of id: RecordingID) throws -> Progress? {
        try database.read { connection in
            try connection.row(
                "SELECT seconds, isPlayed FROM recording_progress WHERE recording = ?1", [.text(id.text)]
            ) { Progress(seconds: $0.double(0), isPlayed: $0.bool(1)) }
        }
    }

    /// Of all that somebody has begun, in one look. Blocks.
    package func allProgress() throws -> [String: Progress] {
        try database.read { connection in
            let rows = try connection.rows("SELECT recording, seconds, isPlayed FROM recording_progress") {
                ($0.text(0), Progress(seconds: $0.double(1), isPlayed: $0.bool(2)))
            }
            return Dictionary(rows, uniquingKeysWith: { $1 })
        }
    }

    /// Remembers it, for every interface. Blocks.
    package func setProgress(_ progress: Progress, of id: RecordingID) throws {
        try database.write { connection in
            try connection.run(
                """
                INSERT INTO recording_progress(recording, seconds, isPlayed) VALUES (?1, ?2, ?3)
                ON CONFLICT(recording) DO UPDATE SET seconds = ?2, isPlayed = ?3
                """, [.text(id.text), .real(max(0, progress.seconds)), .init(progress.isPlayed)])
        }
    }

    private func read(_ rest: String, _ values: [SQLValue]) throws -> [RecordingFacts] {
        let rows = try database.read { connection in
            try connection.rows("SELECT facts, folder FROM recording \(rest)", values) {
                ($0.text(0), $0.text(1))
            }
        }
        return rows.compactMap { text, folder in
            (try? JSONValue.parse(text, limit: Self.factsLimit)).flatMap { Sidecar.facts($0, folder: folder) }
        }
    }

    /// What a search looks at, in lower case.
    fileprivate static func words(_ facts: RecordingFacts) -> String {
        ([facts.stationName, facts.stationID, facts.show ?? ""] + facts.titles.map(\.text.text))
            .joined(separator: "\n").lowercased()
    }
}
