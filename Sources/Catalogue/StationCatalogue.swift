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
    private let changed: @Sendable (CatalogueDifference) -> Void

    /// Reads the files, and the overlay where there is a database. Blocks.
    /// - Parameters:
    ///   - folders: of station files, in the order of `Folders.stationFolders`; of two stations with one id the later wins.
    ///   - database: opened with `StationCatalogue.schema` among its schemas; nil for files alone.
    ///   - changed: called after a reload or a change, on the thread that did it.
    package init(
        folders: [String], database: Database? = nil,
        changed: @escaping @Sendable (CatalogueDifference) -> Void = { _ in }
    ) throws {
        var files = StationFiles(folders: folders)
        files.reload()
        let overlay = try database.map { database in try database.read { try Overlay.read($0) } } ?? Overlay()
        state = Lock(State(files: files, overlay: overlay, snapshot: overlay.applied(to: files.stations)))
        self.database = database
        self.changed = changed
    }

    /// The stations as they are now. Any thread, never blocks for long.
    package var snapshot: CatalogueSnapshot { state.withLock { $0.snapshot } }

    /// What is wrong in the station files, with file, line and key.
    package var problems: [TOMLError] { state.withLock { $0.files.problems } }

    package func station(_ id: String) -> CatalogueStation? { snapshot[id] }

    /// The one station that somebody means. See `StationResolver`.
    package func resolve(_ text: String) throws -> CatalogueStation {
        try StationResolver(snapshot).resolve(text)
    }

    package func search(_ query: StationQuery) throws -> [CatalogueStation] { try snapshot.search(query) }

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
        database.enqueue { [state] connection in
            // Changes are made on this thread alone, so what is read here is still so when it is published below.
            let (overlay, snapshot) = state.withLock { ($0.overlay, $0.snapshot) }
            var changed = overlay
            try changed.make(change, in: snapshot)
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

    private func publish(_ overlay: Overlay) -> CatalogueDifference {
        let difference = state.withLock { state in
            state.overlay = overlay
            return Self.republish(&state)
        }
        if !difference.isEmpty { changed(difference) }
        return difference
    }
}
