internal import Platform

/// The SQLite file of a data directory: one writer thread, a few readers, and what it takes never to lose a row.
///
/// What `write` has returned from is on the disk (WAL, synchronous FULL). A reader never waits for the writer.
package final class Database: Sendable {
    /// What opening found, for the log and for `doctor`.
    package enum Opening: Sendable, Hashable, CustomStringConvertible {
        /// There was no file.
        case created
        /// It is as it was left.
        case sound
        /// The tables were brought up to date; a copy of what they were lies at `backup`.
        case migrated(backup: String)
        /// It was damaged: the last good copy is in its place, the damaged file lies at `aside`.
        case restored(backup: String, aside: String)
        /// It was damaged and there was no sound copy: an empty one is in its place.
        case startedEmpty(aside: String)

        package var description: String {
            switch self {
            case .created: "created"
            case .sound: "sound"
            case .migrated(let backup): "brought up to date; what it was is kept as \(backup)"
            case .restored(let backup, let aside):
                "it was damaged and the copy \(backup) took its place; the damaged file is kept as \(aside)"
            case .startedEmpty(let aside):
                "it was damaged and there was no sound copy, so the history starts anew; the file is kept as \(aside)"
            }
        }
    }

    package struct Options: Sendable {
        /// Copies are kept here, one a day, and one before each migration; nil keeps none.
        package var backups: String?
        /// How many daily copies are kept.
        package var backupsKept = 7
        /// Looks at every page before use. Off for what can be fetched again.
        package var checks = true

        package init() {}
    }

    /// Writes that may wait at a time; beyond that `enqueue` refuses and says so.
    static let queueLimit = 10_000
    /// Read-only connections kept open.
    static let readerLimit = 4

    package let path: String
    package let opening: Opening
    private let writer: WriterSeat
    private let writerThread: Worker
    private let readers: DatabaseReader
    private let readerThread: Worker
    private let outbox: Outbox
    private let backups: Backups?
    /// Writes that have been asked for.
    private let asked = Lock(0)
    private let time: any TimeSource

    init(
        opening: Opening, connection: Connection, lock: DirectoryLock, options: Options, time: any TimeSource
    ) {
        path = connection.path
        self.opening = opening
        self.time = time
        backups = options.backups.map { Backups(of: connection.path, in: $0, kept: options.backupsKept) }
        writer = WriterSeat(connection, lock: lock)
        readers = DatabaseReader(path: connection.path, limit: Self.readerLimit)
        writerThread = Worker(name: "store-write", limit: Self.queueLimit)
        readerThread = Worker(name: "store-read", limit: Self.queueLimit)
        outbox = Outbox(
            spill: SpillFile(path: connection.path + ".waiting"), seat: writer, worker: writerThread)
        outbox.takeUpSpill()
    }

    deinit { close() }

    /// Does the writes that wait, then lets go of the file. Everything asked afterwards fails with `closed`.
    package func close() {
        writerThread.stop()
        readerThread.stop()
        readers.close()
        if writer.isOpen { outbox.close() }
        writer.close()
    }

    // MARK: Keeping

    /// What waits to be written and what could not be.
    package struct Health: Sendable, Hashable {
        /// Posted commands in memory or in the file beside the database.
        package var waiting: Int
        /// Posted commands that neither the database nor that file took.
        package var lost: Int
        /// Posted commands that the database refuses for good.
        package var refused: Int
    }

    package var health: Health {
        let counts = outbox.counts
        return Health(waiting: counts.waiting, lost: counts.lost, refused: counts.refused)
    }

    /// Writes a row that nobody waits for and that must not be lost: it is kept until the database takes it, in memory
    /// and then in a file. Never blocks for the database, keeps the order. Any thread.
    package func post(_ command: Command) { post([command]) }

    /// The same for several that belong together: one transaction, all or nothing.
    package func post(_ commands: [Command]) {
        asked.withLock { $0 &+= 1 }
        outbox.post(commands)
    }

    /// Makes today's copy where there is none yet, on the reader thread, and takes away the oldest beyond those that are
    /// kept. Call it at start-up and every hour.
    /// - Parameter then: the path of the copy, or nil where nothing was due.
    package func backUpIfDue(then: @escaping @Sendable (Result<String?, any Error>) -> Void = { _ in }) {
        guard let backups else { return then(.success(nil)) }
        let copy = backups.daily(Stamps.day(time.wall))
        let accepted = readerThread.submit { [readers] in
            then(
                Result {
                    if Files.exists(copy) { return nil }
                    try readers.use { try backups.make(copy, from: $0) }
                    backups.prune()
                    return copy
                })
        }
        if !accepted { then(.failure(refusal(readerThread))) }
    }

    // MARK: Writing

    /// Runs `body` in one transaction on the writer thread and waits for it. Not from a reactor loop, not from the
    /// cooperative pool.
    package func write<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) throws
        -> Value
    {
        let answer = Answer<Value>()
        enqueue(body) { answer.give($0) }
        return try answer.wait().get()
    }

    /// Waits until what has been enqueued and posted by now is on the disk, or has been refused: a full disk is not waited
    /// for. Not from a reactor loop, not from the cooperative pool.
    package func settle() { _ = try? write { _ in 0 } }

    /// Runs `body` and then settles, if anything has been enqueued or posted since it began, by whatever thread: it may have
    /// waited for one. What keeps nothing does not wait for the disk. Not from a reactor loop, not from the cooperative pool.
    package func settled<Value>(_ body: () throws -> Value) rethrows -> Value {
        let before = asked.withLock { $0 }
        let value = try body()
        if asked.withLock({ $0 }) != before { settle() }
        return value
    }

    /// The same for tasks: suspends, blocks nothing.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            enqueue(body) { continuation.resume(with: $0) }
        }
    }

    /// Runs `body` in one transaction on the writer thread, then `then` there with the outcome. Never blocks. Any
    /// thread; `then` must be short.
    package func enqueue<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void = { _ in }
    ) {
        asked.withLock { $0 &+= 1 }
        let accepted = writerThread.submit { [writer] in
            then(Result { try writer.use { try $0.transaction(body) } })
        }
        if !accepted { then(.failure(refusal(writerThread))) }
    }

    // MARK: Reading

    /// Runs `body` on this thread with a read-only connection, in one snapshot. Not from a reactor loop.
    package func read<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        try readers.read(body)
    }

    /// The same for tasks, on the reader thread.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            enqueueRead(body) { continuation.resume(with: $0) }
        }
    }

    /// Runs `body` on the reader thread, then `then` there with the outcome. Never blocks. Any thread.
    package func enqueueRead<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let accepted = readerThread.submit { [readers] in
            then(Result { try readers.read(body) })
        }
        if !accepted { then(.failure(refusal(readerThread))) }
    }

    private func refusal(_ worker: Worker) -> StoreError {
        worker.isStopped
            ? StoreError(.closed, path: path, detail: "asked after close")
            : StoreError(.overloaded, path: path, detail: "\(Self.queueLimit) requests are waiting")
    }
}
