package import Feed
package import StreamFormats

/// One track of a recording, as the cut list has it.
package struct RecordedTrack: Sendable, Hashable {
    /// Its file in the folder of the tracks; nil for one that the rules did not keep.
    package var name: String?
    /// Folders between that folder and the file.
    package var folders: [String]
    package var text: TitleText
    /// Which file of the recording it is, from 1; 0 where that is not known any more.
    package var number = 0
    /// Seconds of the recording.
    package var start: Double
    package var end: Double
    package var frames: Int64
    /// How its beginning was found; nil for the first.
    package var cut: FoundCut?
    /// The recording began, or ended, in the middle of it.
    package var isIncomplete: Bool
    /// Place of its title in the feed. Meaningless in another run.
    package var feedPosition: StreamPosition?
    /// Hash of its frames, as of a recording's.
    package var hash: UInt64?
    /// Why there is no file.
    package var refusal: String?

    package init(text: TitleText, start: Double, end: Double) {
        self.text = text
        self.start = start
        self.end = end
        folders = []
        frames = 0
        isIncomplete = false
    }
}

extension [RecordedTrack] {
    /// Seconds of the recording that they hold: with padding some are in two of them, and count once.
    package var coveredSeconds: Double {
        var (covered, reached) = (0.0, -Double.infinity)
        for track in sorted(by: { $0.start < $1.start }) where track.end > reached {
            covered += track.end - Swift.max(track.start, reached)
            reached = track.end
        }
        return covered
    }
}
