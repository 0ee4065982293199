internal import Platform

/// Read-only connections to a database file, handed out one to a caller. It can be used beside a service that owns the
/// file.
package final class DatabaseReader: @unchecked Sendable {
    // Sendable because a connection is either in `idle` under the lock or in the hands of one caller.
    private struct State {
        var idle: [Connection] = []
        var closed = false
    }

    private let state = Lock(State())
    private let path: String
    private let limit: Int

    /// - Parameter limit: connections that are kept open.
    package init(path: String, limit: Int = 2) {
        self.path = path
        self.limit = limit
    }

    /// Runs `body` on this thread, in one snapshot of the file.
    package func read<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        try use { try $0.snapshot(body) }
    }

    /// A caller who finds none idle gets a new one; at most `limit` are kept afterwards.
    func use<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        let kept = try state.withLock { state throws(StoreError) -> Connection? in
            guard !state.closed else { throw StoreError(.closed, path: path, detail: "asked after close") }
            return state.idle.popLast()
        }
        let connection = try kept ?? Connection(path, mode: .reader)
        defer {
            state.withLock { if !$0.closed, $0.idle.count < limit { $0.idle.append(connection) } }
        }
        return try body(connection)
    }

    package func close() {
        state.withLock {
            $0.closed = true
            $0.idle = []
        }
    }
}
