/// How much faster than recorded a recording may be played; a voice that is stretched further is not understood any more.
package enum PlaybackSpeed {
    package static let range = 0.5...3.0
    /// The range, for people.
    package static let text = "0.5 to 3"

    /// The nearest speed that there is; as recorded for what is no number.
    package static func clamped(_ speed: Double) -> Double {
        speed.isNaN ? 1 : min(max(speed, range.lowerBound), range.upperBound)
    }
}
