/// The player at one moment, as a desktop shows it. Live has neither position nor length.
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
    /// 0…100.
    package var volume = 100
    /// There is another station to skip to.
    package var canSkip = false
    /// `Pause` stops, and says that it can.
    package var pauses = false

    package init() {}
}

/// What a desktop asks the player for.
package enum MPRISOrder: Sendable, Hashable {
    case play
    case stop
    case next
    case previous
    /// 0…100.
    case volume(Int)
    /// An address to tune to.
    case open(String)
}
