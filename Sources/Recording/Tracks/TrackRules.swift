/// How a programme is taken apart into tracks.
package struct TrackRules: Sendable, Hashable {
    /// What happens with a track that is there already, by name.
    package enum Repeats: String, Sendable, Hashable, CaseIterable {
        /// Every take is kept, as `NAME (2)`.
        case version
        /// The longest complete take stays.
        case longest
        /// The first take stays.
        case skip
    }

    /// A piece shorter than this belongs to its neighbour: an ident of three seconds is no track.
    package var leastPieceSeconds = 10.0
    /// A title that comes back within this time was never gone.
    package var returnSeconds = 30.0
    /// How far from where the metadata says a silence is looked for, to both sides.
    package var searchSeconds = 6.0
    /// Audio around the track that goes into its file too, and into the neighbour's.
    package var paddingSeconds = 0.0
    /// Seconds from a title to the music that it names, where the station's entry says it; nil: as silences show.
    package var titleOffset: Double?
    /// Shorter tracks are not kept; 0 keeps all.
    package var leastSeconds = 0.0
    /// Longer ones neither; nil keeps all.
    package var mostSeconds: Double?
    /// Whether the track that was running when the recording began, or ended, is kept.
    package var keepsIncomplete = true
    package var repeats = Repeats.version
    /// If not empty, only tracks whose title holds one of these are kept. Case does not matter.
    package var wished: [String] = []
    /// Tracks whose title holds one of these are not kept.
    package var ignored: [String] = []

    package init() {}

    /// Why a finished track is not kept; nil keeps it.
    func refusal(title: String, seconds: Double, isComplete: Bool) -> String? {
        if seconds < leastSeconds { return "shorter than \(leastSeconds) s" }
        if let mostSeconds, seconds > mostSeconds { return "longer than \(mostSeconds) s" }
        if !isComplete, !keepsIncomplete { return "incomplete" }
        let text = title.lowercased()
        if ignored.contains(where: { text.contains($0.lowercased()) }) { return "on the ignore list" }
        if !wished.isEmpty, !wished.contains(where: { text.contains($0.lowercased()) }) {
            return "not on the wish list"
        }
        return nil
    }
}
