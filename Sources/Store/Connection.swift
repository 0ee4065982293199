internal import CSQLite

/// One connection to the database file. Used by one thread at a time: inside `Database.read` and `write`.
package final class Connection {
    /// How a connection meets the file.
    enum Mode {
        /// Reads and writes, creates the file.
        case writer
        /// Reads only; the file must be there.
        case reader
        /// Fills a file that nobody uses yet and that is thrown away if this fails.
        case builder
    }

    /// How long a statement waits for somebody else's lock.
    static let busyMilliseconds: Int32 = 10_000
    /// Prepared statements kept for the next time; a room has a few dozen.
    private static let cacheLimit = 128

    /// The database file, for messages.
    package let path: String
    private let handle: OpaquePointer
    private var cache: [String: OpaquePointer] = [:]

    init(_ path: String, mode: Mode) throws(StoreError) {
        var opened: OpaquePointer?
        let flags: Int32 =
            switch mode {
            case .writer, .builder: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .reader: SQLITE_OPEN_READONLY
            }
        let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let handle = opened else {
            let detail = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory"
            sqlite3_close_v2(opened)
            throw StoreError(StoreError.reason(for: code), path: path, detail: "opening it: \(detail)")
        }
        self.path = path
        self.handle = handle
        sqlite3_busy_timeout(handle, Self.busyMilliseconds)
        try settle(mode)
    }

    deinit {
        for statement in cache.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    /// WAL and FULL: what has been acknowledged is on the disk; a reader never waits for the writer.
    private func settle(_ mode: Mode) throws(StoreError) {
        aircheck_sqlite_defend(handle)
        try script("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY")
        switch mode {
        case .writer: try script("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        case .builder:
            try script("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000")
        case .reader: break
        }
    }

    // MARK: Statements

    /// Runs one statement that returns no row.
    package func run(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) {
        let statement = try prepare(sql)
        try statement.bind(values)
        while try statement.step() {}
    }

    /// One value for each row of the answer.
    package func rows<Value>(
        _ sql: String, _ values: [SQLValue] = [], _ read: (borrowing Statement) throws -> Value
    ) throws -> [Value] {
        let statement = try prepare(sql)
        try statement.bind(values)
        var answer: [Value] = []
        while try statement.step() { answer.append(try read(statement)) }
        return answer
    }

    /// The first row of the answer, or nil.
    package func row<Value>(
        _ sql: String, _ values: [SQLValue] = [], _ read: (borrowing Statement) throws -> Value
    ) throws -> Value? {
        let statement = try prepare(sql)
        try statement.bind(values)
        return try statement.step() ? try read(statement) : nil
    }

    /// The statement, prepared now or taken from the cache.
    package func prepare(_ sql: String) throws(StoreError) -> Statement {
        if let kept = cache.removeValue(forKey: sql) { return Statement(kept, of: sql, on: self) }
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let statement = prepared else {
            throw error(code, while: "preparing \(sql)")
        }
        return Statement(statement, of: sql, on: self)
    }

    func takeBack(_ statement: OpaquePointer, of sql: String) {
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
        guard cache.count < Self.cacheLimit, cache[sql] == nil else {
            sqlite3_finalize(statement)
            return
        }
        cache[sql] = statement
    }

    /// Runs several statements, separated by semicolons, none of which is handed a value.
    package func script(_ sql: String) throws(StoreError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, while: "running \(sql.prefix(80))") }
    }

    /// The key that the last INSERT made.
    package var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Rows that the last INSERT, UPDATE or DELETE touched.
    package var changedRows: Int { Int(sqlite3_changes(handle)) }

    // MARK: Transactions

    /// Runs `body` in one transaction: all of it is kept, or nothing.
    func transaction<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        try script("BEGIN IMMEDIATE")
        do {
            let value = try body(self)
            try script("COMMIT")
            return value
        } catch {
            // SQLite has already rolled back after some errors; saying so twice does no harm.
            if sqlite3_get_autocommit(handle) == 0 { try? script("ROLLBACK") }
            throw error
        }
    }

    /// Runs `body` on one unchanging view of the file.
    func snapshot<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        try script("BEGIN")
        defer { try? script("COMMIT") }
        return try body(self)
    }

    func error(_ code: Int32, while attempt: String) -> StoreError {
        StoreError(
            StoreError.reason(for: code), path: path,
            detail: "\(attempt): \(String(cString: sqlite3_errmsg(handle))) (code \(code))")
    }
}
