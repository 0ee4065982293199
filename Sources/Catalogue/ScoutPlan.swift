package import Platform

/// Which favourite is looked at next, and why: its title, for what is on now and for watch-lists, or its health. Pure.
///
/// One look at a time and a pause between any two: the stations are strangers' servers, and each look is a connection.
package struct ScoutPlan: Sendable {
    package enum Look: Sendable, Hashable {
        /// A few seconds, for the title alone.
        case title(String)
        /// As long as it takes to measure what it sends.
        case health(String)
    }

    /// How often; 0 is never.
    package struct Pace: Sendable, Hashable {
        /// Seconds between two looks at the title of one station.
        package var titles: Double
        /// Seconds between two probes of one station.
        package var health: Double
        /// Seconds between any two looks.
        package var pause: Double

        package init(titles: Double, health: Double, pause: Double = 5) {
            self.titles = titles
            self.health = health
            self.pause = pause
        }
    }

    private let pace: Pace
    private var titled: [String: MonotonicTime] = [:]
    private var probed: [String: MonotonicTime] = [:]
    private var last: MonotonicTime?

    package init(pace: Pace) { self.pace = pace }

    /// When a station was probed before the service started.
    package mutating func remember(_ station: String, probedAt: MonotonicTime) { probed[station] = probedAt }

    /// The look that is due.
    /// - Parameters:
    ///   - stations: favourites that are not connected anyway, in their order.
    ///   - wantsTitles: somebody waits for a title, or has asked lately what is on.
    package mutating func next(_ stations: [String], wantsTitles: Bool, at now: MonotonicTime) -> Look? {
        if let last, now.seconds(since: last) < pace.pause { return nil }
        if wantsTitles, let station = Self.oldest(stations, titled, pace.titles, now) {
            (titled[station], last) = (now, now)
            return .title(station)
        }
        guard let station = Self.oldest(stations, probed, pace.health, now) else { return nil }
        (probed[station], titled[station], last) = (now, now, now)
        return .health(station)
    }

    /// Whoever has waited longest, if that is long enough.
    private static func oldest(
        _ stations: [String], _ looked: [String: MonotonicTime], _ every: Double, _ now: MonotonicTime
    ) -> String? {
        guard every > 0 else { return nil }
        if let never = stations.first(where: { looked[$0] == nil }) { return never }
        let due = stations.filter { looked[$0].map { now.seconds(since: $0) >= every } ?? false }
        return due.min { (looked[$0]?.nanoseconds ?? 0) < (looked[$1]?.nanoseconds ?? 0) }
    }
}

/// Notices that a station sends nothing that can be heard. Pure.
package struct DeadAirAlarm: Sendable {
    package enum Cause: String, Sendable, Hashable {
        /// Nothing arrives.
        case stalled
        /// What arrives is silence.
        case silence
    }

    package enum Change: Sendable, Hashable {
        case began(Cause)
        case ended(seconds: Double)
    }

    private let after: Double
    private var since: MonotonicTime?
    private var cause: Cause?
    private var isTold = false

    /// - Parameter after: seconds of it that are an alarm; 0 never is.
    package init(after: Double) { self.after = after }

    /// Takes what is so now.
    /// - Parameter cause: nil while there is something to hear, or nobody reads.
    package mutating func look(_ cause: Cause?, at now: MonotonicTime) -> Change? {
        guard after > 0, let cause else {
            defer { (since, self.cause, isTold) = (nil, nil, false) }
            guard isTold, let since else { return nil }
            return .ended(seconds: now.seconds(since: since))
        }
        if since == nil { since = now }
        self.cause = cause
        guard !isTold, let since, now.seconds(since: since) >= after else { return nil }
        isTold = true
        return .began(cause)
    }
}
