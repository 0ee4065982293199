/// How a show repeats: an RRULE (RFC 5545, 3.3.10) over a wall clock without zone, checked before libical sees it.
package struct RecurrenceRule: Sendable, Hashable {
    /// In upper case, its UNTIL in local time.
    package let text: String

    private static let lengthLimit = 500
    /// How often a day a rule comes true at most.
    static let timesADay = 24
    /// The values that each list may hold, smallest and largest by amount, and whether they may count from the end.
    private static let lists: [String: (range: ClosedRange<Int>, isSigned: Bool)] = [
        "BYMONTH": (1...12, false),
        // libical loses some of the weeks that are counted from the end.
        "BYWEEKNO": (1...53, false), "BYYEARDAY": (1...366, true),
        "BYMONTHDAY": (1...31, true), "BYHOUR": (0...23, false), "BYMINUTE": (0...59, false),
        "BYSECOND": (0...59, false), "BYSETPOS": (1...366, true),
    ]
    /// Monday first.
    package static let weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    /// Week numbers of a BYWEEKNO, and the day that weeks begin with; nil where there is none.
    private var weeks: (numbers: Set<Int64>, first: Int)? {
        var numbers: Set<Int64>?
        var first = 0
        for part in text.split(separator: ";") {
            if part.hasPrefix("BYWEEKNO=") {
                numbers = Set(part.dropFirst(9).split(separator: ",").compactMap { Int64($0) })
            }
            if part.hasPrefix("WKST=") {
                first = Self.weekdays.firstIndex(of: String(part.dropFirst(5))) ?? 0
            }
        }
        return numbers.map { ($0, first) }
    }

    /// Whether a time that libical found is one of the rule's: it takes week 53 of a year with 52 for week 1 of the next.
    var accepts: (LocalDateTime) -> Bool {
        guard let weeks else { return { _ in true } }
        return { time in
            weeks.numbers.contains(WeekNumber.of(time, weeksBeginOn: weeks.first))
        }
    }

    private static let frequencies = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]

    /// - Parameter zone: in whose time an UNTIL in UTC is meant.
    package init(_ text: String, zone: Zone) throws(ScheduleMistake) {
        guard text.utf8.count <= Self.lengthLimit else { throw .rule("it is too long") }
        var parts: [(key: String, value: String)] = []
        let bare = text.uppercased().hasPrefix("RRULE:") ? text.dropFirst(6) : text[...]
        for part in bare.uppercased().split(separator: ";") {
            let pair = part.split(separator: "=", omittingEmptySubsequences: false)
            guard pair.count == 2, !parts.contains(where: { $0.key == pair[0] }) else {
                throw .rule("write it as FREQ=WEEKLY;BYDAY=MO,FR, each part once")
            }
            parts.append((String(pair[0]), try Self.checked(String(pair[0]), String(pair[1]), zone)))
        }
        try Self.check(Dictionary(uniqueKeysWithValues: parts.map { ($0.key, $0.value) }))
        self.text = parts.map { "\($0.key)=\($0.value)" }.joined(separator: ";")
    }

    /// Every week on these days; 0 is Monday.
    package init(weekly days: Set<Int>) {
        text = "FREQ=WEEKLY;BYDAY=" + days.sorted().map { Self.weekdays[$0] }.joined(separator: ",")
    }

    /// Reads back what was kept.
    init(kept text: String) { self.text = text }

    private static func checked(
        _ key: String, _ value: String, _ zone: Zone
    ) throws(ScheduleMistake) -> String {
        switch key {
        case "FREQ":
            guard frequencies.contains(value) else {
                throw .rule(
                    "FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY; several times a day are FREQ=DAILY;BYHOUR=8,12,18"
                )
            }
        case "INTERVAL", "COUNT":
            guard let number = Int(value), (1...10_000).contains(number) else {
                throw .rule("\(key) must be from 1 to 10000")
            }
        case "WKST":
            guard weekdays.contains(value) else { throw .rule("WKST must be one of MO, TU, … SU") }
        case "BYDAY":
            guard !value.isEmpty, value.split(separator: ",").allSatisfy(isWeekday) else {
                throw .rule("BYDAY must be like MO,FR or 1SA or -1SU")
            }
        case "UNTIL": return try until(value, zone)
        default:
            guard let list = lists[key] else {
                throw .rule("\(key.prefix(12)) is no part of a rule that is known here")
            }
            try check(value, of: key, list)
        }
        return value
    }

    private static func isWeekday(_ text: Substring) -> Bool {
        guard weekdays.contains(String(text.suffix(2))) else { return false }
        let position = text.dropLast(2)
        return position.isEmpty || Int(position).map { (1...53).contains($0.magnitude) } ?? false
    }

    private static func check(
        _ value: String, of key: String, _ list: (range: ClosedRange<Int>, isSigned: Bool)
    ) throws(ScheduleMistake) {
        let numbers = value.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        let isGood = numbers.allSatisfy { number in
            guard let number, number > -1000, number >= 0 || list.isSigned else { return false }
            return list.range.contains(abs(number))
        }
        guard isGood, numbers.count <= 60 else {
            throw .rule(
                "\(key) takes numbers from \(list.range.lowerBound) to \(list.range.upperBound), with commas between"
            )
        }
    }

    /// `20270101`, `20270101T000000` or, in UTC, `20270101T000000Z`, as a local time.
    private static func until(_ value: String, _ zone: Zone) throws(ScheduleMistake) -> String {
        let isUTC = value.hasSuffix("Z")
        // A day alone is meant to its end.
        let full = value.contains("T") ? (isUTC ? String(value.dropLast()) : value) : value + "T235959"
        guard let time = LocalDateTime(full) else {
            throw .rule("UNTIL must be like 20270101 or 20270101T220000")
        }
        return (isUTC ? zone.local(at: time.seconds) : time).compact
    }

    private static func check(_ parts: [String: String]) throws(ScheduleMistake) {
        guard let frequency = parts["FREQ"] else { throw .rule("FREQ is missing") }
        guard parts["COUNT"] == nil || parts["UNTIL"] == nil else {
            throw .rule("it has both COUNT and UNTIL; one of them is enough")
        }
        let isPositioned = parts["BYDAY"]?.contains { $0.isNumber } ?? false
        guard !isPositioned || frequency == "MONTHLY" || frequency == "YEARLY" else {
            throw .rule("a day such as 1SA goes with FREQ=MONTHLY or FREQ=YEARLY")
        }
        guard parts["BYWEEKNO"] == nil || frequency == "YEARLY" else {
            throw .rule("BYWEEKNO goes with FREQ=YEARLY")
        }
        // More would be a machine's doing; and what comes in a fortnight could not be shown.
        let daily = ["BYHOUR", "BYMINUTE", "BYSECOND"].reduce(1) { count, key in
            count * max(1, parts[key]?.split(separator: ",").count ?? 1)
        }
        guard daily <= timesADay else { throw .rule("it comes true more than \(timesADay) times a day") }
        let others = parts.keys.contains { $0.hasPrefix("BY") && $0 != "BYSETPOS" }
        guard parts["BYSETPOS"] == nil || others else {
            throw .rule("BYSETPOS chooses among the times of another BY part")
        }
        try checkDays(parts)
    }

    /// 30 February: libical would look for it for seconds.
    private static func checkDays(_ parts: [String: String]) throws(ScheduleMistake) {
        func numbers(_ key: String) -> [Int]? { parts[key]?.split(separator: ",").compactMap { Int($0) } }
        guard let months = numbers("BYMONTH"), let days = numbers("BYMONTHDAY") else { return }
        let longest = months.map { $0 == 2 ? 29 : [4, 6, 9, 11].contains($0) ? 30 : 31 }.max() ?? 31
        guard days.contains(where: { abs($0) <= longest }) else { throw .never }
    }
}
