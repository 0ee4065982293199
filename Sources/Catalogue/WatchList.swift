package import Platform
package import Store

/// The rules of all watch-lists: read from memory, kept in SQLite.
package final class WatchList: Sendable {
    private let database: Database
    private let kept: Lock<[WatchRule]>

    /// As many rules as there may be.
    package static let most = 500

    /// The table; hand it to `Database.open`.
    package static let schema = Schema(
        name: "watch-list",
        migrations: [
            """
            CREATE TABLE watch_rule (
                id INTEGER PRIMARY KEY AUTOINCREMENT, words TEXT NOT NULL, field TEXT NOT NULL,
                action TEXT NOT NULL, station TEXT, created INTEGER NOT NULL, hits INTEGER NOT NULL DEFAULT 0,
                last_hit INTEGER) STRICT
            """
        ])

    /// Reads all of them. Blocks.
    package init(_ database: Database) throws {
        self.database = database
        kept = Lock(
            try database.read { connection in
                try connection.rows(
                    "SELECT id, words, field, action, station, created, hits, last_hit FROM watch_rule ORDER BY id",
                    [], Self.rule)
            })
    }

    private static func rule(_ row: borrowing Statement) -> WatchRule {
        var rule = WatchRule(
            row.text(1), in: WatchRule.Field(rawValue: row.text(2)) ?? .any,
            action: WatchRule.Action(rawValue: row.text(3)) ?? .notify, station: row.optionalText(4),
            created: WallTime(nanoseconds: row.int(5)))
        rule.id = row.int(0)
        rule.hits = Int(clamping: row.int(6))
        rule.lastHit = row.optionalInt(7).map(WallTime.init(nanoseconds:))
        return rule
    }

    /// Oldest first. Any thread.
    package var rules: [WatchRule] { kept.withLock { $0 } }

    /// Keeps a rule and gives it its number; nil when there are too many already. Blocks.
    package func add(_ rule: WatchRule) throws -> WatchRule? {
        guard kept.withLock({ $0.count < Self.most }) else { return nil }
        var rule = rule
        let values: [SQLValue] = [
            .text(rule.words), .text(rule.field.rawValue), .text(rule.action.rawValue),
            SQLValue(rule.station),
            .int(rule.created.nanoseconds),
        ]
        rule.id = try database.write { connection in
            try connection.run(
                "INSERT INTO watch_rule (words, field, action, station, created) VALUES (?1, ?2, ?3, ?4, ?5)",
                values)
            return connection.lastInsertedKey
        }
        kept.withLock { [rule] in $0.append(rule) }
        return rule
    }

    /// False where there is none of that number. Blocks.
    package func remove(_ id: Int64) throws -> Bool {
        guard kept.withLock({ $0.contains { $0.id == id } }) else { return false }
        try database.write { try $0.run("DELETE FROM watch_rule WHERE id = ?1", [.int(id)]) }
        kept.withLock { $0.removeAll { $0.id == id } }
        return true
    }

    /// Counts an airing. Any thread, never blocks for the database.
    package func met(_ id: Int64, at: WallTime) {
        kept.withLock { rules in
            for index in rules.indices where rules[index].id == id {
                rules[index].hits += 1
                rules[index].lastHit = at
            }
        }
        database.post(
            Command(
                "UPDATE watch_rule SET hits = hits + 1, last_hit = ?2 WHERE id = ?1",
                [.int(id), .int(at.nanoseconds)]))
    }
}
