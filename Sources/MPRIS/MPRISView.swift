/// The player at one moment, as a desktop shows it. Live has neither position nor length; a recording has both.
package struct MPRISView: Sendable, Hashable {
    /// It sounds, or is getting its station back.
    package var isPlaying = false
    /// The tuned station, also while stopped.
    package var station: String?
    package var artist: String?
    package var title: String?
    package var genre: String?
    /// Where the station is heard.
    package var url: String?
    /// A picture of the station.
    package var logo: String?
    /// What is played is a recording.
    package var recording: Recording?
    /// 0…100.
    package var volume = 100
    /// There is another station to skip to.
    package var canSkip = false
    /// `Pause` stops, and says that it can.
    package var pauses = false

    package init() {}

    /// What a recording has and live has not. Microseconds, as the bus counts.
    package struct Recording: Sendable, Hashable {
        package var isPaused: Bool
        package var length: Int64
        package var position: Int64
        /// How much faster than recorded.
        package var rate: Double
        /// The slowest and the fastest that there is.
        package var rates: ClosedRange<Double>

        package init(
            isPaused: Bool, length: Int64, position: Int64, rate: Double, rates: ClosedRange<Double>
        ) {
            self.rates = rates
            self.isPaused = isPaused
            self.length = length
            self.position = position
            self.rate = rate
        }
    }
}

/// What a desktop asks the player for.
package enum MPRISOrder: Sendable, Hashable {
    case play
    case stop
    /// Of a recording.
    case pause
    /// To a place of a recording, microseconds.
    case position(Int64)
    /// How fast a recording is played.
    case rate(Double)
    case next
    case previous
    /// 0…100.
    case volume(Int)
    /// An address to tune to.
    case open(String)
}
