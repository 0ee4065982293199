import StreamFormats

/// Sets how many bytes the kernel collects before it wakes us: a quarter of a second of what a stream really sends.
/// Fewer wake-ups are what makes hundreds of stations cheap. Pure.
struct LowWater: Sendable {
    /// Audio that comes in one wake-up, in seconds.
    private static let seconds = 0.25
    /// Audio that is measured before anything is held back: a burst comes first, and heads must not wait.
    private static let settling = 12.0

    private var rate = 44_100.0
    private var audio = 0.0
    private var bytes = 0
    private var mark = 1

    /// - Returns: a new mark, where it changes.
    mutating func mark(after elements: [StreamElement], bytes count: Int) -> Int? {
        bytes += count
        for element in elements {
            switch element {
            case .format(let format): rate = Double(max(format.sampleRate, 1))
            case .frames(let run): audio += Double(run.samples) / rate
            case .title, .junk: break
            }
        }
        guard audio >= Self.settling else { return nil }
        let wanted = Int(Double(bytes) / audio * Self.seconds)
        audio = 0
        bytes = 0
        // Listeners are written to at the same pace: what came much sooner would wait for the next round of theirs.
        guard abs(wanted - mark) * 10 > mark else { return nil }
        mark = wanted
        return wanted
    }

    /// Nothing is held back until the stream has settled again.
    mutating func reset() { self = LowWater() }
}
