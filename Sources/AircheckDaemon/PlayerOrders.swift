internal import Catalogue
internal import Feed
internal import Platform
internal import Playback
internal import StreamFormats

/// What every remote control of the player needs: giving an order and waiting for it to show, and finding the station and
/// the list that somebody means.
struct PlayerOrders: Sendable {
    let player: LivePlayer
    let catalogue: StationCatalogue

    /// Seconds that a busy player is waited for.
    private static let patience = 2.0

    /// Gives the order, and waits until the player has taken it, so that what is asked next shows what it led to.
    func give(_ order: (LivePlayer) throws -> Void) rethrows {
        try order(player)
        settle()
    }

    /// Waits until the player has taken what it was given.
    func settle() { player.settle(atMost: Self.patience) }

    /// The list that next and previous walk after a station was asked for by itself: the favourites, if it is one.
    func list(around station: Station) -> [Station] {
        let snapshot = catalogue.snapshot
        let isFavourite = snapshot.favourites.contains { $0.id == station.id }
        return (isFavourite ? snapshot.favourites : snapshot.visible).map(\.station)
    }

    /// The station at an address that nobody has put into the catalogue, under an id that no other has.
    static func station(at url: String) -> Station {
        let id = "at-" + String(FNV1a.of(url), radix: 16)
        return Station(id: id, name: StationNaming.name(for: url), urls: [url])
    }

    /// Whether it is the address of something that could be a stream.
    static func isAddress(_ text: String) -> Bool {
        let lower = text.prefix(8).lowercased()
        return (lower.hasPrefix("http://") || lower.hasPrefix("https://")) && text.utf8.count <= 2048
            && !StationNaming.name(for: text).isEmpty
    }
}

extension PlayerStatus {
    /// It sounds, or is about to; a recording may stand still.
    var isPlaying: Bool { phase != .stopped && phase != .failed }
    /// The station that orders are about; none while a recording is put on.
    var tunedStation: Station? { recording == nil ? station : nil }
    /// The title of what is put on; nil while something else still sounds.
    var tunedTitle: TitleMark? { heardStation?.id == tunedStation?.id ? title : nil }
}
