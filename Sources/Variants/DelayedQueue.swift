internal import Feed
internal import Platform

/// Events of the past on their way to those who hear them late. A plain value.
///
/// What came in at a moment is said again so many seconds after it: bursts, breaks and holes come out as they came in,
/// and nothing drifts however long it runs.
struct DelayedQueue {
    /// Seconds between then and now.
    let delay: Double
    /// Seconds that are said early, so that whoever comes has something to begin with.
    let lead: Double
    /// Audio is fetched when less than this is waiting, in seconds.
    private static let ahead = 2.0

    private var events: ArraySlice<FeedEvent> = []
    private var lastWall: WallTime?

    init(delay: Double, lead: Double) {
        self.delay = delay
        self.lead = lead
    }

    /// More of the past should be fetched.
    func isShort(at now: WallTime) -> Bool {
        guard let lastWall else { return true }
        return due(lastWall).secondsSince1970 < now.secondsSince1970 + Self.ahead
    }

    mutating func add(_ new: [FeedEvent]) {
        for event in new {
            events.append(event)
            if case .audio(let chunk) = event { lastWall = chunk.wall }
        }
    }

    /// What is to be said by now. A title goes with the audio after it.
    mutating func take(at now: WallTime) -> ArraySlice<FeedEvent> {
        var end = events.startIndex
        for index in events.indices {
            guard case .audio(let chunk) = events[index] else { continue }
            guard due(chunk.wall) <= now else { break }
            end = index + 1
        }
        defer { events = events[end...] }
        return events[..<end]
    }

    /// When the next audio is due; nil while none waits.
    var nextDue: WallTime? {
        for event in events {
            if case .audio(let chunk) = event { return due(chunk.wall) }
        }
        return nil
    }

    private func due(_ wall: WallTime) -> WallTime { wall.advanced(bySeconds: delay - lead) }
}
