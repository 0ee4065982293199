package import Platform
package import Store

/// A like or dislike of something that aired.
package struct Thumb: Sendable, Hashable {
    package enum Direction: String, Sendable, Hashable {
        case up, down
    }

    package var direction: Direction
    package var artist: String?
    package var title: String
    /// Where and when it aired.
    package var station: String
    package var at: WallTime

    package init(_ direction: Direction, artist: String?, title: String, station: String, at: WallTime) {
        self.direction = direction
        self.artist = artist
        self.title = title
        self.station = station
        self.at = at
    }

    /// What makes two airings the same song: artist and title, case, marks and signs aside.
    package var song: String { Self.song(artist: artist, title: title) }

    package static func song(artist: String?, title: String) -> String {
        SearchText.words("\(artist ?? "") \(title)").joined(separator: " ")
    }
}

/// Likes and dislikes: read from memory, kept in SQLite.
package final class Thumbs: Sendable {
    private let database: Database?
    private let bySong: Lock<[String: Thumb]>

    /// The table; hand it to `Database.open`.
    package static let schema = Schema(
        name: "thumbs",
        migrations: [
            """
            CREATE TABLE thumb (
                song TEXT PRIMARY KEY, direction TEXT NOT NULL CHECK (direction IN ('up', 'down')), artist TEXT,
                title TEXT NOT NULL, station TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID
            """
        ])

    /// Reads all of them; nil keeps them in memory alone. Blocks.
    package init(_ database: Database?) throws {
        self.database = database
        let rows = try database?.read { connection in
            try connection.rows("SELECT direction, artist, title, station, at FROM thumb", [], Self.thumb)
        }
        bySong = Lock(Dictionary((rows ?? []).map { ($0.song, $0) }, uniquingKeysWith: { first, _ in first }))
    }

    private static func thumb(_ row: borrowing Statement) -> Thumb {
        Thumb(
            row.text(0) == "up" ? .up : .down, artist: row.optionalText(1), title: row.text(2),
            station: row.text(3),
            at: WallTime(nanoseconds: row.int(4)))
    }

    /// Takes the place of an earlier thumb for the same song. Any thread, never blocks for the database.
    package func set(_ thumb: Thumb) {
        bySong.withLock { $0[thumb.song] = thumb }
        database?.post(
            Command(
                """
                INSERT OR REPLACE INTO thumb (song, direction, artist, title, station, at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                """,
                [
                    .text(thumb.song), .text(thumb.direction.rawValue), SQLValue(thumb.artist),
                    .text(thumb.title),
                    .text(thumb.station), .int(thumb.at.nanoseconds),
                ]))
    }

    /// Takes a thumb back.
    package func clear(artist: String?, title: String) {
        let song = Thumb.song(artist: artist, title: title)
        bySong.withLock { $0[song] = nil }
        database?.post(Command("DELETE FROM thumb WHERE song = ?1", [.text(song)]))
    }

    package func direction(artist: String?, title: String) -> Thumb.Direction? {
        let song = Thumb.song(artist: artist, title: title)
        return bySong.withLock { $0[song]?.direction }
    }

    /// Everything thumbed, newest first.
    package var all: [Thumb] { bySong.withLock { Array($0.values) }.sorted { $0.at > $1.at } }
}
