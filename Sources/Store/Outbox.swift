internal import Platform

/// Writes that nobody waits for and that must not be lost while the disk or a lock says no: titles, facts, log lines.
///
/// They are kept in order: in memory at first, beyond `memoryLimit` and at the end in a file beside the database, from
/// where the next start takes them.
final class Outbox: Sendable {
    /// What is going on, for status and metrics.
    struct Counts: Sendable, Hashable {
        /// Waiting in memory and in the file.
        var waiting = 0
        /// Could not even be put into the file.
        var lost = 0
        /// Refused by the database for good: a bug or a broken rule.
        var refused = 0
    }

    private struct State {
        var waiting: [[Command]] = []
        var isQueued = false
        var spilled = 0
        var lost = 0
        var refused = 0
    }

    /// Groups kept in memory.
    static let memoryLimit = 10_000
    /// Groups put into one transaction.
    private static let batch = 500
    /// Pause before the next try after the disk or a lock said no.
    private static let retrySeconds = 2.0

    private let state = Lock(State())
    private let spill: SpillFile
    private let seat: WriterSeat
    private let worker: Worker

    init(spill: SpillFile, seat: WriterSeat, worker: Worker) {
        self.spill = spill
        self.seat = seat
        self.worker = worker
    }

    var counts: Counts {
        state.withLock { Counts(waiting: $0.waiting.count + $0.spilled, lost: $0.lost, refused: $0.refused) }
    }

    /// At start-up: what an earlier run could not write is written first.
    func takeUpSpill() {
        guard Files.exists(spill.path) else { return }
        state.withLock { state in
            state.spilled += 1
            state.isQueued = true
        }
        _ = worker.submit { [self] in drain() }
    }

    /// Any thread; never blocks for the database.
    func post(_ group: [Command]) {
        let (mustSpill, mustQueue) = state.withLock { state in
            // Once some are in the file the later ones follow them there, so that the order stays.
            let full = state.spilled > 0 || state.waiting.count >= Self.memoryLimit
            if full { state.spilled += 1 } else { state.waiting.append(group) }
            defer { state.isQueued = true }
            return (full, !state.isQueued)
        }
        if mustSpill, spill.append([group]) > 0 {
            state.withLock {
                $0.spilled -= 1; $0.lost += 1
            }
        }
        if mustQueue, !worker.submit({ [self] in drain() }) {
            // The worker has been stopped, or so much waits that it takes no more: look again when it is idle.
            state.withLock { $0.isQueued = false }
            worker.submit(afterSeconds: Self.retrySeconds) { [self] in drain() }
        }
    }

    /// On the worker: writes what waits, memory first, then the file.
    private func drain() {
        state.withLock { $0.isQueued = false }
        while true {
            let batch = state.withLock { Array($0.waiting.prefix(Self.batch)) }
            if batch.isEmpty { break }
            let done = write(batch)
            state.withLock { $0.waiting.removeFirst(min(done, $0.waiting.count)) }
            if done < batch.count { return retry() }
        }
        guard state.withLock({ $0.spilled > 0 }) else { return }
        let before = state.withLock { $0.spilled }
        do {
            let torn = try seat.use { try spill.replay(into: $0) }
            // Some may have come since; they are in a new file.
            let rest = state.withLock { state in
                state.spilled -= before
                state.lost += torn
                return state.spilled
            }
            if rest > 0 { retry() }
        } catch {
            retry()
        }
    }

    private func retry() { worker.submit(afterSeconds: Self.retrySeconds) { [self] in drain() } }

    /// - Returns: how many groups are done with; the others may succeed later.
    private func write(_ batch: [[Command]]) -> Int {
        do {
            try seat.use { connection in
                try connection.transaction { try Self.run(batch.flatMap { $0 }, on: $0) }
            }
            return batch.count
        } catch  where Self.mayPass(error) {
            return 0
        } catch {
            return batch.firstIndex { !writeAlone($0) } ?? batch.count
        }
    }

    private static func mayPass(_ error: any Error) -> Bool {
        guard let error = error as? StoreError else { return false }
        return error.isTransient || error.reason == .closed
    }

    /// One group of the batch is wrong: the others must not suffer for it.
    /// - Returns: false where it may succeed later.
    private func writeAlone(_ group: [Command]) -> Bool {
        do {
            try seat.use { connection in
                try connection.transaction { try Self.run(group, on: $0) }
            }
        } catch  where Self.mayPass(error) {
            return false
        } catch {
            state.withLock { $0.refused += 1 }
            Log.error("store", "a row was refused", ["reason": "\(error)"])
        }
        return true
    }

    private static func run(_ commands: [Command], on connection: Connection) throws {
        for command in commands { try connection.run(command.sql, command.values) }
    }

    /// After the worker has stopped: what could not be written goes into the file.
    func close() {
        let rest = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        guard !rest.isEmpty else { return }
        let lost = spill.append(Array(rest.dropFirst(write(rest))))
        guard lost > 0 else { return }
        state.withLock { $0.lost += lost }
        Log.error("store", "rows were lost at the end", ["count": "\(lost)"])
    }
}
