internal import Feed
internal import StreamFormats

/// The songs among a feed's titles, by the rules that tracks are cut by: an ident in mid song is none, and a title that
/// comes back was never gone.
struct SongHistory {
    struct Song: Sendable, Hashable {
        var text: TitleText
        /// Of its first title.
        var position: StreamPosition
    }

    /// Oldest first.
    let songs: [Song]

    /// - Parameter edge: the live edge, seconds.
    init(_ marks: [TitleMark], edge: Double, rules: TrackRules) {
        var planner = TrackPlanner(rules: rules)
        var found: [Song] = []
        for mark in marks {
            if found.isEmpty { found.append(Song(text: mark.text, position: mark.position)) }
            Self.advance(&planner, to: mark.position.seconds, &found)
            planner.title(mark.text, at: mark.position.seconds, feedPosition: mark.position)
        }
        Self.advance(&planner, to: edge, &found)
        // Who asks in the first seconds of a song means this song.
        if let awaited = planner.awaited, awaited.text.kind == .track, let song = Self.song(awaited) {
            found.append(song)
        }
        let tracks = found.filter { $0.text.kind == .track }
        songs = tracks.isEmpty ? found : tracks
    }

    private static func advance(_ planner: inout TrackPlanner, to seconds: Double, _ found: inout [Song]) {
        let changes = planner.advance(to: seconds)
        if let renaming = planner.takeRenaming().flatMap(song), !found.isEmpty {
            found[found.count - 1] = renaming
        }
        found += changes.compactMap(song)
    }

    private static func song(_ change: TrackPlanner.Change) -> Song? {
        change.feedPosition.map { Song(text: change.text, position: $0) }
    }
}
