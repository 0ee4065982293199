internal import CLinux
internal import Glibc
internal import Platform

/// Commands in a file beside the database, for the time when the database takes none.
///
/// The file begins with a mark of its own. How much of it has been written into the database is noted there with that
/// mark, in the same transaction, so that a crash between the two doubles nothing.
final class SpillFile: Sendable {
    let path: String
    /// Held over reads and writes of the file, which are rare: adding to it and taking it away must not cross.
    private let turn = Lock(())

    private static let markLength = 16
    private static let longest = 256 << 20
    private static let table = """
        CREATE TABLE IF NOT EXISTS store_spill (id INTEGER PRIMARY KEY CHECK (id = 1), mark BLOB, done INTEGER)
        """

    init(path: String) { self.path = path }

    /// Puts commands at the end.
    /// - Returns: how many groups it could not take: they are too long, or the disk says no to that, too.
    func append(_ groups: [[Command]]) -> Int {
        let records = groups.compactMap(CommandCoding.bytes)
        let isDone = records.isEmpty || turn.withLock { _ in write(records.flatMap { $0 }) }
        return groups.count - (isDone ? records.count : 0)
    }

    private func write(_ records: [UInt8]) -> Bool {
        let number = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard number >= 0 else { return false }
        let file = FileDescriptor(owning: number)
        let before = lseek(file.number, 0, SEEK_END)
        let bytes = before == 0 ? Self.freshMark() + records : records
        // What is longer could not be read back.
        guard before >= 0, before + bytes.count <= Self.longest else { return false }
        if Self.write(bytes, to: file), fdatasync(file.number) == 0 { return true }
        // Half a record would stand before whatever comes next.
        _ = ftruncate(file.number, before)
        return false
    }

    private static func write(_ bytes: [UInt8], to file: borrowing FileDescriptor) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func freshMark() -> [UInt8] {
        var mark = [UInt8](repeating: 0, count: markLength)
        for index in mark.indices { mark[index] = UInt8.random(in: 0...255) }
        return mark
    }

    /// Runs the commands of the file that have not been run, then takes the file away. Nothing to do where there is none.
    /// - Returns: how many records could not be read: a crash, or a damaged disk.
    func replay(into connection: Connection) throws -> Int {
        try turn.withLock { _ in try replayAlone(into: connection) }
    }

    private func replayAlone(into connection: Connection) throws -> Int {
        guard Files.exists(path) else { return 0 }
        let bytes = try Files.read(path, limit: Self.longest)
        let mark = Array(bytes.prefix(Self.markLength))
        let (groups, torn) = CommandCoding.groups(Array(bytes.dropFirst(Self.markLength)))
        if torn > 0 {
            Log.error(
                "store", "rows that waited in a file could not be read", ["path": path, "count": "\(torn)"])
        }
        try connection.transaction { connection in
            try connection.script(Self.table)
            let done = try connection.row(
                "SELECT done FROM store_spill WHERE mark = ?1", [.blob(mark)], { Int($0.int(0)) })
            for group in groups.dropFirst(done ?? 0) { try run(group, connection) }
            try connection.run(
                "INSERT OR REPLACE INTO store_spill (id, mark, done) VALUES (1, ?1, ?2)",
                [.blob(mark), .int(Int64(groups.count))])
        }
        guard unlink(path) == 0 else { throw SystemError(while: "removing \(path)") }
        return torn
    }

    /// A group that the database refuses for good is left out whole, like those of the outbox.
    private func run(_ group: [Command], _ connection: Connection) throws(StoreError) {
        try connection.script("SAVEPOINT spill_group")
        do throws(StoreError) {
            for command in group { try connection.run(command.sql, command.values) }
        } catch {
            guard !error.isTransient else { throw error }
            Log.error("store", "a row was refused", ["reason": "\(error)"])
            try connection.script("ROLLBACK TO spill_group")
        }
        try connection.script("RELEASE spill_group")
    }
}
