/// The player at one moment, as clients are told. A live station has neither length nor position; `elapsed` is the time
/// since it was joined. Of a recording it is the place.
package struct MPDPlayerView: Sendable, Hashable {
    package var isPlaying = false
    /// A recording stands still.
    package var isPaused = false
    /// The id of the tuned station, or of the recording in its place, also while stopped.
    package var station: String?
    /// The recording, if it is one.
    package var recording: MPDEntry?
    package var airing: MPDAiring?
    /// Seconds.
    package var elapsed = 0.0
    /// Where the recording was last sought to, paused or begun: a client that counts by itself must know.
    package var jumpedTo: Double?
    /// kbit/s.
    package var bitrate: Int?
    package var sampleRate: Int?
    package var channels: Int?
    /// 0…100.
    package var volume = 100
    package var isMuted = false
    /// Why it does not play, when that is not by wish.
    package var error: String?
    /// What next and previous walk.
    package var list: [MPDEntry] = []

    package init() {}
}

/// What a client asks the player for.
package enum MPDOrder: Sendable, Hashable {
    case tune(MPDEntry, among: [MPDEntry])
    /// Go on with a recording where it stands.
    case resume
    /// Of a recording; live has no pause.
    case pause
    /// To this second of the recording.
    case seek(Double)
    case stop
    case next
    case previous
    case volume(Int)
    case mute(Bool)
}

/// A change of a stored list: the favourites, the presets, or a group of stations.
package enum MPDListChange: Sendable, Hashable {
    /// Makes a list of these stations, under a name that is free.
    case save(String, [MPDEntry])
    case remove(String)
    case rename(String, to: String)
    case append(String, MPDEntry)
    case delete(String, MPDEntry)
    case move(String, MPDEntry, to: Int)
}

/// What a client may do; a word of the protocol each.
package struct MPDPermissions: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let read = MPDPermissions(rawValue: 1)
    package static let add = MPDPermissions(rawValue: 2)
    package static let player = MPDPermissions(rawValue: 4)
    package static let control = MPDPermissions(rawValue: 8)
    package static let admin = MPDPermissions(rawValue: 16)
}

/// What the door needs of the service behind it. All functions are called on the door's own thread; they may take
/// milliseconds, and nobody but other clients of the door waits meanwhile.
package protocol MPDBackend: Sendable {
    var player: MPDPlayerView { get }
    /// Stations of one's own, in the catalogue's order.
    var stations: [MPDEntry] { get }
    /// The queue of a service that has played nothing yet.
    var firstQueue: [MPDEntry] { get }
    /// The stored lists by name, with their stations in order.
    var lists: [(name: String, entries: [MPDEntry])] { get }
    /// Where sound goes.
    var outputName: String { get }
    /// Seconds since the start of the service.
    var uptime: Int { get }
    /// The station that a client means: an id, an address of ours, or a stream's address. Nil for what is neither.
    func entry(for uri: String) -> MPDEntry?
    /// Stations of the directory that fit these words.
    func searchDirectory(_ words: String, limit: Int) -> [MPDEntry]
    /// Recordings, the newest first.
    var recordings: [MPDEntry] { get }
    /// The picture of a station or of a recording's station, if it is at hand; one that is not is fetched for next time.
    func picture(of entry: MPDEntry) -> MPDPicture?
    /// What clients have noted about a song, by name; `favourite` is the service's own mark.
    func notes(on entry: MPDEntry) -> [(name: String, value: String)]
    /// Notes something, or takes the note away with nil.
    func note(_ name: String, _ value: String?, on entry: MPDEntry) throws(MPDFailure)
    /// Everything that has a note of this name.
    func noted(_ name: String) -> [(entry: MPDEntry, value: String)]
    /// What a station airs, where it is known.
    func airing(of station: String) -> MPDAiring?
    /// Gives the order and waits until it shows, a moment at most.
    func perform(_ order: MPDOrder)
    func change(_ change: MPDListChange) throws(MPDFailure)
    /// Reads the station files again.
    func rescan()
    /// What this password opens; nil for a wrong one. `peer` is the address that wrong ones are counted by.
    func permissions(password: String, peer: String) -> MPDPermissions?
}
