package import Platform

/// A recording as a podcast app sees it.
package struct PodcastEpisode: Sendable, Hashable {
    /// Part of an episode: what aired from then on.
    package struct Chapter: Sendable, Hashable {
        /// Seconds from the start.
        package var start: Double
        package var title: String

        package init(start: Double, title: String) {
            self.start = start
            self.title = title
        }
    }

    /// What podcast apps know it by.
    package var id: String
    /// The recording's id.
    package var recording: String
    /// Which of several files of the recording this is, from 1; nil where there is one. An episode has one file: of a
    /// recording of several each is an episode.
    package var file: Int?
    package var title: String
    package var summary: String
    package var published: WallTime
    package var seconds: Double
    package var bytes: Int64
    /// Of the sound: `audio/mpeg`.
    package var type: String
    package var chapters: [Chapter]
    /// A transcript lies beside it.
    package var captionsType: String?

    package init(
        recording: String, file: Int? = nil, title: String, summary: String, published: WallTime,
        seconds: Double, bytes: Int64, type: String, chapters: [Chapter] = [], captionsType: String? = nil
    ) {
        self.recording = recording
        self.file = file
        // The first keeps the name that it had while it was the only one.
        id = file.map { $0 > 1 ? "\(recording).\($0)" : recording } ?? recording
        self.title = title
        self.summary = summary
        self.published = published
        self.seconds = seconds
        self.bytes = bytes
        self.type = type
        self.chapters = chapters
        self.captionsType = captionsType
    }
}

/// A show: recordings of one rule, or of one station.
package struct PodcastShow: Sendable, Hashable {
    /// `show:NAME` or `station:ID`.
    package var key: String
    package var title: String
    package var station: String
    package var genre: String?
    package var language: String?
    /// What somebody wrote about it.
    package var about: String?
    /// The id of its station where the service has a picture of that.
    package var pictured: String?
    /// Newest first.
    package var episodes: [PodcastEpisode]

    package init(
        key: String, title: String, station: String, genre: String? = nil, language: String? = nil,
        about: String? = nil, pictured: String? = nil, episodes: [PodcastEpisode]
    ) {
        self.pictured = pictured
        self.key = key
        self.title = title
        self.station = station
        self.genre = genre
        self.language = language
        self.about = about
        self.episodes = episodes
    }
}
