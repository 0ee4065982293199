internal import Platform

/// Pairs of place and audio time, one a chunk: which byte sounds when, for variable bit rates too.
struct PaceMarks {
    private struct Mark {
        var place: Int64
        var nanoseconds: Int64
    }

    /// Begins with the ring itself: its first byte sounds at 0.
    private var marks: ContiguousArray<Mark> = [Mark(place: 0, nanoseconds: 0)]

    /// Audio time at the live edge.
    var latest: Int64 { marks.last?.nanoseconds ?? 0 }

    mutating func append(place: Int64, nanoseconds: Int64) {
        marks.append(Mark(place: place, nanoseconds: nanoseconds))
    }

    /// Drops marks of bytes that are gone, several at a time, so that it costs nothing on average.
    mutating func forget(before place: Int64) {
        guard marks.count > 64, marks[marks.count / 2].place < place else { return }
        marks.removeFirst(marks.count / 2)
    }

    /// The place that sounds at `nanoseconds`, straight between two marks; nil when that is older than every mark.
    func place(at nanoseconds: Int64) -> Int64? {
        let index = count { $0.nanoseconds <= nanoseconds }
        guard index > 0 else { return nil }
        let before = marks[index - 1]
        guard index < marks.count else { return before.place }
        let after = marks[index]
        let share = Double(nanoseconds - before.nanoseconds) / Double(after.nanoseconds - before.nanoseconds)
        return before.place + Int64(bounded: share * Double(after.place - before.place))
    }

    /// When the byte at `place` sounds, straight between two marks; nil without marks.
    func nanoseconds(at place: Int64) -> Int64? {
        guard let oldest = marks.first else { return nil }
        let index = count { $0.place <= place }
        guard index > 0 else { return oldest.nanoseconds }
        let before = marks[index - 1]
        guard index < marks.count else { return before.nanoseconds }
        let after = marks[index]
        let share = Double(place - before.place) / Double(after.place - before.place)
        return before.nanoseconds + Int64(bounded: share * Double(after.nanoseconds - before.nanoseconds))
    }

    var byteRate: Double? {
        guard let first = marks.first, let last = marks.last, last.nanoseconds > first.nanoseconds else {
            return nil
        }
        return Double(last.place - first.place) * 1e9 / Double(last.nanoseconds - first.nanoseconds)
    }

    /// How many marks, from the oldest on, satisfy `isBefore`.
    private func count(where isBefore: (Mark) -> Bool) -> Int {
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(marks[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
