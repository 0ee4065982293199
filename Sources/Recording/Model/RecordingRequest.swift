package import Feed
package import Platform

/// What is to be recorded, and to where.
package struct RecordingRequest: Sendable {
    /// Where the audio goes.
    package enum Target: Sendable, Hashable {
        /// Exactly this file, from the first byte of audio on.
        case whole(path: String)
        /// A file below this folder, named by the template once the first audio has come; `NAME.EXT.part` until finished.
        case library(folder: String, template: NameTemplate)
    }

    /// How long it goes on.
    package enum Limit: Sendable, Hashable {
        /// Until somebody stops it.
        case open
        /// So many seconds after the first audio, by the clock that never steps.
        case seconds(Double)
        /// Until the wall clock says so.
        case until(WallTime)
    }

    /// One file, or none when only `tracks` are wanted.
    package var target: Target?
    /// A file per track, beside the whole or alone.
    package var tracks: TrackRequest?
    package var start: FeedStart
    /// When what is recorded began, if that is known to lie in the past; for its name. Nil: now.
    package var since: WallTime?
    package var limit: Limit
    /// Seconds without any audio at all after which it is given up; nil waits until the limit.
    package var giveUpSeconds: Double?
    /// Replaces a file that is there; otherwise such a `whole` path is an error.
    package var overwrite: Bool
    /// Retention never deletes it.
    package var keep: Bool
    /// Name of the programme, for file names and tags.
    package var show: String?
    /// A recording that was interrupted: this one goes on with it, under its id and beside its files.
    package var continuing: RecordingFacts?
    /// Who asked: the id of a schedule entry.
    package var origin: String?
    /// A logger: the recording goes on in another file at every round time. Goes with a library target alone.
    package var log: LogRequest?

    package init(target: Target?, tracks: TrackRequest? = nil) {
        self.target = target
        self.tracks = tracks
        start = .live
        limit = .open
        overwrite = false
        keep = false
    }
}

/// A file per track in a folder of its own.
package struct TrackRequest: Sendable, Hashable {
    /// Must exist; the template's folders are made in it.
    package var folder: String
    package var template: NameTemplate
    package var rules: TrackRules
    /// Bytes kept in front of an MP3 track for its tag.
    package var tagBytes = 8 << 10
    /// If set, only the track whose title came at this place of the feed is kept, and then the recording is over.
    package var only: StreamPosition?

    package init(folder: String, template: NameTemplate = .track, rules: TrackRules = TrackRules()) {
        self.folder = folder
        self.template = template
        self.rules = rules
    }
}

/// Names one recording for good: `20261130T075500-demo-7f3k2a`.
package struct RecordingID: Sendable, Hashable, CustomStringConvertible {
    package var text: String

    package init(_ text: String) { self.text = text }

    package var description: String { text }

    /// A new one: it sorts by time, and two started in the same second differ.
    package static func new(station: String, wall: WallTime) -> Self {
        let stamp = LocalTime.iso(wall).filter { $0 != "-" && $0 != ":" && $0 != "Z" }
        let chance = String(UInt32.random(in: 0..<(36 * 36 * 36 * 36 * 36)), radix: 36)
        return Self("\(stamp)-\(station)-\(chance)")
    }
}
