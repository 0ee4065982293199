internal import Platform

/// Holds the one writing connection, and the right to it, until the database is closed.
final class WriterSeat: @unchecked Sendable {
    // Sendable because the connection is only used by the writer thread, and let go after that thread has ended.
    private struct Holding {
        var connection: Connection
        var lock: DirectoryLock
    }

    private let holding: Lock<Holding?>
    private let path: String

    init(_ connection: Connection, lock: DirectoryLock) {
        path = connection.path
        holding = Lock(Holding(connection: connection, lock: lock))
    }

    func use<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        guard let connection = holding.withLock({ $0?.connection }) else {
            throw StoreError(.closed, path: path, detail: "asked after close")
        }
        return try body(connection)
    }

    var isOpen: Bool { holding.withLock { $0 != nil } }

    func close() { holding.withLock { $0 = nil } }
}

/// Read-only connections, handed out one to a caller.
final class ReaderPool: @unchecked Sendable {
    // Sendable because a connection is either in `idle` under the lock or in the hands of one caller.
    private struct State {
        var idle: [Connection] = []
        var closed = false
    }

    private let state = Lock(State())
    private let path: String
    private let limit: Int

    init(path: String, limit: Int) {
        self.path = path
        self.limit = limit
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

    func close() {
        state.withLock {
            $0.closed = true
            $0.idle = []
        }
    }
}
