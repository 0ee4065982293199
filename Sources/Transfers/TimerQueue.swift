import Platform

/// Jobs that are due at some time, in order of time and then of being asked for. A plain value.
struct TimerQueue {
    private struct Entry {
        var due: MonotonicTime
        var id: Int
    }

    /// Latest first, so that the next one is taken from the end.
    private var entries: [Entry] = []
    private var jobs: [Int: () -> Void] = [:]
    private var nextID = 1

    /// When the next job is due; nil when there is none.
    var nextDue: MonotonicTime? { entries.last?.due }

    mutating func add(at due: MonotonicTime, _ job: @escaping () -> Void) -> Int {
        let id = nextID
        nextID += 1
        jobs[id] = job
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].due > due { low = middle + 1 } else { high = middle }
        }
        entries.insert(Entry(due: due, id: id), at: low)
        return id
    }

    mutating func cancel(_ id: Int) {
        guard jobs.removeValue(forKey: id) != nil, let index = entries.lastIndex(where: { $0.id == id })
        else { return }
        entries.remove(at: index)
    }

    /// Takes out the next job that is due by now.
    mutating func popDue(by now: MonotonicTime) -> (() -> Void)? {
        guard let entry = entries.last, entry.due <= now else { return nil }
        entries.removeLast()
        return jobs.removeValue(forKey: entry.id)
    }
}
