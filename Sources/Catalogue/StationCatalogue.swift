internal import Platform
package import Store
package import TOMLText

/// The stations: read from files, changed by an overlay in SQLite, searched and resolved.
///
/// Usable without a service: `StationCatalogue(folders:)` reads files alone and keeps nothing.
package final class StationCatalogue: Sendable {
    private struct State {
        var files: StationFiles
        var overlay: Overlay
        var snapshot: CatalogueSnapshot
    }

    private let state: Lock<State>
    private let database: Database?
    /// The directory's stations on this machine, if there are any.
    package let directory: StationDirectory?
    private let changed: @Sendable (CatalogueDifference) -> Void

    /// Reads the files, and the overlay where there is a database. Blocks.
    /// - Parameters:
    ///   - folders: of station files, in the order of `Folders.stationFolders`; of two stations with one id the later wins.
    ///   - database: opened with `StationCatalogue.schema` among its schemas; nil for files alone.
    ///   - reader: where the overlay is read from while a service, or nobody, owns the database; changes are refused then.
    ///   - directory: searched and resolved after the stations of one's own.
    ///   - changed: called after a reload or a change, on the thread that did it.
    package init(
        folders: [String], database: Database? = nil, reader: DatabaseReader? = nil,
        directory: StationDirectory? = nil,
        changed: @escaping @Sendable (CatalogueDifference) -> Void = { _ in }
    ) throws {
        var files = StationFiles(folders: folders)
        files.reload()
        let overlay = try database?.read { try Overlay.read($0) } ?? reader.flatMap(Self.overlay) ?? Overlay()
        state = Lock(State(files: files, overlay: overlay, snapshot: overlay.applied(to: files.stations)))
        self.database = database
        self.directory = directory
        self.changed = changed
    }

    /// What another process keeps, as far as it can be understood: its program may be older or newer.
    private static func overlay(_ reader: DatabaseReader) -> Overlay? {
        try? reader.read { try Overlay.read($0) }
    }

    /// The stations as they are now. Any thread, never blocks for long.
    package var snapshot: CatalogueSnapshot { state.withLock { $0.snapshot } }

    /// What is wrong in the station files, with file, line and key.
    package var problems: [TOMLError] { state.withLock { $0.files.problems } }

    /// A station by its id, the directory's too.
    package func station(_ id: String) -> CatalogueStation? { snapshot[id] ?? fromDirectory(id) }

    /// The one station that somebody means; see `StationResolver`. The directory is asked last.
    package func resolve(_ text: String) throws -> CatalogueStation {
        if let station = fromDirectory(text) { return station }
        do {
            return try StationResolver(snapshot).resolve(text)
        } catch CatalogueError.unknown(let text, let near) {
            return try resolveInDirectory(text, near: near)
        }
    }

    /// Stations of one's own that fit, best first, then those of the directory that are not among them.
    package func search(_ query: StationQuery, inDirectory: Bool = true) throws -> [CatalogueStation] {
        let snapshot = snapshot
        let own = try snapshot.search(query)
        guard inDirectory, let directory, own.count < query.limit else { return own }
        var rest = query
        rest.offset = query.offset == 0 ? 0 : max(0, query.offset - (try snapshot.count(query)))
        rest.limit = query.limit - own.count
        let known = snapshot.directoryIDs
        return own + (try directory.search(rest).filter { !known.contains($0.uuid) }.map(Self.shown))
    }

    private static func shown(_ station: DirectoryStation) -> CatalogueStation {
        CatalogueStation(station.entry(id: station.id), origin: .directory)
    }

    private func fromDirectory(_ id: String) -> CatalogueStation? {
        guard id.hasPrefix(DirectoryStation.prefix), let directory else { return nil }
        let uuid = String(id.dropFirst(DirectoryStation.prefix.count))
        return (try? directory.station(uuid: uuid)).flatMap { $0 }.map(Self.shown)
    }

    /// Only a name typed in full: the directory has a hundred stations for every part of one.
    private func resolveInDirectory(_ text: String, near: [String]) throws -> CatalogueStation {
        let wanted = SearchText.words(text).joined(separator: " ")
        let found = try directory?.search(StationQuery(text)).filter {
            SearchText.words($0.name).joined(separator: " ") == wanted
        }
        guard let found, let first = found.first else { throw CatalogueError.unknown(text, near: near) }
        guard found.count == 1 else {
            throw CatalogueError.ambiguous(text, candidates: found.map { .init(id: $0.id, name: $0.name) })
        }
        return Self.shown(first)
    }

    /// Reads files that are new or have changed; a file that cannot be read now keeps the stations it had. Blocks.
    @discardableResult
    package func reload() -> CatalogueDifference {
        let difference = state.withLock { state in
            state.files.reload()
            return Self.republish(&state)
        }
        if !difference.isEmpty { changed(difference) }
        return difference
    }

    private static func republish(_ state: inout State) -> CatalogueDifference {
        let old = state.snapshot
        state.snapshot = state.overlay.applied(to: state.files.stations)
        return CatalogueDifference(from: old, to: state.snapshot)
    }

    // MARK: Changing

    /// Makes the change last, then shows it; `then` runs on the database's thread. Never blocks. Any thread.
    /// - Parameter then: the ids that are not what they were, or a `CatalogueError` or `StoreError`.
    package func apply(
        _ change: CatalogueChange, then: @escaping @Sendable (Result<CatalogueDifference, any Error>) -> Void
    ) {
        guard let database else { return then(.failure(CatalogueError.readOnly)) }
        database.enqueue { [self] connection in
            // Changes are made on this thread alone, so what is read here is still so when it is published below.
            let (overlay, snapshot) = state.withLock { ($0.overlay, $0.snapshot) }
            var changed = overlay
            let (change, known) = try adopting(change, snapshot, &changed)
            try changed.make(change, in: known)
            try changed.write(replacing: overlay, connection)
            return changed
        } then: { [self] result in
            then(result.map { publish($0) })
        }
    }

    /// The same, and waits. Not from a reactor loop.
    @discardableResult
    package func apply(_ change: CatalogueChange) throws -> CatalogueDifference {
        let answer = Monitor<Result<CatalogueDifference, any Error>?>(nil)
        apply(change) { result in answer.change { $0 = result } }
        return try answer.wait { $0 }.get()
    }

    /// A change to a station of the directory takes it over first, under an id made from its name.
    private func adopting(
        _ change: CatalogueChange, _ snapshot: CatalogueSnapshot, _ overlay: inout Overlay
    ) throws -> (CatalogueChange, CatalogueSnapshot) {
        guard let id = change.station, snapshot[id] == nil, let station = fromDirectory(id),
            let uuid = station.entry.directoryID
        else { return (change, snapshot) }
        if let own = snapshot.stations.first(where: { $0.entry.directoryID == uuid }) {
            return (change.about(own.id), snapshot)
        }
        var entry = station.entry
        entry.station.id = StationID.made(from: station.name) { snapshot[$0] != nil }
        try overlay.make(.add(entry), in: snapshot)
        let files = state.withLock { $0.files.stations }
        return (change.about(entry.id), overlay.applied(to: files))
    }

    private func publish(_ overlay: Overlay) -> CatalogueDifference {
        let difference = state.withLock { state in
            state.overlay = overlay
            return Self.republish(&state)
        }
        if !difference.isEmpty { changed(difference) }
        return difference
    }
}
