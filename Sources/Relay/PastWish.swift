package import Platform
internal import HTTPWire

/// Where in a station's past a listener wants to begin; it then hears everything so much late.
package enum PastWish: Sendable, Hashable {
    /// So many seconds ago.
    case delay(seconds: Double)
    /// What was on the air then.
    case since(WallTime)
    /// The start of the song that is on.
    case song

    /// Longest delay that can be asked for: what a window can hold.
    private static let longest = 8 * 86_400.0

    /// Why a wish cannot be read.
    package struct Refusal: Error, Sendable, Hashable {
        package var text: String
    }

    /// The wish of a request's query: `delay=5h`, `since=08:00`, `from=song`; nil where there is none.
    static func read(_ query: QueryParameters, now: WallTime) throws(Refusal) -> PastWish? {
        if let text = query["delay"] {
            guard let seconds = DurationText.seconds(text), seconds >= 1, seconds <= longest else {
                throw Refusal(text: "delay must be a time such as 90s, 30m or 5h")
            }
            return .delay(seconds: seconds)
        }
        if let text = query["since"] {
            // The clock shows every time of day once in the last 24 hours.
            guard let wall = LocalTime.next(text, after: now.advanced(bySeconds: -86_400)), wall < now,
                wall >= now.advanced(bySeconds: -longest)
            else {
                throw Refusal(text: "since must be a time in the past such as 08:00 or 2026-11-30T08:00")
            }
            return .since(wall)
        }
        // Links carry all sorts of `from=`: another one is not meant for us.
        return query["from"] == "song" ? .song : nil
    }
}

/// A station late, or why it cannot be.
package enum LateAnswer: Sendable {
    case feed(LateFeed)
    /// There is nothing of it: the reason, for people.
    case nothing(String)
    /// There are too many already.
    case busy(String)
}
