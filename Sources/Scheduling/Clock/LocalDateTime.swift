package import Platform

/// A date and a time of day as a wall clock shows them, to the second, without saying where the clock hangs.
package struct LocalDateTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Years that a schedule may name.
    package static let years: ClosedRange<Int64> = 1970...2199
    static let day: Int64 = 86_400

    /// Seconds since 1970-01-01T00:00:00 on a clock that is never put forward or back.
    package var seconds: Int64

    package init(seconds: Int64) { self.seconds = seconds }

    /// Nil for a day or a time that no calendar has.
    package init?(
        year: Int64, month: Int64, day: Int64, hour: Int64 = 0, minute: Int64 = 0, second: Int64 = 0
    ) {
        guard Self.years.contains(year), (1...12).contains(month), (0..<24).contains(hour),
            (0..<60).contains(minute), (0..<60).contains(second),
            (1...CivilDay.days(inMonth: month, of: year)).contains(day)
        else { return nil }
        seconds =
            CivilDay.number(year: year, month: month, day: day) * Self.day + hour * 3600 + minute * 60
            + second
    }

    /// Reads `2026-12-24 20:00`, with a `T` between and with seconds too; or `20261224T200000`, as iCalendar writes.
    package init?(_ text: String) {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
        guard parts.count == 2, let date = Self.date(parts[0]), let clock = Self.clock(parts[1]) else {
            return nil
        }
        self.init(
            year: date.0, month: date.1, day: date.2, hour: clock / 3600, minute: clock / 60 % 60,
            second: clock % 60)
    }

    /// Year, month and day of `2026-12-24` or `20261224`; not checked against a calendar.
    static func date(_ text: Substring) -> (Int64, Int64, Int64)? {
        let fields =
            text.utf8.count == 8
            ? [text.prefix(4), text.dropFirst(4).prefix(2), text.suffix(2)]
            : text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = fields.compactMap(number)
        guard fields.count == 3, numbers.count == 3 else { return nil }
        return (numbers[0], numbers[1], numbers[2])
    }

    /// Seconds since midnight of `20:00`, `20:00:30` or `200000`; nil for what no clock shows.
    package static func clock(_ text: some StringProtocol) -> Int64? {
        let text = Substring(text)
        let fields =
            text.utf8.count == 6
            ? [text.prefix(2), text.dropFirst(2).prefix(2), text.suffix(2)]
            : text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = fields.compactMap(number)
        guard (2...3).contains(fields.count), numbers.count == fields.count, numbers[0] < 24, numbers[1] < 60,
            numbers.count == 2 || numbers[2] < 60
        else { return nil }
        return numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
    }

    private static func number(_ text: Substring) -> Int64? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }

    package static func < (left: Self, right: Self) -> Bool { left.seconds < right.seconds }

    package func advanced(by seconds: Int64) -> Self { Self(seconds: self.seconds + seconds) }

    var dayNumber: Int64 { CivilDay.floorQuotient(seconds, Self.day) }
    /// Seconds since midnight.
    package var clock: Int64 { CivilDay.floorRemainder(seconds, Self.day) }
    /// 0 is Monday.
    package var weekday: Int { CivilDay.weekday(dayNumber) }
    package var date: (year: Int64, month: Int64, day: Int64) { CivilDay.date(dayNumber) }

    /// `2026-12-24T20:00:00`
    package var description: String {
        let date = date
        return "\(date.year)-\(two(date.month))-\(two(date.day))T"
            + "\(two(clock / 3600)):\(two(clock / 60 % 60)):\(two(clock % 60))"
    }

    /// `20261224T200000`
    package var compact: String { description.filter { $0 != "-" && $0 != ":" } }

    private func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension WallTime {
    package init(wholeSeconds: Int64) {
        self.init(nanoseconds: wholeSeconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue)
    }

    /// Seconds since 1970, rounded down.
    package var wholeSeconds: Int64 { CivilDay.floorQuotient(nanoseconds, 1_000_000_000) }
}
