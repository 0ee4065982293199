internal import CICal

/// The times of a rule, one after the other.
struct Recurrence: ~Copyable {
    /// Times before the wanted ones that are passed over at most: eleven years of every hour.
    private static let patience = 100_000

    private let handle: OpaquePointer
    private let accepts: (LocalDateTime) -> Bool

    /// - Throws: `.noEngine` or `.rule`.
    init(_ rule: RecurrenceRule, from start: LocalDateTime) throws(ScheduleMistake) {
        guard aircheck_ical_open() == 0 else { throw .noEngine }
        guard let handle = aircheck_recurrence_new(rule.text, start.inC) else {
            throw .rule("it contradicts itself, or never comes true")
        }
        self.handle = handle
        accepts = rule.accepts
    }

    deinit { aircheck_recurrence_free(handle) }

    /// Nil after the last, and beyond the years that a schedule may name.
    func next() -> LocalDateTime? {
        var found = aircheck_local_time()
        guard aircheck_recurrence_next(handle, &found) == 1 else { return nil }
        return LocalDateTime(
            year: Int64(found.year), month: Int64(found.month), day: Int64(found.day),
            hour: Int64(found.hour), minute: Int64(found.minute), second: Int64(found.second))
    }

    /// Those from `from` to `to`, at most `limit`.
    func times(from: LocalDateTime, to: LocalDateTime, limit: Int) -> [LocalDateTime] {
        var found: [LocalDateTime] = []
        for _ in 0..<Self.patience + limit {
            guard found.count < limit, let time = next(), time <= to else { break }
            if time >= from, accepts(time) { found.append(time) }
        }
        return found
    }
}

extension LocalDateTime {
    fileprivate var inC: aircheck_local_time {
        let date = date
        return aircheck_local_time(
            year: Int32(date.year), month: Int32(date.month), day: Int32(date.day),
            hour: Int32(clock / 3600), minute: Int32(clock / 60 % 60), second: Int32(clock % 60))
    }
}
