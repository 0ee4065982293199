package import Platform
package import Store

/// What has been learned about a station by listening to it. Nothing here was told by anybody.
package struct StationFacts: Sendable, Hashable {
    /// Charset of its titles, found over their history.
    package var charset: String?
    /// How much earlier (negative) or later the song really changes than its title, milliseconds.
    package var cutOffset: Int?
    /// kbit/s, measured over minutes.
    package var bitrate: Double?
    package var codec: String?
    /// Integrated loudness, LUFS, for levelling in the player.
    package var loudness: Double?
    /// It announces titles.
    package var hasTitles: Bool?
    /// Milliseconds from the request to the first audio, lately.
    package var firstAudio: Int?
    /// When audio last came.
    package var heard: WallTime?

    package init() {}
}

/// Facts of all stations: read from memory, kept in SQLite without ever waiting for it.
package final class StationFactBook: Sendable {
    private let database: Database?
    private let facts: Lock<[String: StationFacts]>

    /// The tables of facts and probes; hand it to `Database.open`.
    package static let schema = Schema(
        name: "station-facts",
        migrations: [
            """
            CREATE TABLE station_fact (
                id TEXT PRIMARY KEY, charset TEXT, cut_offset INTEGER, bitrate REAL, codec TEXT, loudness REAL,
                has_titles INTEGER, first_audio INTEGER, heard INTEGER) WITHOUT ROWID;
            CREATE TABLE station_probe (
                id INTEGER PRIMARY KEY, station TEXT NOT NULL, at INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT,
                url TEXT, codec TEXT, bitrate REAL, has_titles INTEGER, first_audio INTEGER);
            CREATE INDEX station_probe_by_station ON station_probe (station, at);
            """
        ])

    /// Reads what is known; nil keeps facts in memory alone. Blocks.
    package init(_ database: Database?) throws {
        self.database = database
        let rows = try database?.read { connection in
            try connection.rows(
                """
                SELECT id, charset, cut_offset, bitrate, codec, loudness, has_titles, first_audio, heard
                FROM station_fact
                """, [], Self.row)
        }
        facts = Lock(Dictionary(rows ?? [], uniquingKeysWith: { first, _ in first }))
    }

    private static func row(_ row: borrowing Statement) -> (String, StationFacts) {
        var facts = StationFacts()
        facts.charset = row.optionalText(1)
        facts.cutOffset = row.optionalInt(2).map { Int(clamping: $0) }
        facts.bitrate = row.optionalDouble(3)
        facts.codec = row.optionalText(4)
        facts.loudness = row.optionalDouble(5)
        facts.hasTitles = row.optionalInt(6).map { $0 != 0 }
        facts.firstAudio = row.optionalInt(7).map { Int(clamping: $0) }
        facts.heard = row.optionalInt(8).map(WallTime.init(nanoseconds:))
        return (row.text(0), facts)
    }

    /// Any thread.
    package func facts(of station: String) -> StationFacts {
        facts.withLock { $0[station] ?? StationFacts() }
    }

    /// Changes what is known and keeps it if it differs. Any thread, never blocks for the database.
    package func learn(_ station: String, _ change: (inout StationFacts) -> Void) {
        let learned = facts.withLock { facts -> StationFacts? in
            let before = facts[station] ?? StationFacts()
            var after = before
            change(&after)
            guard after != before else { return nil }
            facts[station] = after
            return after
        }
        if let learned { database?.post(Self.command(station, learned)) }
    }

    private static func command(_ station: String, _ facts: StationFacts) -> Command {
        Command(
            "INSERT OR REPLACE INTO station_fact VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            [
                .text(station), SQLValue(facts.charset), SQLValue(facts.cutOffset), SQLValue(facts.bitrate),
                SQLValue(facts.codec), SQLValue(facts.loudness),
                facts.hasTitles.map { SQLValue($0) } ?? .null,
                SQLValue(facts.firstAudio), SQLValue(facts.heard?.nanoseconds),
            ])
    }

    // MARK: Probes

    /// What one try of a station found.
    package struct Probe: Sendable, Hashable {
        package var station: String
        package var at: WallTime
        /// `audio`, `no_audio`, `not_audio`, `unsupported`, `refused` or `unreachable`.
        package var state: String
        package var reason: String?
        /// The address that answered.
        package var url: String?
        package var codec: String?
        /// kbit/s, measured.
        package var bitrate: Double?
        package var hasTitles: Bool?
        /// Milliseconds to the first audio.
        package var firstAudio: Int?

        package init(station: String, at: WallTime, state: String) {
            self.station = station
            self.at = at
            self.state = state
        }
    }

    /// Keeps a probe, and what it says about the station. Any thread, never blocks for the database.
    package func note(_ probe: Probe) {
        database?.post(
            Command(
                """
                INSERT INTO station_probe (station, at, state, reason, url, codec, bitrate, has_titles, first_audio)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                """,
                [
                    .text(probe.station), .int(probe.at.nanoseconds), .text(probe.state),
                    SQLValue(probe.reason),
                    SQLValue(probe.url), SQLValue(probe.codec), SQLValue(probe.bitrate),
                    probe.hasTitles.map { SQLValue($0) } ?? .null, SQLValue(probe.firstAudio),
                ]))
        guard probe.state == "audio" else { return }
        learn(probe.station) { facts in
            facts.codec = probe.codec ?? facts.codec
            facts.bitrate = probe.bitrate ?? facts.bitrate
            facts.hasTitles = probe.hasTitles ?? facts.hasTitles
            facts.firstAudio = probe.firstAudio ?? facts.firstAudio
            facts.heard = probe.at
        }
    }

    /// The last tries of a station, newest first. Blocks.
    package func probes(of station: String, limit: Int = 50) throws -> [Probe] {
        try database?.read { connection in
            try connection.rows(
                """
                SELECT station, at, state, reason, url, codec, bitrate, has_titles, first_audio FROM station_probe
                WHERE station = ?1 ORDER BY at DESC LIMIT ?2
                """, [.text(station), .int(Int64(limit))], Self.probe)
        } ?? []
    }

    private static func probe(_ row: borrowing Statement) -> Probe {
        var probe = Probe(station: row.text(0), at: WallTime(nanoseconds: row.int(1)), state: row.text(2))
        probe.reason = row.optionalText(3)
        probe.url = row.optionalText(4)
        probe.codec = row.optionalText(5)
        probe.bitrate = row.optionalDouble(6)
        probe.hasTitles = row.optionalInt(7).map { $0 != 0 }
        probe.firstAudio = row.optionalInt(8).map { Int(clamping: $0) }
        return probe
    }
}
