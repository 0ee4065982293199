internal import Feed
internal import StreamFormats

/// Titles and breaks that wait for the sound they belong to, which is still in the encoder. A plain value.
struct PendingMarks {
    enum Mark {
        case title(TitleMark)
        case gap(Gap)
    }

    /// More than these are never on their way: an encoder holds a second at most.
    private static let limit = 64
    /// Encoders jitter by a frame or two; more than that is sound that went missing with a process.
    private static let tolerance: Int64 = 200_000_000

    /// In rising order of position, nanoseconds.
    private var waiting: [(position: Int64, mark: Mark)] = []
    private var end: Int64?

    /// - Returns: what must be published at once to keep the number small: nothing, usually.
    mutating func add(_ mark: Mark, at position: Int64) -> [Mark] {
        waiting.append((position, mark))
        return waiting.count > Self.limit ? [waiting.removeFirst().mark] : []
    }

    /// What is valid from `position` or before.
    mutating func take(upTo position: Int64) -> [Mark] {
        let count = waiting.prefix { $0.position <= position }.count
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).map(\.mark)
    }

    /// Everything; the sound will not come any more.
    mutating func takeAll() -> [Mark] {
        defer { self = PendingMarks() }
        return waiting.map(\.mark)
    }

    /// Titles that wait read differently now.
    mutating func retitle(_ changed: [TitleMark]) {
        for index in waiting.indices {
            guard case .title(let old) = waiting[index].mark,
                let new = changed.first(where: { $0.position == old.position })
            else { continue }
            waiting[index].mark = .title(new)
        }
    }

    /// Sound up to here has come out.
    mutating func reached(_ position: Int64) { end = position }

    /// Seconds that are missing before sound that begins at `position`; nil when it goes on without a break.
    func skipped(before position: Int64) -> Double? {
        guard let end, position - end > Self.tolerance else { return nil }
        return Double(position - end) / 1e9
    }
}
