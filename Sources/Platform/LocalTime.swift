internal import CLinux
internal import Glibc

/// Wall time as the clock on this machine's wall shows it. For what people type and read; schedules have zones of their own.
package enum LocalTime {
    /// The next moment at which local clocks show `14:00` or `14:00:30`, or a full `2026-11-30T14:00`.
    /// - Returns: nil where the text is neither.
    package static func next(_ text: String, after now: WallTime) -> WallTime? {
        let parts = text.split(whereSeparator: { $0 == "T" || $0 == " " })
        guard let clock = parts.last.flatMap({ numbers($0, separator: ":") }), (2...3).contains(clock.count)
        else {
            return nil
        }
        var fields = fields(of: now)
        if parts.count == 2 {
            guard let date = numbers(parts[0], separator: "-"), date.count == 3 else { return nil }
            fields.tm_year = date[0] - 1900
            fields.tm_mon = date[1] - 1
            fields.tm_mday = date[2]
        }
        fields.tm_hour = clock[0]
        fields.tm_min = clock[1]
        fields.tm_sec = clock.count == 3 ? clock[2] : 0
        guard clock[0] < 24, clock[1] < 60, fields.tm_sec < 60 else { return nil }
        let first = moment(&fields)
        guard parts.count == 1, first <= now else { return first }
        fields.tm_mday += 1
        return moment(&fields)
    }

    /// The last moment at which local clocks showed `14:00`, or a full `2026-11-30T14:00`, which must lie in the past.
    /// - Returns: nil where the text is neither, or lies ahead.
    package static func last(_ text: String, before now: WallTime) -> WallTime? {
        // Clocks are set by an hour at most, so a day and an hour back is before any time of day.
        guard var found = next(text, after: now.advanced(bySeconds: -25 * 3600)), found <= now else {
            return nil
        }
        if let later = next(text, after: found), later <= now { found = later }
        return found
    }

    /// `2026-11-30 14:00:05`
    package static func text(_ wall: WallTime) -> String { text(wall, pattern: "%Y-%m-%d %H:%M:%S") }

    /// `14:00:05`
    package static func clock(_ wall: WallTime) -> String { text(wall, pattern: "%H:%M:%S") }

    /// `2026-11-30T13:00:05Z`, for machines.
    package static func iso(_ wall: WallTime) -> String {
        var seconds = time_t(wall.nanoseconds / 1_000_000_000)
        var fields = tm()
        gmtime_r(&seconds, &fields)
        return string(&fields, "%Y-%m-%dT%H:%M:%SZ")
    }

    /// By a strftime pattern of ours or of the owner's, in at most 63 bytes; more gives an empty text.
    package static func text(_ wall: WallTime, pattern: String) -> String {
        var fields = fields(of: wall)
        return string(&fields, pattern)
    }

    /// Seconds that local clocks are ahead of UTC at a moment.
    package static func offset(_ wall: WallTime) -> Int { Int(fields(of: wall).tm_gmtoff) }

    private static func string(_ fields: inout tm, _ pattern: String) -> String {
        var buffer = [CChar](repeating: 0, count: 64)
        let length = strftime(&buffer, buffer.count, pattern, &fields)
        return String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func fields(of wall: WallTime) -> tm {
        var seconds = time_t(wall.nanoseconds / 1_000_000_000)
        var fields = tm()
        localtime_r(&seconds, &fields)
        return fields
    }

    private static func moment(_ fields: inout tm) -> WallTime {
        fields.tm_isdst = -1
        return WallTime(secondsSince1970: Double(mktime(&fields)))
    }

    private static func numbers(_ text: Substring, separator: Character) -> [Int32]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        let values = parts.compactMap { part in
            part.allSatisfy(\.isNumber) && part.count <= 4 ? Int32(part) : nil
        }
        return values.count == parts.count ? values : nil
    }
}
