internal import Platform

/// How a zone goes on for good, as the last line of its file says: `CET-1CEST,M3.5.0,M10.5.0/3` (RFC 9636, 3.3.1, after
/// POSIX 8.3).
struct ZoneRule: Sendable, Hashable {
    /// A day of every year, and the seconds since its midnight, local time before the change.
    struct Day: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            /// 1 to 365; 29 February is never counted.
            case ofCommonYear(Int64)
            /// 0 to 365; 29 February is counted.
            case ofYear(Int64)
            /// 0 is Sunday; week 5 is the last.
            case weekday(month: Int64, week: Int64, day: Int64)
        }

        var kind: Kind
        var seconds: Int64
    }

    /// Summer time, or whatever the other half of the year is called.
    struct Summer: Sendable, Hashable {
        var offset: Int64
        var start: Day
        var end: Day
    }

    /// Seconds ahead of UTC.
    var standard: Int64
    var summer: Summer?

    func offset(at instant: Int64) -> Int64 {
        guard summer != nil else { return standard }
        let year = CivilDay.date(CivilDay.floorQuotient(instant, LocalDateTime.day)).year
        return changes(in: year - 1...year + 1).last { $0.at <= instant }?.offset ?? standard
    }

    func changes(from: Int64, to: Int64) -> [Zone.Change] {
        let first = CivilDay.date(CivilDay.floorQuotient(from, LocalDateTime.day)).year
        let last = CivilDay.date(CivilDay.floorQuotient(to, LocalDateTime.day)).year
        guard summer != nil, first <= last else { return [] }
        return changes(in: first - 1...last + 1).filter { $0.at > from && $0.at <= to }
    }

    private func changes(in years: ClosedRange<Int64>) -> [Zone.Change] {
        guard let summer else { return [] }
        return years.flatMap { year in
            [
                Zone.Change(at: Self.moment(summer.start, year) - standard, offset: summer.offset),
                Zone.Change(at: Self.moment(summer.end, year) - summer.offset, offset: standard),
            ]
        }.sorted { $0.at < $1.at }
    }

    /// In local time before the change.
    private static func moment(_ day: Day, _ year: Int64) -> Int64 {
        dayNumber(day.kind, year) * LocalDateTime.day + day.seconds
    }

    private static func dayNumber(_ kind: Day.Kind, _ year: Int64) -> Int64 {
        let newYear = CivilDay.number(year: year, month: 1, day: 1)
        switch kind {
        case .ofYear(let day): return newYear + day
        case .ofCommonYear(let day):
            let isLeap = CivilDay.days(inMonth: 2, of: year) == 29
            return newYear + day - 1 + (isLeap && day > 59 ? 1 : 0)
        case .weekday(let month, let week, let day):
            let first = CivilDay.number(year: year, month: month, day: 1)
            // The calendar here begins its weeks on Monday, this rule on Sunday.
            let ahead = CivilDay.floorRemainder((day + 6) % 7 - Int64(CivilDay.weekday(first)), 7)
            let wanted = first + ahead + (week - 1) * 7
            return wanted < first + CivilDay.days(inMonth: month, of: year) ? wanted : wanted - 7
        }
    }
}

extension ZoneRule {
    /// Nil for an empty or unreadable text.
    init?(_ text: [UInt8]) {
        var reader = Reader(rest: text[...])
        guard reader.skipName(), let west = reader.time() else { return nil }
        standard = -west
        if reader.rest.isEmpty { return }
        guard reader.skipName() else { return nil }
        let offset = reader.rest.first == UInt8(ascii: ",") ? standard + 3600 : reader.time().map { -$0 }
        guard let offset, let start = reader.day(), let end = reader.day(), reader.rest.isEmpty else {
            return nil
        }
        summer = Summer(offset: offset, start: start, end: end)
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func take(_ letter: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: letter) else { return false }
            rest = rest.dropFirst()
            return true
        }

        /// `CET`, or `<+1030>`.
        mutating func skipName() -> Bool {
            if take("<") {
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
                rest = rest[(end + 1)...]
                return true
            }
            let letters = rest.prefix { (65...90).contains($0 & 0xDF) }
            rest = rest.dropFirst(letters.count)
            return letters.count >= 3
        }

        mutating func number() -> Int64? {
            let digits = rest.prefix { (48...57).contains($0) }
            guard (1...3).contains(digits.count) else { return nil }
            rest = rest.dropFirst(digits.count)
            return digits.reduce(0) { $0 * 10 + Int64($1 - 48) }
        }

        /// `-10:30`, in seconds.
        mutating func time() -> Int64? {
            let isNegative = take("-")
            if !isNegative { _ = take("+") }
            guard let hours = number(), hours <= 167 else { return nil }
            var seconds = hours * 3600
            for unit: Int64 in [60, 1] where take(":") {
                guard let part = number(), part < 60 else { return nil }
                seconds += part * unit
            }
            return isNegative ? -seconds : seconds
        }

        /// `,M10.5.0/3`
        mutating func day() -> Day? {
            guard take(","), let kind = kind() else { return nil }
            guard take("/") else { return Day(kind: kind, seconds: 7200) }
            return time().map { Day(kind: kind, seconds: $0) }
        }

        private mutating func kind() -> Day.Kind? {
            if take("J") {
                guard let day = number(), (1...365).contains(day) else { return nil }
                return .ofCommonYear(day)
            }
            guard take("M") else {
                guard let day = number(), day <= 365 else { return nil }
                return .ofYear(day)
            }
            guard let month = number(), (1...12).contains(month), take("."), let week = number(),
                (1...5).contains(week), take("."), let day = number(), day <= 6
            else { return nil }
            return .weekday(month: month, week: week, day: day)
        }
    }
}
