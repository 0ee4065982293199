package import Platform
package import StreamFormats

/// A personal station: it tunes real live stations by what they air and what somebody liked.
package struct SmartDial: Sendable, Hashable {
    /// What it was made from.
    package enum Seed: Sendable, Hashable {
        case artist(String)
        case track(artist: String?, title: String)
        case genre(String)
        case stations([String])
    }

    /// 0 before it is kept.
    package var id: Int64 = 0
    package var name: String
    package var seed: Seed
    /// How far it looks: 0 what has to do with the seed; 1 also stations of the same genres; 2 also stations that aired
    /// something liked; 3 every favourite.
    package var variety = 0

    package static let mostVariety = 3

    package init(name: String, seed: Seed) {
        self.name = name
        self.seed = seed
    }
}

/// What is known of a station that a dial may choose: recorded facts, nothing guessed.
package struct DialCandidate: Sendable, Hashable {
    package var station: String
    package var name: String
    /// Genre and tags, lower case.
    package var genres: Set<String> = []
    package var isFavourite = false
    /// What it airs now, where that is known.
    package var airing: TitleText?
    /// How often the log has the seed's artist or track here, in the days it looks back.
    package var seedPlays = 0
    /// Votes that were given here.
    package var liked = 0
    package var disliked = 0

    package init(station: String, name: String) {
        self.station = station
        self.name = name
    }
}

/// Why a dial chose a station. Each is a fact that was recorded.
package enum DialReason: Sendable, Hashable {
    case airsSeed(title: String)
    case airsLiked(title: String, likedOn: String, at: WallTime)
    case airsLikedArtist(artist: String, likedTitle: String)
    case chosenByYou
    case playedSeed(times: Int)
    case genre(String)
    case likedHere(times: Int)
    case favourite
}

/// A station that a dial would tune, and why.
package struct DialChoice: Sendable, Hashable {
    package var station: String
    package var name: String
    package var score: Int
    package var reason: DialReason
}

/// The rules by which a dial chooses. Pure: the same facts make the same choice.
package struct DialRules: Sendable {
    private let dial: SmartDial
    private let thumbs: [Thumb]
    /// Genres of stations that have to do with the seed.
    private let related: Set<String>

    // In this order one reason outweighs any number of the weaker ones.
    private static let airsSeed = 1000
    private static let airsLiked = 800
    private static let airsLikedArtist = 600
    private static let chosenByYou = 400
    private static let playedSeed = 300
    private static let sameGenre = 200
    private static let likedHere = 100
    private static let favourite = 50
    /// Within a reason: more plays and votes count more, up to this.
    private static let mostWithin = 49

    /// - Parameters:
    ///   - thumbs: every vote that was given.
    ///   - candidates: all stations that are asked about; genres are learned from those that have to do with the seed.
    package init(_ dial: SmartDial, thumbs: [Thumb], candidates: [DialCandidate]) {
        self.dial = dial
        self.thumbs = thumbs
        related = candidates.filter { Self.isOfSeed($0, dial.seed) || $0.seedPlays > 0 }
            .reduce(into: Set()) { $0.formUnion($1.genres) }
    }

    /// The stations it would tune, best first. Those that air what was disliked are left out.
    package func choices(_ candidates: [DialCandidate]) -> [DialChoice] {
        candidates.compactMap(choice).sorted { ($1.score, $0.station) < ($0.score, $1.station) }
    }

    private func choice(_ candidate: DialCandidate) -> DialChoice? {
        if airsDisliked(candidate) { return nil }
        guard let (score, reason) = best(candidate) else { return nil }
        let votes = min(max(candidate.liked - candidate.disliked, -Self.mostWithin), Self.mostWithin)
        return DialChoice(
            station: candidate.station, name: candidate.name, score: score + votes, reason: reason)
    }

    /// The strongest reason for a station.
    private func best(_ candidate: DialCandidate) -> (Int, DialReason)? {
        if let airing = candidate.airing, airing.kind == .track {
            if airsSeed(airing) { return (Self.airsSeed, .airsSeed(title: airing.text)) }
            if let liked = liked(airing) {
                return (Self.airsLiked, .airsLiked(title: airing.text, likedOn: liked.station, at: liked.at))
            }
            if let liked = likedArtist(airing) {
                return (
                    Self.airsLikedArtist,
                    .airsLikedArtist(artist: airing.artist ?? "", likedTitle: liked.title)
                )
            }
        }
        if case .stations(let ids) = dial.seed, ids.contains(candidate.station) {
            return (Self.chosenByYou, .chosenByYou)
        }
        if candidate.seedPlays > 0 {
            return (
                Self.playedSeed + min(candidate.seedPlays, Self.mostWithin),
                .playedSeed(times: candidate.seedPlays)
            )
        }
        return byKind(candidate)
    }

    private func byKind(_ candidate: DialCandidate) -> (Int, DialReason)? {
        if case .genre(let genre) = dial.seed, candidate.genres.contains(genre.lowercased()) {
            return (Self.sameGenre, .genre(genre.lowercased()))
        }
        if dial.variety >= 1, let genre = candidate.genres.intersection(related).min() {
            return (Self.sameGenre, .genre(genre))
        }
        if dial.variety >= 2, candidate.liked > 0 {
            return (Self.likedHere, .likedHere(times: candidate.liked))
        }
        return dial.variety >= 3 && candidate.isFavourite ? (Self.favourite, .favourite) : nil
    }

    private static func isOfSeed(_ candidate: DialCandidate, _ seed: SmartDial.Seed) -> Bool {
        switch seed {
        case .artist, .track: false
        case .genre(let genre): candidate.genres.contains(genre.lowercased())
        case .stations(let ids): ids.contains(candidate.station)
        }
    }

    private func airsSeed(_ airing: TitleText) -> Bool {
        switch dial.seed {
        case .artist(let artist): Self.same(airing.artist, artist)
        case .track(let artist, let title):
            Self.same(airing.title, title) && (artist == nil || Self.same(airing.artist, artist))
        case .genre, .stations: false
        }
    }

    private func vote(_ airing: TitleText, _ direction: Thumb.Direction) -> Thumb? {
        let song = Thumb.song(artist: airing.artist, title: airing.title ?? airing.text)
        return thumbs.first { $0.direction == direction && $0.song == song }
    }

    private func liked(_ airing: TitleText) -> Thumb? { vote(airing, .up) }

    private func airsDisliked(_ candidate: DialCandidate) -> Bool {
        candidate.airing.flatMap { vote($0, .down) } != nil
    }

    private func likedArtist(_ airing: TitleText) -> Thumb? {
        guard let artist = airing.artist, !artist.isEmpty else { return nil }
        return thumbs.first { $0.direction == .up && Self.same($0.artist, artist) }
    }

    private static func same(_ one: String?, _ other: String?) -> Bool {
        guard let one, let other else { return false }
        let words = SearchText.words(one)
        return !words.isEmpty && words == SearchText.words(other)
    }
}

