internal import Catalogue
internal import ControlAPI
internal import JSONText
internal import Platform
internal import Playback
internal import StreamFormats

/// Plays a smart dial: gathers what is known, asks the rules, and tunes. It never leaves a track on its own; only a new
/// title on the station that plays, or a thumb down, moves it.
final class DialRunner: Sendable {
    private struct State {
        var dial: Int64?
        var pilot = DialPilot()
    }

    private let rooms: Rooms
    private let scout: StationScout
    private let state = Lock(State())

    /// Days of the log that count, and rows of it that are looked at.
    private static let days = 30.0
    private static let mostRows = 2000
    /// Stations of a genre that are looked at.
    private static let mostOfGenre = 60

    init(rooms: Rooms, scout: StationScout) {
        self.rooms = rooms
        self.scout = scout
    }

    /// Follows titles, and the player: whoever tunes by hand has switched the dial off.
    func start() {
        rooms.airingNews.follow { [weak self] news in self?.aired(news) }
        rooms.playerNews.follow { [weak self] status in self?.playerChanged(status) }
    }

    // MARK: Facts

    /// The choices of a dial, best first. Blocks: it asks the log.
    func choices(_ dial: SmartDial) throws -> [DialChoice] {
        scout.ask()
        let thumbs = rooms.thumbs.all
        let candidates = try candidates(dial, thumbs)
        return DialRules(dial, thumbs: thumbs, candidates: candidates).choices(candidates)
    }

    private func candidates(_ dial: SmartDial, _ thumbs: [Thumb]) throws -> [DialCandidate] {
        let plays = try plays(dial.seed)
        let snapshot = rooms.catalogue.snapshot
        var ids = Set(snapshot.favourites.map(\.id)).union(plays.keys).union(thumbs.map(\.station))
        switch dial.seed {
        case .stations(let chosen): ids.formUnion(chosen)
        case .genre(let genre):
            var query = StationQuery()
            query.tag = genre
            query.limit = Self.mostOfGenre
            ids.formUnion(try snapshot.search(query).map(\.id))
        case .artist, .track: break
        }
        // What is connected anyway is known best.
        ids.formUnion(rooms.hub.allFeeds.map(\.station.id))
        return ids.sorted().compactMap { snapshot[$0] }.map { candidate($0, plays, thumbs) }
    }

    private func candidate(_ station: CatalogueStation, _ plays: [String: Int], _ thumbs: [Thumb])
        -> DialCandidate
    {
        var candidate = DialCandidate(station: station.id, name: station.name)
        let words = [station.station.genre].compactMap { $0 } + station.station.tags
        candidate.genres = Set(words.map { $0.lowercased() })
        candidate.isFavourite = station.isFavourite
        candidate.airing = scout.airing(of: station.id)?.title
        candidate.seedPlays = plays[station.id] ?? 0
        candidate.liked = thumbs.count { $0.station == station.id && $0.direction == .up }
        candidate.disliked = thumbs.count { $0.station == station.id && $0.direction == .down }
        return candidate
    }

    /// How often the log has what the dial is made for, by station.
    private func plays(_ seed: SmartDial.Seed) throws -> [String: Int] {
        var query: AirplayQuery
        switch seed {
        case .artist(let artist): query = AirplayQuery(artist)
        case .track(let artist, let title):
            query = AirplayQuery([artist, title].compactMap { $0 }.joined(separator: " "))
        case .genre, .stations: return [:]
        }
        query.from = rooms.time.wall.advanced(bySeconds: -Self.days * 86_400)
        query.kinds = [.track]
        query.limit = Self.mostRows
        return try rooms.airplay.search(query).reduce(into: [:]) { $0[$1.station, default: 0] += 1 }
    }

    // MARK: Playing

    /// Switches a dial on. Nil where nothing fits now. Blocks until the player has taken it.
    func play(_ dial: SmartDial) throws -> DialChoice? {
        let choices = try choices(dial)
        let orders = PlayerOrders(player: rooms.player, catalogue: rooms.catalogue)
        // What was asked for before is no objection to it.
        orders.settle()
        let before = Self.station(rooms.player.status)
        let first = state.withLock { state -> DialChoice? in
            state.dial = dial.id
            state.pilot = DialPilot()
            return state.pilot.begin(choices, leaving: before)
        }
        if let first { tune(first, among: choices) } else { state.withLock { $0.dial = nil } }
        orders.settle()
        return first
    }

    /// The dial that plays, and why it plays what it plays.
    var playing: (dial: SmartDial, choice: DialChoice)? {
        let (id, choice) = state.withLock { ($0.dial, $0.pilot.current) }
        guard let id, let choice, let dial = rooms.dials[id] else { return nil }
        return (dial, choice)
    }

    /// A thumb down for what plays: the dial's next choice, or the next station of the list.
    func leave() {
        guard let dial = playing?.dial, let choices = try? choices(dial) else { return rooms.player.next() }
        if let next = state.withLock({ $0.pilot.disliked(choices) }) {
            tune(next, among: choices)
        } else {
            rooms.player.next()
        }
    }

    private func aired(_ news: AiringNews) {
        guard let (dial, choice) = playing, choice.station == news.station.id,
            let choices = try? choices(dial)
        else { return }
        if let next = state.withLock({ $0.pilot.titleBegan(choices) }) { tune(next, among: choices) }
    }

    private func tune(_ choice: DialChoice, among choices: [DialChoice]) {
        let snapshot = rooms.catalogue.snapshot
        guard let station = snapshot[choice.station]?.station else { return }
        rooms.events.publish("dial", DialJSON.choice(choice))
        // Behind the choices the favourites: there is always somewhere to go on.
        let chosen = Set(choices.map(\.station))
        let others = snapshot.favourites.filter { !chosen.contains($0.id) }.map(\.station)
        rooms.player.tune(station, among: choices.compactMap { snapshot[$0.station]?.station } + others)
    }

    private func playerChanged(_ status: PlayerStatus) {
        state.withLock { state in
            guard state.dial != nil else { return }
            let hasFailed = status.phase == .failed && status.tunedStation?.id == state.pilot.current?.station
            if hasFailed || !state.pilot.isFollowed(on: Self.station(status)) { state.dial = nil }
        }
    }

    /// What the player is on, as the pilot asks.
    private static func station(_ status: PlayerStatus) -> String? {
        status.isPlaying ? status.tunedStation?.id : nil
    }
}

/// Dials and their choices as the API writes them.
enum DialJSON {
    static func dial(_ dial: SmartDial) -> JSONValue {
        [
            "id": .int(dial.id), "name": .string(dial.name), "seed": dial.seed.json,
            "variety": .int(Int64(dial.variety)),
        ]
    }

    static func choice(_ choice: DialChoice) -> JSONValue {
        [
            "station": ["id": .string(choice.station), "name": .string(choice.name)],
            "score": .int(Int64(choice.score)), "why": .string(choice.sentence),
        ]
    }
}
