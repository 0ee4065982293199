import StreamFormats

/// Tells when a stream flows as it always will, so that it may be read in rounds. Pure.
struct Settling: Sendable {
    /// Audio that is read as it comes: a burst comes first, and whoever waits for the first sound must not wait longer.
    private static let seconds = 12.0
    /// At most so much: a stream that flows in the end is read in rounds in the end.
    private static let mostSeconds = 1536.0

    private var rate = 44_100.0
    private var audio = 0.0
    private var needed = Settling.seconds
    private var hasSaidSo = false

    /// - Parameter isInRounds: it is read in rounds now. Where it was said to have settled and is not, more came than
    ///   rounds can take, and the next time more has to come first: a long burst does not wait for round after round.
    /// - Returns: true once enough has come since the last time it said so.
    mutating func hasSettled(after elements: [StreamElement], isInRounds: Bool) -> Bool {
        for element in elements {
            switch element {
            case .format(let format): rate = Double(max(format.sampleRate, 1))
            case .frames(let run): audio += Double(run.samples) / rate
            case .title, .junk: break
            }
        }
        guard audio >= needed else { return false }
        audio = 0
        needed = hasSaidSo && !isInRounds ? min(2 * needed, Self.mostSeconds) : Self.seconds
        hasSaidSo = true
        return true
    }
}
