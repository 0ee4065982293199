internal import Catalogue
internal import Platform
internal import Recording
internal import StreamFormats

/// Pictures for the tags of recordings: a station's logo, and those whose addresses titles tell. They are fetched on a thread
/// of their own; a recording takes what is there when its file is tagged, and waits for none.
final class TagPictures: PictureSource {
    /// Pictures that wait to be fetched; more are not looked for.
    private static let limit = 64
    /// Pictures that are held, and wishes that are known to lead nowhere: the oldest go.
    private static let held = 64

    private struct State {
        var found: [PictureWish: TagFields.Picture?] = [:]
        var order: [PictureWish] = []
        var waiting: Set<PictureWish> = []
    }

    private let logos: StationArtwork
    private let covers: StationArtwork
    private let catalogue: StationCatalogue
    private let state = Lock(State())
    private let thread = JobThread("pictures", limit: limit)

    /// - Parameter covers: keeps the pictures of titles apart from those of stations.
    init(logos: StationArtwork, covers: StationArtwork, catalogue: StationCatalogue) {
        self.logos = logos
        self.covers = covers
        self.catalogue = catalogue
    }

    /// Ends the thread; what waits is left.
    func stop() { thread.stop() }

    func look(for wish: PictureWish) -> Bool {
        if case .station(let id) = wish, catalogue.station(id)?.station.logo == nil { return false }
        let (known, isNew) = state.withLock { state in
            (state.found[wish], state.found[wish] == nil && state.waiting.insert(wish).inserted)
        }
        if let known { return known != nil }
        guard isNew else { return true }
        let isTaken = thread.add { [self] in fetch(wish) }
        if !isTaken { state.withLock { _ = $0.waiting.remove(wish) } }
        return isTaken
    }

    /// The picture that a title of this station tells of; nil where it cannot be had now. Blocks.
    func cover(at address: String, of station: Station) -> (bytes: [UInt8], type: String)? {
        covers.picture(at: address, isLocal: station.isLocal)
    }

    func found(_ wish: PictureWish) -> TagFields.Picture? { state.withLock { $0.found[wish] ?? nil } }

    private func fetch(_ wish: PictureWish) {
        let picture = thread.isStopping ? nil : bytes(wish).flatMap { TagFields.Picture($0) }
        state.withLock { state in
            state.waiting.remove(wish)
            state.found[wish] = .some(picture)
            state.order.append(wish)
            if state.order.count > Self.held { state.found[state.order.removeFirst()] = nil }
        }
    }

    private func bytes(_ wish: PictureWish) -> [UInt8]? {
        switch wish {
        case .station(let id):
            catalogue.station(id).flatMap { logos.picture(of: $0.station) }?.bytes
        case .title(let address, let station):
            covers.picture(
                at: address, isLocal: catalogue.station(station)?.station.isLocal ?? false)?.bytes
        }
    }
}
