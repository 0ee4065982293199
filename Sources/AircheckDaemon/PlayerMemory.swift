internal import Platform
internal import Store

/// What the player was doing, kept for the next start: it comes back where it was, if it was playing.
final class PlayerMemory: Sendable {
    static let schema = Schema(
        name: "player",
        migrations: [
            """
            CREATE TABLE player(
                one INTEGER PRIMARY KEY CHECK (one = 1),
                station TEXT,
                playing INTEGER NOT NULL,
                volume INTEGER NOT NULL
            ) STRICT;
            """,
            "ALTER TABLE player ADD COLUMN list TEXT NOT NULL DEFAULT ''",
        ])

    struct Memory: Sendable, Hashable {
        var station: String?
        var isPlaying: Bool
        var volume: Int
        /// Ids of the stations that next and previous walk; none has a blank in it.
        var list: [String] = []
    }

    private let database: Database
    private let last: Lock<Memory?>

    /// Reads what was kept. Blocks.
    init(database: Database) throws {
        self.database = database
        last = Lock(
            try database.read { connection in
                try connection.row("SELECT station, playing, volume, list FROM player") { row in
                    Memory(
                        station: row.optionalText(0), isPlaying: row.bool(1), volume: Int(row.int(2)),
                        list: row.text(3).split(separator: " ").map(String.init))
                }
            })
    }

    var memory: Memory? { last.withLock { $0 } }

    /// Keeps it, if it is something new. Never blocks.
    func keep(_ memory: Memory) {
        let isNew = last.withLock { last in
            defer { last = memory }
            return last != memory
        }
        guard isNew else { return }
        database.enqueue { connection in
            try connection.run(
                """
                INSERT INTO player(one, station, playing, volume, list) VALUES (1, ?1, ?2, ?3, ?4)
                ON CONFLICT(one) DO UPDATE SET station = ?1, playing = ?2, volume = ?3, list = ?4
                """,
                [
                    SQLValue(memory.station), SQLValue(memory.isPlaying), .int(Int64(memory.volume)),
                    .text(memory.list.joined(separator: " ")),
                ])
        } then: { result in
            if case .failure(let error) = result {
                Log.error("player", "its state was not kept", ["error": "\(error)"])
            }
        }
    }
}
