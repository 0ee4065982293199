/// Brings what is played to one loudness: stations by what was learned of them, recordings by what was measured.
package enum Levelling {
    /// Aimed at, LUFS: what most players and the streaming services level to.
    private static let target = -16.0
    /// Nothing is moved further than this, dB: raised more, its noise would be heard.
    private static let range = -20.0...9.0

    /// dB that bring what is so loud, integrated LUFS, to the loudness of everything else.
    package static func lift(from loudness: Double) -> Double {
        min(max(target - loudness, range.lowerBound), range.upperBound)
    }
}
