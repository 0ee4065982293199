/// The tags that a client wants to be told. Pure.
struct MPDTagSet: Sendable, Hashable {
    /// The tags that a station or a recording has, in the order in which they are written.
    static let known = ["Title", "Artist", "Name", "Genre", "Date"]

    private(set) var enabled = Set(known)

    func contains(_ tag: String) -> Bool { enabled.contains(tag) }

    mutating func clear() { enabled = [] }
    mutating func all() { enabled = Set(Self.known) }

    mutating func change(_ tags: [String], enables: Bool) throws(MPDFailure) {
        guard !tags.isEmpty else { throw MPDFailure(.argument, "Not enough arguments") }
        for tag in tags {
            guard let canonical = Self.canonical(tag) else {
                throw MPDFailure(.argument, "Unknown tag type")
            }
            // Tags of music files are known and never there.
            guard Self.known.contains(canonical) else { continue }
            if enables { enabled.insert(canonical) } else { enabled.remove(canonical) }
        }
    }

    /// A tag's name as it is written, whatever case it came in; nil where the protocol has none of that name.
    static func canonical(_ tag: String) -> String? {
        protocolTags.first { $0.lowercased() == tag.lowercased() }
    }

    private static let protocolTags = [
        "Artist", "ArtistSort", "Album", "AlbumSort", "AlbumArtist", "AlbumArtistSort", "Title", "TitleSort",
        "Track", "Name", "Genre", "Mood", "Date", "OriginalDate", "Composer", "ComposerSort", "Performer",
        "Conductor", "Work", "Ensemble", "Movement", "MovementNumber", "Location", "Grouping", "Comment",
        "Disc", "Label", "MUSICBRAINZ_ARTISTID", "MUSICBRAINZ_ALBUMID", "MUSICBRAINZ_ALBUMARTISTID",
        "MUSICBRAINZ_TRACKID", "MUSICBRAINZ_RELEASETRACKID", "MUSICBRAINZ_WORKID",
    ]
}
