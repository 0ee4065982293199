internal import Catalogue
internal import ControlAPI
internal import Feed
internal import HTTPServer
internal import HTTPWire
internal import Ingest
internal import Reactor
internal import Relay
internal import StreamFormats
internal import Variants

/// The catalogue and the feeds as the relay asks for them.
struct CatalogueMounts: MountSource {
    let catalogue: StationCatalogue
    let hub: IngestHub
    let mp3: MP3Variants

    func station(named name: String) -> Station? {
        if let station = catalogue.station(name)?.station { return station }
        guard let original = MP3Variants.original(of: name) else { return nil }
        return catalogue.station(original).map { mp3.station(for: $0.station) }
    }

    func stations() -> [Station] { catalogue.snapshot.visible.map(\.station) }
    func favourites() -> [Station] { catalogue.snapshot.favourites.map(\.station) }
    func feed(of station: Station) -> Feed? { mp3.feed(of: station)?.feed ?? hub.feed(for: station) }
}

/// Tokens as Icecast's admin pages and source clients ask for them: any user name, the token as password.
struct TokenAdminAuth: AdminAuth {
    let callers: CallerCheck

    func verdict(on credentials: Credentials?, from peer: PeerAddress, for use: AdminUse) -> AdminVerdict {
        guard let credentials else { return .unknown }
        switch callers.verdict(on: credentials, from: peer) {
        case .role(let role): return role >= Self.needed(for: use) ? .allowed : .unknown
        case .unknown: return .unknown
        case .tooMany: return .tooManyTries
        }
    }

    private static func needed(for use: AdminUse) -> AccessRole {
        switch use {
        case .administer: .admin
        case .listMounts: .viewer
        case .feed: .operator
        }
    }
}
