/// Dates as HTTP writes them, in whole seconds since 1970-01-01T00:00:00Z. Source: RFC 9110 §5.6.7.
package enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    /// The years 1 and 9999: outside of them nothing is written or read.
    private static let bounds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func text(secondsSince1970 seconds: Int64) -> String {
        let seconds = min(max(seconds, bounds.lowerBound), bounds.upperBound)
        let day = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
        let time = Int(seconds - day * 86_400)
        let (year, month, date) = civil(fromDay: day)
        let weekday = days[Int(((day % 7) + 7) % 7)]
        return "\(weekday), \(two(date)) \(months[month - 1]) \(four(year)) "
            + "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60)) GMT"
    }

    /// Reads the form above, RFC 850's (`Sunday, 06-Nov-94 08:49:37 GMT`) and C's (`Sun Nov  6 08:49:37 1994`).
    /// - Returns: nil for anything else, and for a date that no calendar has.
    package static func parse(_ text: String) -> Int64? {
        guard text.utf8.count <= 64 else { return nil }
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
        switch words.count {
        case 6 where words[5] == "GMT":
            return moment(date: words[1], month: words[2], year: words[3], time: words[4])
        case 5:
            return moment(date: words[2], month: words[1], year: words[4], time: words[3])
        default:
            return nil
        }
    }

    private static func moment(date: String, month: String, year: String, time: String) -> Int64? {
        guard let date = Digits.parse(date, maxDigits: 2), let month = months.firstIndex(of: month),
            let year = fullYear(year), let clock = secondsOfDay(time)
        else { return nil }
        let day = dayNumber(year: Int64(year), month: Int64(month + 1), date: date)
        // 31 February comes back as another date.
        guard date >= 1, civil(fromDay: day) == (year, month + 1, Int(date)) else { return nil }
        return day * 86_400 + clock
    }

    /// Two digits are of 1970 to 2069.
    private static func fullYear(_ text: String) -> Int? {
        guard let year = Digits.parse(text, maxDigits: 4), year >= 1 || text.utf8.count == 2 else {
            return nil
        }
        if text.utf8.count == 2 { return Int(year < 70 ? year + 2000 : year + 1900) }
        return text.utf8.count == 4 ? Int(year) : nil
    }

    private static func secondsOfDay(_ text: String) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map {
            Digits.parse(String($0), maxDigits: 2)
        }
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
            hour < 24, minute < 60, second < 61
        else { return nil }
        return hour * 3600 + minute * 60 + min(second, 59)
    }

    // MARK: The calendar, counted in eras of 400 years that begin on 1 March

    private static func dayNumber(year: Int64, month: Int64, date: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + date - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(fromDay day: Int64) -> (year: Int, month: Int, date: Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (Int(year), Int(month), Int(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1))
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func four(_ number: Int) -> String {
        String(repeating: "0", count: max(0, 4 - "\(number)".utf8.count)) + "\(number)"
    }
}
