internal import Catalogue
internal import Configuration
internal import Feed
internal import Glibc
internal import HomeNetwork
internal import HTTPWire
internal import Ingest
internal import Platform
internal import Recording
internal import Scheduling
internal import StreamFormats

/// The catalogue, the library and the schedules as devices in the house are shown them.
struct HomeShelves: HomeContents {
    let rooms: Rooms

    private var showsRecordings: Bool { rooms.configuration.home.recordings }
    private var encodes: Bool { rooms.configuration.relay.maxEncoders > 0 }

    // MARK: Stations

    func stations() -> [HomeStation] { rooms.catalogue.snapshot.visible.map(shown) }

    func favourites() -> [HomeStation] { rooms.catalogue.snapshot.favourites.map(shown) }

    private func shown(_ entry: CatalogueStation) -> HomeStation {
        let station = entry.station
        // What it really sends wins over what is told of it.
        let heard = rooms.hub.feed(id: station.id)?.format?.codec.rawValue
        return HomeStation(
            id: station.id, name: station.name, groups: station.groups, genre: station.genre,
            country: station.country.map { CountryNames.name(of: $0) ?? $0 },
            logo: station.logo.flatMap { $0.hasPrefix("http") ? $0 : nil },
            isFavourite: entry.isFavourite, codec: heard ?? station.codec, bitrate: station.bitrate,
            hasMP3: encodes)
    }

    func updateNumber() -> UInt32 {
        var hash = Hasher()
        hash.combine(rooms.catalogue.snapshot.stations)
        if showsRecordings { hash.combine((try? rooms.library.summaries(limit: 1))?.first?.id.text) }
        return UInt32(truncatingIfNeeded: hash.finalize() & 0x7FFF_FFFF)
    }

    // MARK: Recordings

    func recordings(limit: Int) -> [HomeRecording] {
        guard showsRecordings else { return [] }
        return ((try? rooms.library.summaries(limit: limit)) ?? []).compactMap(shown)
    }

    func recording(_ id: String) -> HomeRecording? {
        guard showsRecordings else { return nil }
        return (try? rooms.library.recording(RecordingID(id)))?.map(RecordingSummary.init).flatMap(shown)
    }

    private func shown(_ facts: RecordingSummary) -> HomeRecording? {
        guard facts.state == .finished || facts.state == .interrupted, let name = facts.fileName else {
            return nil
        }
        let when = LocalTime.text(facts.started, pattern: "%Y-%m-%d %H:%M")
        return HomeRecording(
            id: facts.id.text, title: "\(facts.show ?? facts.stationName), \(when)",
            station: facts.stationID, stationName: facts.stationName, started: facts.started,
            seconds: facts.seconds, bytes: facts.bytes,
            fileExtension: name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? "audio",
            mediaType: MediaType.forFile(name))
    }

    func open(recording id: String) -> HomeFile? {
        guard showsRecordings, let facts = try? rooms.library.recording(RecordingID(id)),
            let path = facts.path
        else { return nil }
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        fstat(descriptor, &status)
        return HomeFile(
            descriptor: descriptor, bytes: Int64(status.st_size), mediaType: MediaType.forFile(path),
            seconds: facts.seconds)
    }

    // MARK: The guide

    func programmes(from: WallTime, to: WallTime) -> [HomeProgramme] {
        XMLTVGuide.merged(
            firm: recorded(from: from, to: to) + planned(until: to), loose: heard(from: from))
    }

    private func recorded(from: WallTime, to: WallTime) -> [HomeProgramme] {
        recordings(limit: 1000).filter { $0.started > from && $0.started < to }.map { recording in
            HomeProgramme(
                station: recording.station, start: recording.started,
                stop: recording.started.advanced(bySeconds: max(recording.seconds, 1)),
                title: recording.title, recording: recording)
        }
    }

    private func planned(until: WallTime) -> [HomeProgramme] {
        let now = rooms.time.wall
        var found: [HomeProgramme] = []
        for entry in rooms.schedules.book.entries where entry.isEnabled {
            guard let zone = try? rooms.schedules.zones.zone(entry.zone),
                let occurrences = try? Occurrences(entry, in: zone).between(now, until, limit: 100)
            else { continue }
            found += occurrences.compactMap { occurrence in
                guard let end = occurrence.end, occurrence.start > now else { return nil }
                return HomeProgramme(
                    station: entry.station, start: occurrence.start, stop: end,
                    title: entry.name ?? rooms.catalogue.station(entry.station)?.name ?? entry.station,
                    about: entry.action == .play ? "Will be played" : "Will be recorded")
            }
        }
        return found
    }

    /// Longest time that one title is taken to have been on for, in seconds: nobody listened after that.
    private static let longestTitle = 900.0

    /// What the log of titles says of the last day: each until the next one of its station.
    private func heard(from: WallTime) -> [HomeProgramme] {
        var query = AirplayQuery()
        query.from = max(from, rooms.time.wall.advanced(bySeconds: -86_400))
        query.kinds = [.track, .talk]
        query.limit = AirplayQuery.largestLimit
        let airings = ((try? rooms.airplay.search(query)) ?? []).reversed()
        var found: [HomeProgramme] = []
        for (_, airings) in Dictionary(grouping: airings, by: \.station) {
            for (airing, next) in zip(airings, airings.dropFirst().map(\.at) + [rooms.time.wall]) {
                let end = min(next, airing.at.advanced(bySeconds: Self.longestTitle))
                found.append(
                    HomeProgramme(
                        station: airing.station, start: airing.at, stop: end, title: airing.title.text))
            }
        }
        return found
    }
}
