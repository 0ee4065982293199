/// A station or a recording, as clients see a song.
package struct MPDEntry: Sendable, Hashable {
    /// The catalogue's id.
    package var id: String
    /// What clients take it by: where this service relays it, or the address that somebody gave.
    package var uri: String
    package var name: String
    package var genre: String?
    /// ISO 3166-1, as the catalogue has it.
    package var country: String?
    package var tags: [String]
    package var isFavourite: Bool
    /// What is not live: a recording has a title of its own and an end.
    package var recording: Recording?

    package struct Recording: Sendable, Hashable {
        package var title: String
        /// Seconds.
        package var duration: Double
        /// The day it was made, `2026-11-30`.
        package var date: String

        package init(title: String, duration: Double, date: String) {
            self.title = title
            self.duration = duration
            self.date = date
        }
    }

    package init(
        id: String, uri: String, name: String, genre: String? = nil, country: String? = nil,
        tags: [String] = [], isFavourite: Bool = false, recording: Recording? = nil
    ) {
        self.recording = recording
        self.id = id
        self.uri = uri
        self.name = name
        self.genre = genre
        self.country = country
        self.tags = tags
        self.isFavourite = isFavourite
    }
}

/// What is on, in the parts that clients show.
package struct MPDAiring: Sendable, Hashable {
    package var artist: String?
    package var title: String

    package init(artist: String?, title: String) {
        self.artist = artist
        self.title = title
    }
}
