internal import Catalogue
internal import ControlAPI
internal import Feed
internal import HTTPServer
internal import HTTPWire
internal import Household
internal import Ingest
internal import JSONText
internal import MPDServer
internal import Platform
internal import Playback
internal import Reactor
internal import Recording
internal import StreamFormats
internal import TOMLText

/// The service as MPD's clients see it.
final class MPDAdapter: MPDBackend {
    private struct Shown {
        var snapshot: CatalogueSnapshot?
        var stations: [MPDEntry] = []
        var playerList: [Station] = []
        var list: [MPDEntry] = []
    }

    private let rooms: Rooms
    private let orders: PlayerOrders
    /// Entries made from the same stations as last time.
    private let shown = Lock(Shown())

    private static let favourites = "Favourites"
    private static let presets = "Presets"

    init(rooms: Rooms) {
        self.rooms = rooms
        orders = PlayerOrders(player: rooms.player, catalogue: rooms.catalogue)
    }

    // MARK: What there is

    var player: MPDPlayerView {
        let status = rooms.player.status
        var view = MPDPlayerView()
        view.volume = status.volume
        view.isMuted = status.isMuted
        view.error = status.phase == .failed ? status.reason : nil
        view.isPlaying = status.isPlaying
        if let recording = status.recording { return self.view(view, of: recording, status) }
        view.station = status.station?.id
        view.airing = status.station.flatMap { airing(of: $0.id) }
        view.elapsed = status.isPlaying ? rooms.time.wall.secondsSince1970 - status.since.secondsSince1970 : 0
        view.bitrate = status.station.flatMap(bitrate)
        view.sampleRate = status.format?.sampleRate
        view.channels = status.format?.channels
        view.list = entries(ofPlayerList: status.list)
        return view
    }

    private func view(_ plain: MPDPlayerView, of recording: PlayedRecording, _ status: PlayerStatus)
        -> MPDPlayerView
    {
        var view = plain
        let entry = library.entry(recording)
        view.station = entry.id
        view.recording = entry
        view.isPaused = status.phase == .paused
        view.elapsed = status.position(at: rooms.time.wall) ?? 0
        view.jumpedTo = status.place
        if let text = status.tunedTitle?.text {
            view.airing = MPDAiring(artist: text.artist, title: text.title ?? text.text)
        }
        return view
    }

    private func bitrate(_ station: Station) -> Int? {
        guard let position = rooms.hub.feed(id: station.id)?.position, position.seconds > 2 else {
            return station.bitrate
        }
        return Int(bounded: (Double(position.bytes) * 8 / position.seconds / 1000).rounded())
    }

    private func entries(ofPlayerList list: [Station]) -> [MPDEntry] {
        if let same = shown.withLock({ $0.playerList == list ? $0.list : nil }) { return same }
        let made = list.map { entry($0, isFavourite: rooms.catalogue.snapshot[$0.id]?.isFavourite ?? false) }
        shown.withLock { ($0.playerList, $0.list) = (list, made) }
        return made
    }

    var stations: [MPDEntry] {
        let snapshot = rooms.catalogue.snapshot
        if let same = shown.withLock({ $0.snapshot === snapshot ? $0.stations : nil }) { return same }
        let made = snapshot.visible.map(entry)
        shown.withLock { ($0.snapshot, $0.stations) = (snapshot, made) }
        return made
    }

    var firstQueue: [MPDEntry] {
        let favourites = rooms.catalogue.snapshot.favourites
        return favourites.isEmpty ? stations : favourites.map(entry)
    }

    var lists: [(name: String, entries: [MPDEntry])] {
        let snapshot = rooms.catalogue.snapshot
        let presets = snapshot.stations.filter { $0.preset != nil }.sorted { $0.preset ?? 0 < $1.preset ?? 0 }
        return [(Self.favourites, snapshot.favourites.map(entry)), (Self.presets, presets.map(entry))]
            + snapshot.groups.filter { ![Self.favourites, Self.presets].contains($0) }.map { name in
                (name, snapshot.group(name).map(entry))
            }
    }

    var outputName: String {
        if case .open(let name) = rooms.player.status.device { name } else { "aircheck" }
    }

    var uptime: Int { Int(rooms.time.now.seconds(since: rooms.startedAt)) }

    private func entry(_ station: CatalogueStation) -> MPDEntry {
        entry(station.station, isFavourite: station.isFavourite)
    }

    private func entry(_ station: Station, isFavourite: Bool) -> MPDEntry {
        let isKnown = rooms.catalogue.station(station.id) != nil
        let address = rooms.addresses.withLock { $0.listen }
        return MPDEntry(
            id: station.id, uri: isKnown ? "\(address)/\(station.id)" : station.urls.first ?? station.id,
            name: station.name, genre: station.genre, country: station.country, tags: station.tags,
            isFavourite: isFavourite)
    }

    // MARK: Recordings

