internal import Catalogue
internal import Platform
internal import Recording
internal import StreamFormats

/// Pictures for the tags of recordings: a station's logo, and those whose addresses titles tell. They are fetched on a thread
/// of their own; a recording takes what is there when its file is tagged, and waits for none.
///
/// What could not be had is not remembered here: `StationArtwork` knows for how long it is not asked for again.
final class TagPictures: PictureSource {
    /// Bytes of pictures that are held; beyond that the oldest go, and are read from the disk when they are wanted.
    private static let heldBytes = 32 << 20
    /// Wishes that may wait or be held, however few stations there may be.
    private static let leastHeld = 64

    /// What lies at an address; nil where that is no picture for tags.
    private struct Known {
        var address: String
        var picture: TagFields.Picture?
    }

    private struct State {
        var known: [PictureWish: Known] = [:]
        var order: [PictureWish] = []
        var bytes = 0
        var waiting: Set<PictureWish> = []
    }

    private struct Place {
        var address: String
        var isLocal: Bool
        var store: StationArtwork
    }

    private let logos: StationArtwork
    private let covers: StationArtwork
    private let station: @Sendable (String) -> Station?
    private let held: Int
    private let state = Lock(State())
    private let thread: JobThread

    /// - Parameters:
    ///   - covers: keeps the pictures of titles apart from those of stations.
    ///   - stations: as many may be recorded at once: of each a logo and a title's picture have room.
    init(
        logos: StationArtwork, covers: StationArtwork, station: @escaping @Sendable (String) -> Station?,
        stations: Int
    ) {
        self.logos = logos
        self.covers = covers
        self.station = station
        held = max(Self.leastHeld, 2 * stations)
        thread = JobThread("pictures", limit: held)
    }

    /// Ends the thread; what waits is left.
    func stop() { thread.stop() }

    func look(for wish: PictureWish) -> Bool {
        guard let place = place(of: wish) else { return false }
        let known = state.withLock { $0.known[wish] }
        if let known, known.address == place.address { return known.picture != nil }
        guard place.store.mayHave(at: place.address) else { return false }
        guard state.withLock({ $0.waiting.insert(wish).inserted }) else { return true }
        let isTaken = thread.add { [self] in fetch(wish, place) }
        if !isTaken { state.withLock { _ = $0.waiting.remove(wish) } }
        return isTaken
    }

    /// The picture that a title of this station tells of; nil where it cannot be had now. Blocks.
    func cover(at address: String, of station: Station) -> (bytes: [UInt8], type: String)? {
        covers.picture(at: address, isLocal: station.isLocal)
    }

    func found(_ wish: PictureWish) -> TagFields.Picture? {
        if let known = state.withLock({ $0.known[wish] }) { return known.picture }
        // It is held no more, or somebody else has fetched it.
        return place(of: wish).flatMap { $0.store.kept(at: $0.address) }.flatMap { TagFields.Picture($0) }
    }

    private func fetch(_ wish: PictureWish, _ place: Place) {
        let found =
            thread.isStopping
            ? nil : place.store.picture(at: place.address, isLocal: place.isLocal, hasThread: true)
        let known = found.map { Known(address: place.address, picture: TagFields.Picture($0.bytes)) }
        state.withLock { state in
            state.waiting.remove(wish)
            if let known { Self.hold(known, wish, most: held, &state) }
        }
    }

    private static func hold(_ known: Known, _ wish: PictureWish, most: Int, _ state: inout State) {
        func drop(_ wish: PictureWish) {
            state.bytes -= state.known.removeValue(forKey: wish)?.picture?.bytes.count ?? 0
        }
        drop(wish)
        state.order.removeAll { $0 == wish }
        state.known[wish] = known
        state.order.append(wish)
        state.bytes += known.picture?.bytes.count ?? 0
        while state.order.count > most || state.bytes > heldBytes, !state.order.isEmpty {
            drop(state.order.removeFirst())
        }
    }

    /// Where the picture lies; nil for a station without one.
    private func place(of wish: PictureWish) -> Place? {
        switch wish {
        case .station(let id):
            guard let station = station(id), let logo = station.logo else { return nil }
            return Place(address: logo, isLocal: station.isLocal, store: logos)
        case .title(let address, let id):
            let isLocal = station(id)?.isLocal ?? false
            return Place(address: address, isLocal: isLocal, store: covers)
        }
    }
}
