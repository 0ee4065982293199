internal import CSQLite

/// One prepared statement, on loan from its connection until it goes out of scope.
///
/// Only inside the closure that `Database.read` or `write` calls, on its thread.
package struct Statement: ~Copyable {
    private let connection: Connection
    private let sql: String
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer, of sql: String, on connection: Connection) {
        self.connection = connection
        self.sql = sql
        self.handle = handle
    }

    deinit { connection.takeBack(handle, of: sql) }

    /// Binds the values to `?1`, `?2`, …; those not given are NULL. Text and blobs are copied.
    package func bind(_ values: [SQLValue]) throws(StoreError) {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
    }

    private func bind(_ value: SQLValue, at index: Int32) throws(StoreError) {
        let code: Int32
        switch value {
        case .null: code = sqlite3_bind_null(handle, index)
        case .int(let whole): code = sqlite3_bind_int64(handle, index, whole)
        case .real(let number): code = sqlite3_bind_double(handle, index, number)
        case .text(let text):
            var copy = text
            code = copy.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    // An empty buffer may have no address, and SQLite reads "no address" as NULL.
                    guard let start = $0.baseAddress else {
                        return aircheck_sqlite_bind_text(handle, index, "", 0)
                    }
                    return aircheck_sqlite_bind_text(handle, index, start, Int32(clamping: $0.count))
                }
            }
        case .blob(let bytes):
            code = bytes.withUnsafeBytes {
                guard let start = $0.baseAddress, $0.count > 0 else {
                    return sqlite3_bind_zeroblob(handle, index, 0)
                }
                return aircheck_sqlite_bind_blob(handle, index, start, Int32(clamping: $0.count))
            }
        }
        guard code == SQLITE_OK else { throw connection.error(code, while: "binding a value in \(sql)") }
    }

    /// Goes to the next row; false after the last.
    package func step() throws(StoreError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.error(code, while: "running \(sql)")
        }
    }

    package var columnCount: Int { Int(sqlite3_column_count(handle)) }

    package func isNull(_ column: Int) -> Bool { sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL }

    /// The column as text; empty for NULL.
    package func text(_ column: Int) -> String {
        guard let start = sqlite3_column_text(handle, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }
    package func int(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }
    package func optionalInt(_ column: Int) -> Int64? { isNull(column) ? nil : int(column) }
    package func double(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }
    package func optionalDouble(_ column: Int) -> Double? { isNull(column) ? nil : double(column) }
    package func bool(_ column: Int) -> Bool { int(column) != 0 }

    /// The column's bytes, copied; empty for NULL.
    package func blob(_ column: Int) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, Int32(column)) else { return [] }
        return Array(
            UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column)))))
    }

    /// The column as whatever kind of value it holds.
    package func value(_ column: Int) -> SQLValue {
        switch sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_INTEGER: .int(int(column))
        case SQLITE_FLOAT: .real(double(column))
        case SQLITE_TEXT: .text(text(column))
        case SQLITE_BLOB: .blob(blob(column))
        default: .null
        }
    }

    package func optionalBlob(_ column: Int) -> [UInt8]? { isNull(column) ? nil : blob(column) }
}
