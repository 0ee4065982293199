/// How long to wait before the next round of tries, once the first one, which comes at once, has failed. Only real audio
/// sets it back. Pure: chance comes from outside.
struct BackOff: Sendable {
    /// Rounds that failed since there was audio.
    private(set) var failures = 0

    /// During so many seconds after the last audio the source is expected back any moment: a gap is to be hardly longer
    /// than the outage, so no wait is longer than `eager` then.
    static let eagerSpell = 60.0
    static let eager = 1.6
    static let longest = 30.0
    private let longest: Double

    /// - Parameter longest: of all waits but those for a server's own wish.
    init(longest: Double = BackOff.longest) { self.longest = longest }

    /// For a source that is away, and for faults that time hardly heals.
    static let longestSlow = 300.0
    /// A server's own wish is followed up to here.
    static let longestWish = 600.0
    /// Each wait is so much longer or shorter by chance, so that a thousand stations do not march in step.
    static let jitter = 0.2

    /// A round of tries has failed.
    /// - Parameters:
    ///   - kind: of the most hopeful fault of the round.
    ///   - sinceAudio: seconds since the last audio; infinite when there was none yet.
    ///   - chance: from 0 up to 1.
    /// - Returns: seconds to wait; nil when there is nothing to wait for.
    mutating func wait(after kind: Fault.Kind, sinceAudio: Double, chance: Double) -> Double? {
        defer { failures += 1 }
        let doubled = 0.5 * Double(1 << min(failures, 14))
        let isEager = sinceAudio < Self.eagerSpell
        let base: Double
        switch kind {
        case .network: base = min(doubled, isEager ? Self.eager : longest)
        case .missing: base = min(doubled, isEager ? Self.eager : slow)
        case .busy(let wish): base = max(min(doubled, longest), wish ?? 0)
        case .wrong: base = min(max(doubled, 5) * 4, slow)
        case .finished: return nil
        }
        return base * (1 - Self.jitter + 2 * Self.jitter * chance)
    }

    private var slow: Double { max(longest, Self.longestSlow) }

    /// There was real audio.
    mutating func reset() { failures = 0 }
}
