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
