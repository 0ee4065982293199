internal import Platform

/// Weeks of a year by number: week 1 is the first with at least four days in the year (RFC 5545, BYWEEKNO; ISO 8601).
enum WeekNumber {
    /// The week that a day lies in.
    /// - Parameter first: the day that weeks begin on; 0 is Monday.
    static func of(_ time: LocalDateTime, weeksBeginOn first: Int) -> Int64 {
        let day = time.dayNumber
        let year = time.date.year
        let starts = (year - 1...year + 1).map { start(of: $0, first) }
        return starts.last { $0 <= day }.map { (day - $0) / 7 + 1 } ?? 0
    }

    /// The first day of week 1.
    private static func start(of year: Int64, _ first: Int) -> Int64 {
        let newYear = CivilDay.number(year: year, month: 1, day: 1)
        let ahead = Int64((CivilDay.weekday(newYear) - first + 7) % 7)
        return ahead <= 3 ? newYear - ahead : newYear - ahead + 7
    }
}
