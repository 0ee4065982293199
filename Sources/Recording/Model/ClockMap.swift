package import Platform

/// Learns when each stretch of a recording was on the air.
///
/// Audio arrives in bursts: ten seconds at once on connecting, a backlog after a stall. What is heard last is heard
/// with the least delay, so within a stretch the smallest distance of arrival to audio time is the truth.
package struct ClockMap: Sendable, Hashable {
    /// Arrivals later than this behind the best are a new stretch: the stream stood still or the clock was stepped. So are
    /// those that are earlier by more than a burst explains.
    private static let tolerance = 2.0

    package private(set) var anchors: [ClockAnchor] = []

    package init() {}

    /// Goes on with what an earlier run has learned.
    init(anchors: [ClockAnchor]) { self.anchors = anchors }

    /// A chunk that ends at `seconds` of the recording came in at `wall`.
    package mutating func arrived(endingAt seconds: Double, from start: Double, wall: WallTime) {
        let startWall = wall.advanced(bySeconds: start - seconds)
        guard let last = anchors.last else {
            anchors.append(ClockAnchor(seconds: start, wall: startWall))
            return
        }
        let expected = last.wall.advanced(bySeconds: start - last.seconds)
        let late = startWall.secondsSince1970 - expected.secondsSince1970
        // What comes in bursts is early by one piece's length at a time; more, and the clock was set back.
        if late > Self.tolerance || late < start - seconds - Self.tolerance {
            anchors.append(ClockAnchor(seconds: start, wall: startWall))
        } else if late < 0 {
            anchors[anchors.count - 1].wall = last.wall.advanced(bySeconds: late)
        }
    }

    /// The wall time at which `seconds` of a recording was on the air; nil before anything was recorded.
    package static func wall(at seconds: Double, in anchors: [ClockAnchor]) -> WallTime? {
        guard let anchor = anchors.last(where: { $0.seconds <= seconds }) ?? anchors.first else { return nil }
        return anchor.wall.advanced(bySeconds: seconds - anchor.seconds)
    }

    /// The second of a recording that was on the air at `wall`: the next one that is there when it fell in a gap, nil
    /// beyond both ends.
    package static func seconds(at wall: WallTime, in anchors: [ClockAnchor], length: Double) -> Double? {
        guard let index = anchors.lastIndex(where: { $0.wall <= wall }) else { return nil }
        let seconds = anchors[index].seconds + wall.secondsSince1970 - anchors[index].wall.secondsSince1970
        let end = index + 1 < anchors.count ? anchors[index + 1].seconds : length
        guard seconds < end else { return index + 1 < anchors.count ? end : nil }
        return seconds
    }
}
