/// Keeps the jitter buffer at one level for days, by playing a few parts per million faster or slower.
///
/// The station's clock and the sound card's differ by up to some hundred ppm: unheeded, the buffer runs empty or grows.
/// What is measured is the lowest level within half a minute: it does not depend on how coarsely the sound arrives (a
/// packet, or ten seconds of HLS at a time). The middle one of three such values is compared with the level that stood
/// at first; a proportional and an integral part, critically damped for a buffer that integrates the difference. How
/// much a second counts is taken from how much the levels differ among themselves: a network that stumbles must not
/// be heard as a change of pitch.
struct DriftController {
    /// Seconds within which the lowest level is looked for.
    static let window = 30.0
    /// How many such levels show how steadily the sound arrives.
    private static let memory = 5
    /// ppm for every second that the level is off, at most and at least, and what the scatter of levels may amount to.
    private static let gains = 100.0...2000
    private static let wobble = 200.0
    /// Never further: 1000 ppm are 1.7 cents, which nobody hears.
    private static let limit = 1000.0
    /// ppm by which it may change in a second.
    private static let slope = 10.0
    /// A level below is raised to this, seconds: a join without a burst leaves next to nothing.
    private static let leastLevel = 0.5

    /// ppm by which to play faster.
    private(set) var correction = 0.0
    private var wanted = 0.0
    private var accumulated = 0.0
    private var target: Double?
    private var lowest = Double.infinity
    private var seconds = 0.0
    private var recent: [Double] = []

    /// After a break the level is another one: measure afresh, with the correction as found so far.
    mutating func restart() {
        target = nil
        lowest = .infinity
        seconds = 0
        recent = []
        accumulated = correction
    }

    /// The level now, `elapsed` seconds of played time after the last look.
    mutating func observe(level: Double, elapsed: Double) {
        lowest = min(lowest, level)
        seconds += elapsed
        if seconds >= Self.window {
            close(lowest)
            lowest = .infinity
            seconds = 0
        }
        let step = Self.slope * elapsed
        correction += min(max(wanted - correction, -step), step)
    }

    private mutating func close(_ level: Double) {
        recent.append(level)
        if recent.count > Self.memory { recent.removeFirst() }
        guard recent.count >= 3 else { return }
        let middle = recent.suffix(3).sorted()[1]
        let aim = target ?? max(middle, Self.leastLevel)
        target = aim
        let off = middle - aim
        let gain = proportional
        // Critically damped: the integral gain is a quarter of the square, as 1 ppm moves the level by 1e-6 a second.
        let step = gain * gain * 1e-6 / 4 * off * Self.window
        let sum = gain * off + accumulated + step
        if abs(sum) < Self.limit { accumulated += step }
        wanted = min(max(sum, -Self.limit), Self.limit)
    }

    private var proportional: Double {
        let spread = (recent.max() ?? 0) - (recent.min() ?? 0)
        return min(max(Self.wobble / max(spread, 0.001), Self.gains.lowerBound), Self.gains.upperBound)
    }
}
