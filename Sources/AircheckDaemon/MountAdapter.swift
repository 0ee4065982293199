internal import Catalogue
internal import ControlAPI
internal import Feed
internal import HTTPServer
internal import HTTPWire
internal import Ingest
internal import Platform
internal import Reactor
internal import Relay
internal import StreamFormats
internal import Variants

/// The catalogue and the feeds as the relay asks for them.
struct CatalogueMounts: MountSource {
    let catalogue: StationCatalogue
    let hub: IngestHub
    let variants: StationVariants

    func station(named name: String) -> Station? {
        if let station = (catalogue.snapshot.station(ofMount: name) ?? catalogue.station(name))?.station {
            return station
        }
        if let station = variants.late.station(named: name) { return station }
        guard let original = MP3Variants.original(of: name) else { return nil }
        return (catalogue.station(original)?.station ?? variants.late.station(named: original)).map {
            variants.mp3.station(for: $0)
        }
    }
    func stations() -> [Station] { catalogue.snapshot.visible.map(\.station) }
    func favourites() -> [Station] { catalogue.snapshot.favourites.map(\.station) }
    func feed(of station: Station) -> Feed? {
        variants.mp3.feed(of: station)?.feed ?? variants.late.feed(of: station) ?? hub.feed(for: station)
    }

    func isLate(_ station: Station) -> Bool { variants.late.isLate(station) }

    func late(
        _ station: Station, _ wish: PastWish?, _ done: @escaping @Sendable (LateAnswer) -> Void
    ) { variants.late.answer(station, wish, done) }
}

/// The stations of source clients, kept in the catalogue: they are listed, recorded and scheduled as all others are, and
/// they are still there when the service starts again.
final class CatalogueSources: SourceBook {
    private let catalogue: StationCatalogue
    private let hub: IngestHub
    /// Made, but not shown by the catalogue yet; by mount.
    private let made = Lock<[String: Station]>([:])

    init(catalogue: StationCatalogue, hub: IngestHub) {
        self.catalogue = catalogue
        self.hub = hub
    }

    func station(ofMount mount: String) -> Station? {
        let known = catalogue.snapshot.station(ofMount: mount)?.station
        return known?.sourceMount == mount ? known : made.withLock { $0[mount] }
    }

    func keep(_ station: Station) -> Station {
        guard let mount = station.sourceMount else { return station }
        let snapshot = catalogue.snapshot
        let (kept, isNew) = made.withLock { made -> (Station, Bool) in
            if let known = made[mount] { return (known, false) }
            var kept = station
            kept.id = StationID.made(from: station.id) { id in
                snapshot[id] != nil || made.values.contains { $0.id == id }
            }
            made[mount] = kept
            return (kept, true)
        }
        if isNew { write(kept, mount) }
        return kept
    }

    private func write(_ station: Station, _ mount: String) {
        catalogue.apply(.add(StationEntry(station))) { [self] result in
            switch result {
            case .success: made.withLock { $0[mount] = nil }
            case .failure(let error):
                Log.warning(
                    "catalogue", "a source's station is not kept",
                    ["mount": "/" + mount, "error": "\(error)"])
            }
        }
    }

    func feed(of station: Station) -> Feed { hub.feed(for: station) }
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