    private var library: MPDRecordings {
        MPDRecordings(library: rooms.library, shelf: rooms.shelf) { [recorder = rooms.recorder] in
            recorder.running.map(\.facts)
        }
    }

    var recordings: [MPDEntry] { library.newest }

    private func hear(_ recording: PlayedRecording) {
        let place = rooms.deck.resumePlace(of: recording)
        orders.give { $0.hear(recording, from: place) }
    }

    func picture(of entry: MPDEntry) -> MPDPicture? {
        let recording = MPDRecordings.id(in: entry.id).flatMap { rooms.recordings.recording($0) }
        let id = recording?.stationID ?? entry.id
        guard let station = rooms.catalogue.station(id)?.station else { return nil }
        return rooms.artwork.pictureAtHand(of: station).map { MPDPicture(bytes: $0.bytes, type: $0.type) }
    }

    // MARK: Notes

    private static let favouriteNote = "favourite"

    /// Where a note is on the shelf; those on one entry begin with the key of an empty name.
    static func key(_ id: String, _ name: String) -> String { "\(id)\t\(name)" }

    func notes(on entry: MPDEntry) -> [(name: String, value: String)] {
        let prefix = Self.key(entry.id, "")
        let kept = rooms.shelf.all(.note, prefix: prefix).compactMap { item in
            item.value.string.map { (name: String(item.key.dropFirst(prefix.count)), value: $0) }
        }
        return (entry.isFavourite ? [(Self.favouriteNote, "1")] : []) + kept
    }

    func note(_ name: String, _ value: String?, on entry: MPDEntry) throws(MPDFailure) {
        if name == Self.favouriteNote { return try mark(entry, value.map { $0 != "0" } ?? false) }
        let key = Self.key(entry.id, name)
        if let value {
            rooms.shelf.put(.note, key, .string(value))
        } else {
            _ = rooms.shelf.remove(.note, key)
        }
    }

    private func mark(_ entry: MPDEntry, _ isFavourite: Bool) throws(MPDFailure) {
        guard let id = MPDRecordings.id(in: entry.id) else {
            return try apply(.favourite(try adopted(entry), isFavourite))
        }
        rooms.shelf.change(.mark, id) { before in
            .object(
                (before?.members ?? []).filter { $0.key != "starred" } + [
                    .init("starred", .bool(isFavourite))
                ])
        }
        rooms.events.publish(
            "listening",
            ["id": .string(id), "listening": ListeningRoutes.listening(RecordingID(id), rooms)])
    }

    func noted(_ name: String) -> [(entry: MPDEntry, value: String)] {
        if name == Self.favouriteNote {
            return (rooms.catalogue.snapshot.favourites.map(entry) + library.starred).map { ($0, "1") }
        }
        return rooms.shelf.all(.note).compactMap { item in
            let parts = item.key.split(separator: "\t", maxSplits: 1)
            guard parts.count == 2, parts[1] == name, let value = item.value.string,
                let entry = entry(for: String(parts[0]))
            else { return nil }
            return (entry, value)
        }
    }

    func entry(for uri: String) -> MPDEntry? {
        if let id = MPDRecordings.id(in: uri) { return rooms.recordings.recording(id).map(library.entry) }
        if let station = rooms.catalogue.station(ownID(uri) ?? uri) { return entry(station) }
        guard PlayerOrders.isAddress(uri) else { return nil }
        let known = rooms.catalogue.snapshot.stations.first { $0.station.urls.contains(uri) }
        return known.map(entry) ?? entry(PlayerOrders.station(at: uri), isFavourite: false)
    }

    /// The id in an address of ours.
    private func ownID(_ uri: String) -> String? {
        let address = rooms.addresses.withLock { $0 }
        for base in [address.listen, address.control] where !base.isEmpty && uri.hasPrefix(base + "/") {
            return String(uri.dropFirst(base.count + 1))
        }
        return nil
    }

    func searchDirectory(_ words: String, limit: Int) -> [MPDEntry] {
        var query = StationQuery(words)
        query.limit = min(limit, StationQuery.largestLimit)
        let found = (try? rooms.catalogue.search(query)) ?? []
        return found.filter { $0.origin == .directory }.map(entry)
    }

    func airing(of station: String) -> MPDAiring? {
        let status = rooms.player.status
        let mark = status.station?.id == station ? status.tunedTitle : rooms.hub.feed(id: station)?.nowAiring
        guard let text = mark?.text, text.kind != .none, !text.text.isEmpty else { return nil }
        return MPDAiring(artist: text.artist, title: text.title ?? text.text)
    }

    // MARK: What is asked for

