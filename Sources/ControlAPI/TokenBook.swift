internal import Cryptography
package import HTTPServer
package import Platform
package import Store

/// A token as it is listed; the secret itself is shown once, when it is made, and kept nowhere.
package struct TokenEntry: Sendable, Hashable {
    /// The part of the token before the dot; tells which one it is.
    package var id: String
    package var name: String
    package var role: AccessRole
    package var created: WallTime
}

/// The tokens that open the API, kept as SHA-256 of 256 random bits (no slow hash: nothing here can be guessed).
///
/// A token reads `ac_ID.SECRET`: the id finds the row, the secret is compared in constant time.
package final class TokenBook: Sendable {
    package static let schema = Schema(
        name: "tokens",
        migrations: [
            """
            CREATE TABLE token(
                id TEXT PRIMARY KEY,
                name TEXT NOT NULL,
                role TEXT NOT NULL,
                digest BLOB NOT NULL,
                created INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            """
        ])

    /// Sessions of paired browsers: made like tokens, kept apart from them, and of no use as one.
    package static let sessionSchema = Schema(
        name: "sessions",
        migrations: [
            """
            CREATE TABLE session(
                id TEXT PRIMARY KEY,
                name TEXT NOT NULL,
                role TEXT NOT NULL,
                digest BLOB NOT NULL,
                created INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            """
        ])

    /// What a book holds.
    package struct Kind: Sendable {
        fileprivate let table: String
        fileprivate let prefix: String
        /// Seconds after which one is good for nothing any more; nil for never.
        fileprivate let lasts: Double?

        package static let token = Kind(table: "token", prefix: "ac_", lasts: nil)
        /// A browser keeps its session as a cookie, and cookies do not know ports: so it does not last for ever.
        package static let session = Kind(table: "session", prefix: "as_", lasts: 90 * 86_400)
    }

    /// Longest name of a token, in characters.
    package static let nameLimit = 64
    /// Longest text that is looked at as a token, in bytes.
    private static let textLimit = 128

    private struct Row {
        var entry: TokenEntry
        var digest: [UInt8]
    }

    private let kind: Kind
    private let database: Database
    private let time: any TimeSource
    /// All tokens, so that a request costs no query.
    private let rows: Lock<[String: Row]>

    /// Reads the tokens of a database that was opened with `schema`, or `sessionSchema` for sessions. Blocks.
    package init(database: Database, kind: Kind = .token, time: any TimeSource = SystemTime()) throws {
        self.kind = kind
        self.database = database
        self.time = time
        rows = Lock(Dictionary(uniqueKeysWithValues: try Self.read(database, kind).map { ($0.entry.id, $0) }))
        forgetOld()
    }

    /// All tokens that are good for something, oldest first.
    package var entries: [TokenEntry] {
        let now = time.wall
        return rows.withLock { $0.values.map(\.entry) }.filter { !isOver($0, at: now) }
            .sorted { ($0.created, $0.id) < ($1.created, $1.id) }
    }

    private func isOver(_ entry: TokenEntry, at now: WallTime) -> Bool {
        kind.lasts.map { entry.created.advanced(bySeconds: $0) < now } ?? false
    }

    /// Takes those off the disk that are good for nothing any more. They stay so where a full disk keeps them: nothing
    /// waits for their going. Blocks.
    private func forgetOld() {
        let now = time.wall
        let old = rows.withLock { $0.values.map(\.entry) }.filter { isOver($0, at: now) }
        do {
            for entry in old { _ = try revoke(id: entry.id) }
        } catch {
            Log.warning(
                "api", "what has expired could not be deleted; it opens nothing",
                ["kind": kind.table, "count": "\(old.count)", "error": "\(error)"])
        }
    }

    /// Makes a token and says it, this once. Blocks until it is on the disk.
    package func create(name: String, role: AccessRole) throws -> (entry: TokenEntry, token: String) {
        forgetOld()
        let entry = TokenEntry(
            id: Hexadecimal.text(Secrets.random(4)), name: name, role: role, created: time.wall)
        let secret = Hexadecimal.text(Secrets.random(32))
        let digest = SHA256.digest(Array(secret.utf8))
        try database.write { [kind] connection in
            try connection.run(
                "INSERT INTO \(kind.table)(id, name, role, digest, created) VALUES (?1, ?2, ?3, ?4, ?5)",
                [
                    .text(entry.id), .text(name), .text(role.name), .blob(digest),
                    .int(entry.created.nanoseconds),
                ])
        }
        rows.withLock { $0[entry.id] = Row(entry: entry, digest: digest) }
        return (entry, kind.prefix + entry.id + "." + secret)
    }

    /// Forgets a token; false where there is none of that id. Blocks.
    package func revoke(id: String) throws -> Bool {
        guard rows.withLock({ $0[id] != nil }) else { return false }
        try database.write { [kind] in
            try $0.run("DELETE FROM \(kind.table) WHERE id = ?1", [.text(id)])
        }
        rows.withLock { $0[id] = nil }
        return true
    }

    /// What the bearer of this token may do; nil for a wrong one. The same work is done for an unknown id as for a
    /// wrong secret. Any thread.
    package func role(of token: String) -> AccessRole? { entry(of: token)?.role }

    /// The entry of this token; nil for a wrong one and for one that is too old. Any thread.
    package func entry(of token: String) -> TokenEntry? {
        guard token.utf8.count <= Self.textLimit, token.hasPrefix(kind.prefix) else { return nil }
        let parts = token.dropFirst(kind.prefix.count).split(
            separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let row = rows.withLock { $0[String(parts[0])] }
        let digest = SHA256.digest(Array(parts[1].utf8))
        let isRight = Secrets.areEqual(digest, row?.digest ?? [UInt8](repeating: 0, count: 32))
        guard isRight, let entry = row?.entry, !isOver(entry, at: time.wall) else { return nil }
        return entry
    }

    private static func read(_ database: Database, _ kind: Kind) throws -> [Row] {
        try database.read { connection in
            try connection.rows("SELECT id, name, role, digest, created FROM \(kind.table)") { row in
                Row(
                    entry: TokenEntry(
                        id: row.text(0), name: row.text(1), role: AccessRole(name: row.text(2)) ?? .viewer,
                        created: WallTime(nanoseconds: row.int(4))),
                    digest: row.blob(3))
            }
        }
    }
}