extension DialChoice {
    /// The reason in one sentence.
    package var sentence: String {
        switch reason {
        case .airsSeed(let title): "\(name) plays \(title), which this dial is made for."
        case .airsLiked(let title, let station, let at):
            "\(name) plays \(title), which you liked on \(station) on \(LocalTime.iso(at).prefix(10))."
        case .airsLikedArtist(let artist, let title): "\(name) plays \(artist); you liked \(title)."
        case .chosenByYou: "\(name) is one of the stations that you made this dial from."
        case .playedSeed(let times):
            "\(name) has played it \(times == 1 ? "once" : "\(times) times") in the last 30 days."
        case .genre(let genre): "\(name) is a station for \(genre)."
        case .likedHere(let times):
            "You liked \(times == 1 ? "one track" : "\(times) tracks") on \(name)."
        case .favourite: "\(name) is one of your favourites."
        }
    }
}

/// When a dial moves on: only when what plays has ended, and only for something better. Pure.
package struct DialPilot: Sendable, Hashable {
    /// The station it plays.
    package private(set) var current: DialChoice?
    /// The player has not yet said that it is on that station, and what it was on before; nil is silence or a recording.
    private var isOnTheWay = false
    private var left: String?
    /// A better choice must be better by more than votes can make it.
    private static let margin = 100

    package init() {}

    /// The dial is switched on: the best there is.
    /// - Parameter station: what the player is on until then; nil is silence or a recording.
    package mutating func begin(_ choices: [DialChoice], leaving station: String?) -> DialChoice? {
        current = nil
        if let first = choices.first { go(to: first, from: station) }
        return current
    }

    /// The player says what it is on; nil is silence or a recording.
    /// - Returns: whether the dial still leads; not where somebody has tuned, stopped or put on something by hand.
    package mutating func isFollowed(on station: String?) -> Bool {
        guard station == current?.station else { return isOnTheWay && station == left }
        isOnTheWay = false
        return current != nil
    }

    private mutating func go(to next: DialChoice, from station: String?) {
        (left, isOnTheWay) = (station, true)
        current = next
    }

    /// Another title begins on the station that plays.
    /// - Returns: where to go, or nil to stay.
    package mutating func titleBegan(_ choices: [DialChoice]) -> DialChoice? {
        guard let current else { return nil }
        let here = choices.first { $0.station == current.station }
        guard let best = choices.first, best.station != current.station,
            best.score > (here?.score ?? 0) + Self.margin
        else {
            if let here { self.current = here }
            return nil
        }
        go(to: best, from: current.station)
        return best
    }

    /// What plays was disliked: leave the station, whatever else there is.
    package mutating func disliked(_ choices: [DialChoice]) -> DialChoice? {
        guard let current else { return nil }
        guard let next = choices.first(where: { $0.station != current.station }) else { return nil }
        go(to: next, from: current.station)
        return next
    }
}