    func perform(_ order: MPDOrder) {
        switch order {
        case .tune(let entry, let list):
            if let id = MPDRecordings.id(in: entry.id) {
                if let recording = rooms.recordings.recording(id) { hear(recording) }
                return
            }
            guard let station = station(entry) else { return }
            orders.give { $0.tune(station, among: list.compactMap(self.station)) }
        case .resume: orders.give { $0.play() }
        case .pause: orders.give { $0.pause() }
        case .seek(let seconds): orders.give { $0.seek(to: seconds) }
        case .stop: orders.give { $0.stop() }
        case .next: orders.give { $0.next() }
        case .previous: orders.give { $0.previous() }
        case .volume(let percent): orders.give { $0.setVolume(percent) }
        case .mute(let isMuted): orders.give { $0.setMuted(isMuted) }
        }
    }

    private func station(_ entry: MPDEntry) -> Station? {
        if let station = rooms.catalogue.station(entry.id)?.station { return station }
        return PlayerOrders.isAddress(entry.uri) ? PlayerOrders.station(at: entry.uri) : nil
    }

    func rescan() { rooms.catalogue.reload() }

    func permissions(password: String, peer: String) -> MPDPermissions? {
        guard let address = PeerAddress(text: peer) ?? PeerAddress(text: "127.0.0.1"),
            case .role(let role) = rooms.callers.verdict(on: .bearer(token: password), from: address)
        else { return nil }
        return Self.permissions(of: role)
    }

    static func permissions(of role: AccessRole) -> MPDPermissions {
        switch role {
        case .anyone, .listener: []
        case .viewer: .read
        case .operator: [.read, .add, .player, .control]
        case .admin: [.read, .add, .player, .control, .admin]
        }
    }

    // MARK: Stored lists

    func change(_ change: MPDListChange) throws(MPDFailure) {
        switch change {
        case .save(let name, let entries): for entry in entries { try append(entry, to: name) }
        case .remove(let name): try remove(name)
        case .rename(let name, let other): try rename(name, to: other)
        case .append(let name, let entry): try append(entry, to: name)
        case .delete(let name, let entry): try delete(entry, from: name)
        case .move(let name, let entry, let place): try move(entry, in: name, to: place)
        }
    }

    private func append(_ entry: MPDEntry, to name: String) throws(MPDFailure) {
        let id = try adopted(entry)
        switch name {
        case Self.favourites: try apply(.favourite(id, true))
        case Self.presets:
            let taken = Set(rooms.catalogue.snapshot.stations.compactMap(\.preset))
            guard let free = (1...9).first(where: { !taken.contains($0) }) else {
                throw MPDFailure(.playlistMax, "Playlist is too large")
            }
            try apply(.preset(free, id))
        default:
            let groups = rooms.catalogue.snapshot[id]?.station.groups ?? []
            if !groups.contains(name) { try set(groups + [name], of: id) }
        }
    }

    private func delete(_ entry: MPDEntry, from name: String) throws(MPDFailure) {
        guard let station = rooms.catalogue.snapshot[entry.id] else {
            throw MPDFailure(.noExist, "No such song")
        }
        switch name {
        case Self.favourites: try apply(.favourite(station.id, false))
        case Self.presets: if let number = station.preset { try apply(.preset(number, nil)) }
        default: try set(station.station.groups.filter { $0 != name }, of: station.id)
        }
    }

    private func remove(_ name: String) throws(MPDFailure) {
        try checkIsGroup(name)
        for station in rooms.catalogue.snapshot.group(name) {
            try set(station.station.groups.filter { $0 != name }, of: station.id)
        }
    }

    private func rename(_ name: String, to other: String) throws(MPDFailure) {
        try checkIsGroup(name)
        for station in rooms.catalogue.snapshot.group(name) {
            try set(station.station.groups.map { $0 == name ? other : $0 }, of: station.id)
        }
    }

    private func move(_ entry: MPDEntry, in name: String, to place: Int) throws(MPDFailure) {
        guard name == Self.favourites else {
            throw MPDFailure(.system, "only Favourites have an order of their own")
        }
        try apply(.moveFavourite(entry.id, place))
    }

    private func checkIsGroup(_ name: String) throws(MPDFailure) {
        guard ![Self.favourites, Self.presets].contains(name) else {
            throw MPDFailure(.permission, "\(name) can be emptied, not removed or renamed")
        }
    }

    /// The id of a station that the catalogue has, or has from now on.
    private func adopted(_ entry: MPDEntry) throws(MPDFailure) -> String {
        if rooms.catalogue.station(entry.id) != nil { return entry.id }
        guard let station = station(entry) else { throw MPDFailure(.noExist, "No such song") }
        try apply(.add(StationEntry(station)))
        return station.id
    }

    private func set(_ groups: [String], of id: String) throws(MPDFailure) {
        let place = TOMLPosition(line: 1, column: 1)
        let value = TOMLValue(.texts(groups), at: place)
        try apply(.edit(id, set: [TOMLEntry("groups", at: place, value)], clear: []))
    }

    private func apply(_ change: CatalogueChange) throws(MPDFailure) {
        do {
            try rooms.catalogue.apply(change)
        } catch {
            throw MPDFailure(.system, "\(error)")
        }
    }
}
