/// One VEVENT, as it stands in its file (RFC 5545, 3.6.1).
struct CalendarEvent: Sendable {
    /// A date and time, and which clock is meant.
    struct Time: Sendable, Hashable {
        enum Clock: Sendable, Hashable {
            case utc
            case floating
            case zone(String)
        }

        var local: LocalDateTime
        var clock: Clock
        /// `VALUE=DATE`: a whole day.
        var isDay = false

        static func all(_ line: CalendarLine) -> [Time] {
            let named = line.parameters["TZID"].map(Clock.zone)
            return line.value.split(separator: ",").compactMap { text in
                let isUTC = text.hasSuffix("Z")
                let isDay = !text.contains("T")
                let full = isDay ? "\(text)T000000" : String(isUTC ? text.dropLast() : text)
                return LocalDateTime(full).map {
                    Time(local: $0, clock: isUTC ? .utc : named ?? .floating, isDay: isDay)
                }
            }
        }
    }

    var uid = ""
    var summary = ""
    var start: Time?
    var end: Time?
    /// Seconds of a DURATION.
    var duration: Int64?
    var rule: String?
    var excluded: [Time] = []
    var added: [Time] = []
    /// It replaces this time of the event of the same UID.
    var replaces: Time?
    var isCancelled = false
    /// Our own properties, by what follows `X-AIRCHECK-`.
    var ours: [String: String] = [:]

    /// Events and dates of a file that are read at most.
    static let limit = 1000

    mutating func take(_ line: CalendarLine) {
        switch line.name {
        case "UID": uid = line.plain
        case "SUMMARY": summary = line.plain
        case "DTSTART": start = Time.all(line).first
        case "DTEND": end = Time.all(line).first
        case "DURATION": duration = Self.seconds(line.value)
        case "RRULE": rule = line.value
        case "EXDATE": excluded = Array((excluded + Time.all(line)).prefix(Self.limit))
        case "RDATE": added = Array((added + Time.all(line)).prefix(Self.limit))
        case "RECURRENCE-ID": replaces = Time.all(line).first
        case "STATUS": isCancelled = line.value.uppercased() == "CANCELLED"
        default:
            if line.name.hasPrefix("X-AIRCHECK-") { ours[String(line.name.dropFirst(11))] = line.plain }
        }
    }

    /// `PT2H`, `P1DT30M`, `P1W` (3.3.6); nil for what is none, or not forward.
    static func seconds(_ text: String) -> Int64? {
        guard text.hasPrefix("P") || text.hasPrefix("+P") else { return nil }
        var total: Int64 = 0
        var digits = ""
        for character in text.drop(while: { $0 != "P" }).dropFirst() {
            if character.isASCII, character.isNumber, digits.count < 9 {
                digits.append(character)
                continue
            }
            if character == "T", digits.isEmpty { continue }
            let units: [Character: Int64] = ["W": 604_800, "D": 86_400, "H": 3600, "M": 60, "S": 1]
            guard let unit = units[character], let number = Int64(digits) else { return nil }
            total += number * unit
            digits = ""
        }
        return digits.isEmpty && total > 0 ? total : nil
    }
}
