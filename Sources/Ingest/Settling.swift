import StreamFormats

/// Tells when a stream flows as it always will, so that it may be read in rounds. Pure.
struct Settling: Sendable {
    /// Audio that is read as it comes: a burst comes first, and whoever waits for the first sound must not wait longer.
    private static let seconds = 12.0

    private var rate = 44_100.0
    private var audio = 0.0

    /// - Returns: true once enough has come since the last time it said so.
    mutating func hasSettled(after elements: [StreamElement]) -> Bool {
        for element in elements {
            switch element {
            case .format(let format): rate = Double(max(format.sampleRate, 1))
            case .frames(let run): audio += Double(run.samples) / rate
            case .title, .junk: break
            }
        }
        guard audio >= Self.seconds else { return false }
        audio = 0
        return true
    }
}
