internal import Platform

/// A database that lives in memory and is gone with its owner: an index over what is kept elsewhere.
package final class MemoryDatabase: @unchecked Sendable {
    // Sendable because the connection is only used with the lock held.
    private let connection: Lock<Connection>

    /// Runs `script`, which makes the tables.
    package init(_ script: String) throws(StoreError) {
        let connection = try Connection(":memory:", mode: .writer)
        try connection.script(script)
        self.connection = Lock(connection)
    }

    /// Runs `body` in one transaction, alone. Blocks while another thread is in here; `body` must be short.
    package func use<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        try connection.withLock { connection in
            try connection.transaction(body)
        }
    }
}
