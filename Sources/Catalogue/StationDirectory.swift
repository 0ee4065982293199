internal import JSONText
package import Platform
internal import Store

/// The directory's stations on this machine: searched without a network, replaced whole by a refresh.
package final class StationDirectory: Sendable {
    private let path: String
    private let state: Lock<DatabaseReader?>
    /// Stations that the directory was asked for over the network, so that they can be tuned and taken over.
    private let remembered = Lock<[String: DirectoryStation]>([:])

    /// As many are remembered.
    private static let mostRemembered = 5000

    /// Matches that are ranked for one answer; rows are numbered by popularity, so these are the popular ones.
    private static let ranked = 400

    /// - Parameter path: of the file; there need be none yet.
    package init(path: String) {
        self.path = path
        state = Lock(Files.exists(path) ? DatabaseReader(path: path) : nil)
    }

    /// Takes up a file that `DirectorySnapshot` has just written. Who reads the old one ends undisturbed.
    package func reopen() {
        let reader = Files.exists(path) ? DatabaseReader(path: path) : nil
        state.withLock { $0 = reader }
    }

    /// Reads the snapshot; nil where there is none. Blocks.
    func read<Value>(_ body: (Connection) throws -> Value) throws -> Value? {
        guard let reader = state.withLock({ $0 }) else { return nil }
        return try reader.read(body)
    }

    /// When the snapshot was fetched; nil where there is none.
    package var fetched: WallTime? {
        let text = try? read { connection in
            try connection.row("SELECT value FROM directory_fact WHERE key = 'fetched'") { $0.text(0) }
        }
        return text.flatMap { $0 }.flatMap(Int64.init).map(WallTime.init(nanoseconds:))
    }

    package var count: Int {
        let count = try? read { try $0.row("SELECT count(*) FROM directory_station") { Int($0.int(0)) } }
        return count.flatMap { $0 } ?? 0
    }

    /// Keeps stations that came from the network for as long as the service runs. Any thread.
    package func remember(_ stations: [DirectoryStation]) {
        remembered.withLock { remembered in
            if remembered.count > Self.mostRemembered { remembered = [:] }
            for station in stations { remembered[station.uuid] = station }
        }
    }

    package func station(uuid: String) throws -> DirectoryStation? {
        if let station = remembered.withLock({ $0[uuid] }) { return station }
        return try read { connection in
            try connection.row(
                "SELECT document FROM directory_station NATURAL JOIN directory_document WHERE uuid = ?1",
                [.text(uuid)],
                Self.station)
        }?.flatMap { $0 }
    }

    private static func station(_ row: borrowing Statement) -> DirectoryStation? {
        (try? JSONValue.parse(row.text(0))).flatMap(DirectoryStation.init)
    }

    // MARK: Search

    /// Stations that fit, best first: the name as typed, names that begin so, then the popular ones.
    package func search(_ query: StationQuery) throws -> [DirectoryStation] {
        guard query.group == nil, !query.favouritesOnly else { return [] }
        return try read { connection in
            let numbers = try Self.numbers(query, connection)
            return try numbers.dropFirst(query.offset).prefix(min(query.limit, StationQuery.largestLimit))
                .compactMap { number in
                    try connection.row(
                        "SELECT document FROM directory_document WHERE number = ?1", [.int(number)],
                        Self.station)
                }.compactMap { $0 }
        } ?? []
    }

    private static func numbers(_ query: StationQuery, _ connection: Connection) throws -> [Int64] {
        let match = StationIndex.match(query)
        if match == nil && !query.text.isEmpty { return [] }
        let filters: [SQLValue] = [
            SQLValue(query.codec?.lowercased()), SQLValue(query.minimumBitrate),
            .int(Int64(max(ranked, query.offset + query.limit))),
        ]
        guard let match else {
            return try connection.rows(
                """
                SELECT number FROM directory_station
                WHERE (?1 IS NULL OR codec = ?1) AND (?2 IS NULL OR bitrate >= ?2) ORDER BY number LIMIT ?3
                """, filters
            ) { $0.int(0) }
        }
        let typed = SearchText.words(query.text).joined(separator: " ")
        var found = try named(typed, query, connection)
        found += try connection.rows(
            """
            SELECT number, folded FROM directory_text JOIN directory_station ON number = directory_text.rowid
            WHERE directory_text MATCH ?4
            AND (?1 IS NULL OR codec = ?1) AND (?2 IS NULL OR bitrate >= ?2) ORDER BY directory_text.rowid LIMIT ?3
            """, filters + [.text(match)]
        ) { ($0.int(0), $0.text(1)) }
        return ranked(found, typed)
    }

    /// A name that was typed in full is found however unpopular it is; only where nothing else is asked for.
    private static func named(
        _ typed: String, _ query: StationQuery, _ connection: Connection
    ) throws -> [(Int64, String)] {
        var bare = StationQuery(query.text)
        bare.offset = query.offset
        bare.limit = query.limit
        guard !typed.isEmpty, bare == query else { return [] }
        return try connection.rows(
            "SELECT number, folded FROM directory_station WHERE folded = ?1 ORDER BY number LIMIT 50",
            [.text(typed)]
        ) { ($0.int(0), $0.text(1)) }
    }

    private static func ranked(_ found: [(Int64, String)], _ typed: String) -> [Int64] {
        var seen: Set<Int64> = []
        let words = typed.split(separator: " ")
        return found.filter { seen.insert($0.0).inserted }.map { number, name -> (Int, Int64) in
            let rank =
                typed.isEmpty
                ? 0 : name == typed ? 0 : name.hasPrefix(typed) ? 1 : words.allSatisfy(name.contains) ? 2 : 3
            return (rank, number)
        }.sorted { $0 < $1 }.map(\.1)
    }
}
