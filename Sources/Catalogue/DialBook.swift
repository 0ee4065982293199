package import JSONText
internal import Platform
package import Store

/// The dials that were made: read from memory, kept in SQLite.
package final class DialBook: Sendable {
    private let database: Database
    private let kept: Lock<[SmartDial]>

    /// As many as there may be.
    package static let most = 200

    /// The table; hand it to `Database.open`.
    package static let schema = Schema(
        name: "dials",
        migrations: [
            """
            CREATE TABLE dial (
                id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, seed TEXT NOT NULL,
                variety INTEGER NOT NULL) STRICT
            """
        ])

    /// Reads all of them. Blocks.
    package init(_ database: Database) throws {
        self.database = database
        kept = Lock(
            try database.read { connection in
                try connection.rows("SELECT id, name, seed, variety FROM dial ORDER BY id", [], Self.dial)
            }.compactMap(\.self))
    }

    private static func dial(_ row: borrowing Statement) -> SmartDial? {
        guard let json = try? JSONValue.parse(row.text(2)), let seed = SmartDial.Seed(json) else {
            return nil
        }
        var dial = SmartDial(name: row.text(1), seed: seed)
        dial.id = row.int(0)
        dial.variety = Int(clamping: row.int(3))
        return dial
    }

    /// Oldest first. Any thread.
    package var dials: [SmartDial] { kept.withLock { $0 } }

    package subscript(id: Int64) -> SmartDial? { kept.withLock { $0.first { $0.id == id } } }

    /// Keeps a dial and gives it its number; nil when there are too many. Blocks.
    package func add(_ dial: SmartDial) throws -> SmartDial? {
        guard kept.withLock({ $0.count < Self.most }) else { return nil }
        var dial = dial
        let values: [SQLValue] = [.text(dial.name), .text(dial.seed.json.text()), SQLValue(dial.variety)]
        dial.id = try database.write { connection in
            try connection.run("INSERT INTO dial (name, seed, variety) VALUES (?1, ?2, ?3)", values)
            return connection.lastInsertedKey
        }
        kept.withLock { [dial] in $0.append(dial) }
        return dial
    }

    /// Nil where there is none of that number. Blocks.
    package func set(variety: Int, of id: Int64) throws -> SmartDial? {
        guard self[id] != nil else { return nil }
        try database.write { connection in
            try connection.run("UPDATE dial SET variety = ?2 WHERE id = ?1", [.int(id), SQLValue(variety)])
        }
        return kept.withLock { dials in
            for index in dials.indices where dials[index].id == id { dials[index].variety = variety }
            return dials.first { $0.id == id }
        }
    }

    /// False where there is none of that number. Blocks.
    package func remove(_ id: Int64) throws -> Bool {
        guard self[id] != nil else { return false }
        try database.write { try $0.run("DELETE FROM dial WHERE id = ?1", [.int(id)]) }
        kept.withLock { $0.removeAll { $0.id == id } }
        return true
    }
}

extension SmartDial.Seed {
    /// `{"artist"}`, `{"artist", "title"}`, `{"genre"}` or `{"stations"}`.
    package var json: JSONValue {
        switch self {
        case .artist(let artist): ["artist": .string(artist)]
        case .track(let artist, let title): ["artist": JSONValue(artist), "title": .string(title)]
        case .genre(let genre): ["genre": .string(genre)]
        case .stations(let ids): ["stations": .array(ids.map(JSONValue.string))]
        }
    }

    /// Nil where it says none of them.
    package init?(_ json: JSONValue) {
        if let title = json["title"]?.string, !title.isEmpty {
            self = .track(artist: json["artist"]?.string, title: title)
        } else if let artist = json["artist"]?.string, !artist.isEmpty {
            self = .artist(artist)
        } else if let genre = json["genre"]?.string, !genre.isEmpty {
            self = .genre(genre)
        } else if let ids = json["stations"]?.array?.compactMap(\.string), !ids.isEmpty {
            self = .stations(ids)
        } else {
            return nil
        }
    }
}
