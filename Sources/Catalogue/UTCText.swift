internal import CLinux
internal import Glibc
package import Platform

/// Moments as RFC 3339 in UTC, to the second.
package enum UTCText {
    /// `2026-03-29T01:30:00Z`.
    package static func text(_ time: WallTime) -> String {
        var seconds = time_t(time.nanoseconds / 1_000_000_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))T"
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
    }
}
