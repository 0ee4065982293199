package import Platform

/// One station as devices in the house are shown it.
package struct HomeStation: Sendable, Hashable {
    /// The station's id, which is its mount.
    package var id: String
    package var name: String
    package var groups: [String]
    package var genre: String?
    package var country: String?
    /// An http or https address of a picture.
    package var logo: String?
    package var about: String?
    package var isFavourite: Bool
    /// What it sends, where that is known: `mp3`, `aac`.
    package var codec: String?
    /// kbit/s.
    package var bitrate: Int?
    /// It has a mount that is MP3 whatever it sends: its id and `.mp3`.
    package var hasMP3: Bool

    package init(
        id: String, name: String, groups: [String] = [], genre: String? = nil, country: String? = nil,
        logo: String? = nil, about: String? = nil, isFavourite: Bool = false, codec: String? = nil,
        bitrate: Int? = nil, hasMP3: Bool = true
    ) {
        self.id = id
        self.name = name
        self.groups = groups
        self.genre = genre
        self.country = country
        self.logo = logo
        self.about = about
        self.isFavourite = isFavourite
        self.codec = codec
        self.bitrate = bitrate
        self.hasMP3 = hasMP3
    }
}

/// One finished recording.
package struct HomeRecording: Sendable, Hashable {
    package var id: String
    package var title: String
    package var station: String
    package var stationName: String
    package var started: WallTime
    package var seconds: Double
    package var bytes: Int64
    /// With its dot left out: `mp3`.
    package var fileExtension: String
    package var mediaType: String

    package init(
        id: String, title: String, station: String, stationName: String, started: WallTime, seconds: Double,
        bytes: Int64, fileExtension: String, mediaType: String
    ) {
        self.id = id
        self.title = title
        self.station = station
        self.stationName = stationName
        self.started = started
        self.seconds = seconds
        self.bytes = bytes
        self.fileExtension = fileExtension
        self.mediaType = mediaType
    }

    /// Where it is heard, on the address of the mounts.
    package var path: String { "/iptv/recording/\(id).\(fileExtension)" }
}

/// Something on a station from one moment to another: planned, recorded, or logged.
package struct HomeProgramme: Sendable, Hashable {
    package var station: String
    package var start: WallTime
    package var stop: WallTime
    package var title: String
    package var about: String?
    /// The recording of it, where there is one.
    package var recording: HomeRecording?

    package init(
        station: String, start: WallTime, stop: WallTime, title: String, about: String? = nil,
        recording: HomeRecording? = nil
    ) {
        self.station = station
        self.start = start
        self.stop = stop
        self.title = title
        self.about = about
        self.recording = recording
    }
}

/// A file to be sent.
package struct HomeFile: Sendable {
    /// Open for reading; whoever gets it closes it.
    package var descriptor: Int32
    package var bytes: Int64
    package var mediaType: String
    package var seconds: Double

    package init(descriptor: Int32, bytes: Int64, mediaType: String, seconds: Double) {
        self.descriptor = descriptor
        self.bytes = bytes
        self.mediaType = mediaType
        self.seconds = seconds
    }
}

/// Where all of it comes from: the catalogue, the library and the schedules in the service. Any thread; may take some
/// milliseconds, so it is asked on threads of the API's kind, never on a loop.
package protocol HomeContents: Sendable {
    /// What lists show, in the order of the files; favourites are marked.
    func stations() -> [HomeStation]
    /// Favourites in the order that people gave them.
    func favourites() -> [HomeStation]
    /// Finished recordings that have a file, newest first.
    func recordings(limit: Int) -> [HomeRecording]
    func recording(_ id: String) -> HomeRecording?
    func open(recording id: String) -> HomeFile?
    /// What is known of the time between two moments, of all stations, in any order.
    func programmes(from: WallTime, to: WallTime) -> [HomeProgramme]
    /// Another one after every change of stations and recordings.
    func updateNumber() -> UInt32
}
