package import Platform

/// In what rhythm a station's sound comes, and so when it has stopped coming. Pure.
///
/// Some stations send every frame by itself, others a second at a time: the pauses that were usual of late say how long one
/// more may last. This is for what people see at once; what to do about a station that stays silent is decided elsewhere, and
/// later.
package struct ArrivalRhythm: Sendable, Hashable {
    /// Seconds without sound after which any station counts as silent; it is read four times a second.
    package static let shortest = 0.45
    /// Seconds that a pause may last beyond what is usual: what just missed one reading comes with the next.
    package static let slack = 0.3
    /// A longer pause, in seconds, was a break and says nothing of the rhythm.
    package static let longest = 3.0
    /// What comes within so many seconds came at once: one reading brings several runs of frames.
    private static let atOnce = 0.05

    private(set) var last: MonotonicTime?
    /// The last pauses in seconds. What is not known yet is taken for a station that sends in gusts.
    private var pauses = SIMD16<Float>(repeating: 0.5)
    private var next = 0

    package init() {}

    /// Sound came.
    package mutating func came(at now: MonotonicTime) {
        let pause = last.map { now.seconds(since: $0) } ?? .infinity
        guard pause > Self.atOnce else { return }
        last = now
        guard pause < Self.longest else { return }
        pauses[next] = Float(pause)
        next = (next + 1) % pauses.scalarCount
    }

    /// The sound counts as stopped from then on, if nothing comes before; nil where none ever came.
    /// - Parameter segment: seconds of sound that come at once, as segments of HLS do; nil for a stream.
    package func lasts(segment: Double?) -> MonotonicTime? {
        let patience = max(Self.shortest, usual + Self.slack, (segment ?? 0) * 1.5)
        return last?.advanced(bySeconds: patience)
    }

    /// The second longest pause of late, in seconds: one hiccup of the network is no rhythm.
    private var usual: Double {
        var pauses = pauses
        guard let longest = pauses.indices.max(by: { pauses[$0] < pauses[$1] }) else { return 0 }
        pauses[longest] = 0
        return Double(pauses.max())
    }
}
