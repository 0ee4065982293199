/// Takes every schema of a file from the version it has to the one this program writes.
struct Migrator {
    let schemas: [Schema]

    private static let table = """
        CREATE TABLE IF NOT EXISTS schema_version (
            name TEXT PRIMARY KEY, version INTEGER NOT NULL
        ) WITHOUT ROWID
        """

    /// The version that each schema of the file has; nothing for one that is new to it.
    func versions(_ connection: Connection) throws -> [String: Int] {
        let hasTable = try connection.row("SELECT 1 FROM sqlite_master WHERE name = 'schema_version'") { _ in
            true
        }
        guard hasTable == true else { return [:] }
        var found: [String: Int] = [:]
        for (name, version) in try connection.rows(
            "SELECT name, version FROM schema_version", [], { ($0.text(0), Int($0.int(1))) })
        {
            found[name] = version
        }
        return found
    }

    /// Refuses a file that is ahead of us, whichever schema it is.
    func check(_ found: [String: Int], path: String) throws(StoreError) {
        for schema in schemas {
            guard let version = found[schema.name], version > schema.version else { continue }
            throw StoreError(
                .newerSchema(schema: schema.name, found: version, known: schema.version), path: path,
                detail: "")
        }
    }

    /// True where tables that hold something are about to be changed.
    func changesTables(_ found: [String: Int]) -> Bool {
        schemas.contains { schema in found[schema.name].map { $0 < schema.version } ?? false }
    }

    /// Runs what is missing, each migration in one transaction with its version.
    func migrate(_ connection: Connection, from found: [String: Int]) throws {
        try connection.script(Self.table)
        for schema in schemas {
            for number in (found[schema.name] ?? 0)..<schema.version {
                try connection.transaction { connection in
                    try connection.script(schema.migrations[number])
                    try connection.run(
                        "INSERT OR REPLACE INTO schema_version (name, version) VALUES (?1, ?2)",
                        [.text(schema.name), .int(Int64(number + 1))])
                }
            }
        }
    }
}
