internal import CLinux
internal import Glibc
internal import JSONText
package import Platform
internal import Store

/// What a refresh of the directory changed.
package struct DirectoryDifference: Sendable, Hashable {
    package var stations = 0
    package var added = 0
    package var changed = 0
    package var removed = 0
    /// Elements that were no station.
    package var refused = 0
    /// Of the followed stations: those with a change that a listener would notice.
    package var followedChanged: [String] = []
    /// Of the followed stations: those that the directory dropped.
    package var followedRemoved: [String] = []

    package init() {}
}

/// Makes the searchable file out of the directory's list of all stations, element by element: the list is never in
/// memory as a whole.
package struct DirectorySnapshot {
    /// Stations of one snapshot; the directory has about 55,000.
    private static let most = 500_000
    private static let block = 256 << 10
    /// Beyond this one station is as popular as another.
    private static let mostVotes = 1 << 40

    /// The tables of the file. Rows are numbered by popularity, so that the first matches of a search are the ones that
    /// most people want, and no search has to rank more than it shows.
    static let script = """
        PRAGMA temp_store = FILE;
        CREATE TABLE directory_station (
            number INTEGER PRIMARY KEY, uuid TEXT NOT NULL, folded TEXT NOT NULL, codec TEXT NOT NULL,
            bitrate INTEGER NOT NULL, fingerprint INTEGER NOT NULL);
        CREATE TABLE directory_document (number INTEGER PRIMARY KEY, document TEXT NOT NULL);
        CREATE VIRTUAL TABLE directory_text USING fts5(
            name, genre, tags, country, language, place,
            content = '', tokenize = "unicode61 remove_diacritics 2", prefix = '1 2 3 4');
        CREATE TABLE directory_fact (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TEMP TABLE arrived (
            uuid TEXT PRIMARY KEY, playable INTEGER, votes INTEGER, folded TEXT, codec TEXT, bitrate INTEGER,
            fingerprint INTEGER, document TEXT, name TEXT, genre TEXT, tags TEXT, country TEXT, language TEXT, place TEXT)
        """

    /// What could be played comes before what could not; then votes and the clicks of a day.
    private static let ordering = """
        CREATE TEMP TABLE ordered (number INTEGER PRIMARY KEY, place INTEGER);
        INSERT INTO ordered (place) SELECT rowid FROM arrived ORDER BY playable DESC, votes DESC, uuid;
        INSERT INTO directory_station (number, uuid, folded, codec, bitrate, fingerprint)
            SELECT number, uuid, folded, codec, bitrate, fingerprint
            FROM ordered JOIN arrived ON arrived.rowid = ordered.place ORDER BY number;
        INSERT INTO directory_document (number, document)
            SELECT number, document FROM ordered JOIN arrived ON arrived.rowid = ordered.place ORDER BY number;
        INSERT INTO directory_text (rowid, name, genre, tags, country, language, place)
            SELECT number, name, genre, tags, country, language, arrived.place
            FROM ordered JOIN arrived ON arrived.rowid = ordered.place ORDER BY number;
        INSERT INTO directory_text (directory_text) VALUES ('optimize');
        CREATE UNIQUE INDEX directory_uuid ON directory_station (uuid);
        CREATE INDEX directory_name ON directory_station (folded)
        """

    private let followed: Set<String>
    private var gone: [String: Int64]
    private var difference = DirectoryDifference()

    /// Reads the answer to `/json/stations` from a file and writes the searchable file anew. Blocks for seconds: on a
    /// thread that may.
    /// - Parameters:
    ///   - path: of the searchable file.
    ///   - answer: path of the answer.
    ///   - followed: uuids that somebody here keeps.
    ///   - fetched: when the answer was fetched.
    package static func write(
        _ path: String, from answer: String, followed: Set<String> = [], fetched: WallTime
    ) throws -> DirectoryDifference {
        var snapshot = DirectorySnapshot(followed: followed, gone: fingerprints(path))
        try DatabaseBuilder.build(path, script: script) { connection in
            try snapshot.take(answer, into: connection)
            try connection.script(ordering)
            try connection.run(
                "INSERT INTO directory_fact (key, value) VALUES ('fetched', ?1)",
                [.text("\(fetched.nanoseconds)")])
        }
        snapshot.difference.removed = snapshot.gone.count
        snapshot.difference.followedRemoved = followed.filter { snapshot.gone[$0] != nil }.sorted()
        return snapshot.difference
    }

    /// uuid to fingerprint of the file that is there; empty where there is none.
    private static func fingerprints(_ path: String) -> [String: Int64] {
        guard Files.exists(path) else { return [:] }
        let rows = try? DatabaseReader(path: path).read { connection in
            try connection.rows("SELECT uuid, fingerprint FROM directory_station", []) {
                ($0.text(0), $0.int(1))
            }
        }
        return Dictionary(rows ?? [], uniquingKeysWith: { first, _ in first })
    }

    private init(followed: Set<String>, gone: [String: Int64]) {
        self.followed = followed
        self.gone = gone
    }

    private mutating func take(_ answer: String, into connection: Connection) throws {
        let number = open(answer, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError(while: "opening \(answer)") }
        let file = FileDescriptor(owning: number)
        var splitter = JSONArraySplitter()
        var block = [UInt8](repeating: 0, count: Self.block)
        while true {
            let count = read(file.number, &block, block.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw SystemError(while: "reading \(answer)") }
            if count == 0 { break }
            try splitter.feed(block[..<count]) { try take(element: $0, into: connection) }
        }
        try splitter.finish()
    }

    private mutating func take(element: [UInt8], into connection: Connection) throws {
        guard difference.stations < Self.most, let json = try? JSONValue.parse(element),
            let station = DirectoryStation(json)
        else {
            difference.refused += 1
            return
        }
        try connection.run(
            """
            INSERT OR IGNORE INTO arrived VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
            """,
            Self.columns(station) + Self.words(station, document: String(decoding: element, as: UTF8.self)))
        if connection.changedRows == 1 { count(station) }
    }

    private static func columns(_ station: DirectoryStation) -> [SQLValue] {
        [
            .text(station.uuid), SQLValue(station.wasPlayable),
            .int(Int64(min(station.votes, Self.mostVotes) + min(station.clicks, Self.mostVotes))),
            .text(SearchText.words(station.name).joined(separator: " ")), .text(station.codec.lowercased()),
            .int(Int64(station.bitrate)), .int(station.fingerprint),
        ]
    }

    private static func words(_ station: DirectoryStation, document: String) -> [SQLValue] {
        [
            .text(document), .text(station.name), .text(station.tags.first ?? ""),
            .text(station.tags.joined(separator: " ")), .text("\(station.countryCode) \(station.country)"),
            .text(station.language), .text(station.state),
        ]
    }

    private mutating func count(_ station: DirectoryStation) {
        difference.stations += 1
        guard let old = gone.removeValue(forKey: station.uuid) else { difference.added += 1; return }
        guard old != station.fingerprint else { return }
        difference.changed += 1
        if followed.contains(station.uuid) { difference.followedChanged.append(station.uuid) }
    }
}
