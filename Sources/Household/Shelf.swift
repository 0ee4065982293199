package import JSONText
package import Platform
package import Store

/// What the people of the house did with what they heard: marks, bookmarks, the queue, filters, history, hours. Small
/// documents by kind and key, read from memory and kept in SQLite. Any thread.
package final class Shelf: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Stars and archive of a recording; key: its id.
        case mark
        /// A place in a recording with a note; key: the recording's id, a slash, the bookmark's.
        case bookmark
        /// One document, key `queue`: ids of recordings in order.
        case queue
        /// A filter somebody made; key: its id.
        case filter
        /// The colour of a show; key: the show.
        case tint
        /// What somebody wrote about a recording or a show; key: the recording's id, or the show's key.
        case about
        /// What was played; key: when, so that keys sort by time.
        case history
        /// Whether history is written; key `paused`.
        case setting
        /// What a program noted about a station or a recording; key: its id, a tab, the note's name.
        case note
        /// Seconds heard and saved; key: `total`, or `station/ID`, `artist/NAME`.
        case heard
        /// A logger that somebody has begun; key: the id of its first file.
        case logger

        /// Documents of a kind that are kept; the oldest go first.
        var limit: Int {
            switch self {
            case .queue, .setting: 16
            case .filter: 100
            case .history: 2000
            // As many as stations may be connected to (`ingest.max_stations`): a logger that is not kept ends with the service.
            case .logger: 10_000
            case .mark, .bookmark, .tint, .heard, .note, .about: 50_000
            }
        }
    }

    /// A document with the moment it was put there.
    package struct Item: Sendable {
        package var key: String
        package var value: JSONValue
        package var at: WallTime
    }

    /// The table; hand it to `Database.open`.
    package static let schema = Schema(
        name: "shelf",
        migrations: [
            """
            CREATE TABLE shelf (
                kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, at INTEGER NOT NULL,
                PRIMARY KEY (kind, key)) STRICT, WITHOUT ROWID
            """
        ])

    /// Bytes of a document that are read back.
    private static let valueLimit = 1 << 20

    private let database: Database
    private let time: any TimeSource
    private let items: Lock<[Kind: [String: Item]]>

    /// Reads all of it. Blocks.
    package init(_ database: Database, time: any TimeSource = SystemTime()) throws {
        self.database = database
        self.time = time
        let rows = try database.read { connection in
            try connection.rows("SELECT kind, key, value, at FROM shelf") { row in
                (row.text(0), row.text(1), row.text(2), row.int(3))
            }
        }
        var items: [Kind: [String: Item]] = [:]
        for (name, key, text, at) in rows {
            guard let kind = Kind(rawValue: name),
                let value = try? JSONValue.parse(text, limit: Self.valueLimit)
            else { continue }
            items[kind, default: [:]][key] = Item(key: key, value: value, at: WallTime(nanoseconds: at))
        }
        self.items = Lock(items)
    }

    package subscript(kind: Kind, key: String) -> JSONValue? { items.withLock { $0[kind]?[key]?.value } }

    /// All of a kind whose keys begin so, by key.
    package func all(_ kind: Kind, prefix: String = "") -> [Item] {
        items.withLock { Array(($0[kind] ?? [:]).values) }.filter { $0.key.hasPrefix(prefix) }
            .sorted { $0.key < $1.key }
    }

    /// Puts a document there in the place of the one before. Never blocks.
    package func put(_ kind: Kind, _ key: String, _ value: JSONValue) { change(kind, key) { _ in value } }

    /// Makes a document out of the one before, as one step. Never blocks.
    @discardableResult
    package func change(_ kind: Kind, _ key: String, _ make: (JSONValue?) -> JSONValue) -> JSONValue {
        let at = time.wall
        let (value, gone) = items.withLock { items in
            let value = make(items[kind]?[key]?.value)
            items[kind, default: [:]][key] = Item(key: key, value: value, at: at)
            return (value, Self.overflow(&items, kind))
        }
        store(kind, key, value, at)
        if let gone { erase(kind, gone) }
        return value
    }

    /// Takes it away; false where there is none. Never blocks.
    package func remove(_ kind: Kind, _ key: String) -> Bool {
        guard items.withLock({ $0[kind]?.removeValue(forKey: key) }) != nil else { return false }
        erase(kind, key)
        return true
    }

    /// Takes all of a kind away. Never blocks.
    package func clear(_ kind: Kind) {
        items.withLock { $0[kind] = nil }
        run("DELETE FROM shelf WHERE kind = ?1", [.text(kind.rawValue)])
    }

    /// The key of the oldest where there are too many.
    private static func overflow(_ items: inout [Kind: [String: Item]], _ kind: Kind) -> String? {
        guard let held = items[kind], held.count > kind.limit,
            let oldest = held.values.min(by: { $0.at < $1.at })
        else { return nil }
        items[kind]?[oldest.key] = nil
        return oldest.key
    }

    // MARK: The disk

    private func store(_ kind: Kind, _ key: String, _ value: JSONValue, _ at: WallTime) {
        run(
            """
            INSERT INTO shelf(kind, key, value, at) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT(kind, key) DO UPDATE SET value = ?3, at = ?4
            """,
            [.text(kind.rawValue), .text(key), .text(value.text()), .int(at.nanoseconds)])
    }

    private func erase(_ kind: Kind, _ key: String) {
        run("DELETE FROM shelf WHERE kind = ?1 AND key = ?2", [.text(kind.rawValue), .text(key)])
    }

    private func run(_ sql: String, _ values: [SQLValue]) {
        database.enqueue {
            try $0.run(sql, values)
        } then: { result in
            if case .failure(let error) = result {
                Log.error("household", "something was not kept", ["error": "\(error)"])
            }
        }
    }
}
