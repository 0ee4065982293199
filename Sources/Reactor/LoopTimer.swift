internal import Platform
internal import Synchronization

/// One thing to do later on a loop. Let go of it and it still fires; `cancel` it and it does not.
package final class LoopTimer: Sendable {
    private let job: @Sendable () -> Void
    private let cancelled = Atomic(false)
    /// Nanoseconds between two firings; nil for a single one.
    let interval: Int64?

    init(interval: Int64?, job: @escaping @Sendable () -> Void) {
        self.interval = interval
        self.job = job
    }

    /// After this returns on the loop's thread it does not fire any more; from another thread it may be firing just now.
    package func cancel() { cancelled.store(true, ordering: .releasing) }

    package var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func fire() {
        if !isCancelled { job() }
    }
}

/// The timers of one loop, soonest first: a binary heap, equal deadlines in the order they were set.
struct TimerHeap {
    private struct Entry {
        var deadline: Int64
        var order: UInt64
        var timer: LoopTimer

        func isBefore(_ other: Entry) -> Bool {
            deadline != other.deadline ? deadline < other.deadline : order < other.order
        }
    }

    private var entries: ContiguousArray<Entry> = []
    private var nextOrder: UInt64 = 0

    var count: Int { entries.count }
    /// When the soonest one is due, in nanoseconds of `MonotonicTime`.
    var soonest: Int64? { entries.first?.deadline }

    mutating func add(_ timer: LoopTimer, at deadline: Int64) {
        entries.append(Entry(deadline: deadline, order: nextOrder, timer: timer))
        nextOrder += 1
        var child = entries.count - 1
        while child > 0, entries[child].isBefore(entries[(child - 1) / 2]) {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Takes out the soonest timer if it is due at `now`. One that repeats is put back, past `now`, in step.
    mutating func popDue(at now: Int64) -> LoopTimer? {
        guard let first = entries.first, first.deadline <= now else { return nil }
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        sink(from: 0)
        if let interval = first.timer.interval, !first.timer.isCancelled {
            let missed = (now - first.deadline) / interval
            add(first.timer, at: first.deadline + (missed + 1) * interval)
        }
        return first.timer
    }

    mutating func removeAll() { entries.removeAll() }

    private mutating func sink(from start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child].isBefore(entries[least]) {
                least = child
            }
            if least == parent { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
