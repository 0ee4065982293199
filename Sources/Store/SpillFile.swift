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

    /// Puts commands at the end; false where the disk says no to that, too.
    func append(_ groups: [[Command]]) -> Bool {
        let bytes = groups.flatMap(CommandCoding.bytes)
        return turn.withLock { _ in write(bytes) }
    }

    private func write(_ records: [UInt8]) -> Bool {
        let number = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard number >= 0 else { return false }
        let file = FileDescriptor(owning: number)
        let isNew = lseek(file.number, 0, SEEK_END) == 0
        let bytes = isNew ? Self.freshMark() + records : records
        guard Glibc.write(file.number, bytes, bytes.count) == bytes.count else { return false }
        return fdatasync(file.number) == 0
    }

    private static func freshMark() -> [UInt8] {
        var mark = [UInt8](repeating: 0, count: markLength)
        for index in mark.indices { mark[index] = UInt8.random(in: 0...255) }
        return mark
    }

    /// Runs the commands of the file that have not been run, then takes the file away. Nothing to do where there is none.
    func replay(into connection: Connection) throws {
        try turn.withLock { _ in try replayAlone(into: connection) }
    }

    private func replayAlone(into connection: Connection) throws {
        guard Files.exists(path) else { return }
        let bytes = try Files.read(path, limit: Self.longest)
        let mark = Array(bytes.prefix(Self.markLength))
        let groups = CommandCoding.groups(Array(bytes.dropFirst(Self.markLength)))
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
