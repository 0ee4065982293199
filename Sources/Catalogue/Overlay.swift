internal import StreamFormats
internal import TOMLText

/// What people here changed, on top of what the files say. It survives every reload.
struct Overlay: Sendable, Hashable {
    /// Changed fields of one station.
    struct Edit: Sendable, Hashable {
        /// TOML by key.
        var values: [String: String] = [:]
        var cleared: Set<String> = []

        var isEmpty: Bool { values.isEmpty && cleared.isEmpty }
        var keys: [String] { (Array(values.keys) + cleared).sorted() }
    }

    /// A favourite and a copy of the station, for the day when file or directory drop it.
    struct Favourite: Sendable, Hashable {
        var id: String
        var copy: StationEntry
    }

    static let presetNumbers = 1...9

    var added: [StationEntry] = []
    var edits: [String: Edit] = [:]
    var favourites: [Favourite] = []
    var presets: [Int: String] = [:]
    var hidden: Set<String> = []
    /// Stations of files that are not wanted any more.
    var removed: Set<String> = []

    // MARK: Applying

    /// The stations of the files with everything here done to them.
    func applied(to files: [CatalogueStation]) -> CatalogueSnapshot {
        let own = Set(added.map(\.id))
        var stations = files.filter { !own.contains($0.id) && !removed.contains($0.id) }.map(edited)
        stations += added.map { CatalogueStation($0, origin: .added) }
        let known = Set(stations.map(\.id))
        stations += favourites.filter { !known.contains($0.id) && !removed.contains($0.id) }
            .map { CatalogueStation($0.copy, origin: .added) }
        mark(&stations)
        return CatalogueSnapshot(stations, favourites: favourites.map(\.id))
    }

    private func edited(_ station: CatalogueStation) -> CatalogueStation {
        guard let edit = edits[station.id] else { return station }
        var station = station
        station.entry = Self.applying(edit, to: station.entry)
        station.edited = edit.keys
        return station
    }

    private static func applying(_ edit: Edit, to entry: StationEntry) -> StationEntry {
        var entry = entry
        for key in edit.cleared { StationField.named(key)?.clear(&entry) }
        for (key, text) in edit.values {
            // What was stored has been read before; an older program's value that no longer fits is left out.
            guard let value = try? TOMLValue.parse("value = \(text)", file: "overlay")["value"] else {
                continue
            }
            _ = StationFile.apply(TOMLEntry(key, at: value.position, value), to: &entry, file: "overlay")
        }
        return entry
    }

    private func mark(_ stations: inout [CatalogueStation]) {
        let favourite = Set(favourites.map(\.id))
        let numbers = Dictionary(presets.map { ($1, $0) }, uniquingKeysWith: min)
        for index in stations.indices {
            let id = stations[index].id
            stations[index].isFavourite = favourite.contains(id)
            stations[index].preset = numbers[id]
            stations[index].isHidden = hidden.contains(id)
        }
    }

    // MARK: Changing

    /// Makes a change, or throws `CatalogueError` and leaves everything as it was.
    mutating func make(_ change: CatalogueChange, in snapshot: CatalogueSnapshot) throws(CatalogueError) {
        switch change {
        case .add(let entry): try add(entry, in: snapshot)
        case .addAll(let entries): addAll(entries, in: snapshot)
        case .edit(let id, let values, let cleared): try edit(id, values, cleared, in: snapshot)
        case .revert(let id): edits[try Self.station(id, in: snapshot).id] = nil
        case .remove(let id): try remove(id, in: snapshot)
        case .favourite(let id, let isFavourite): try setFavourite(id, isFavourite, in: snapshot)
        case .moveFavourite(let id, let place): try move(id, to: place)
        case .preset(let number, let id): try setPreset(number, id, in: snapshot)
        case .hide(let id, true): hidden.insert(try Self.station(id, in: snapshot).id)
        case .hide(let id, false): hidden.remove(try Self.station(id, in: snapshot).id)
        }
    }

    private static func station(
        _ id: String, in snapshot: CatalogueSnapshot
    ) throws(CatalogueError) -> CatalogueStation {
        guard let station = snapshot[id] else {
            let near = Spelling.nearest(to: id, among: snapshot.stations.map(\.id))
            throw .unknown(id, near: near.map { [$0] } ?? [])
        }
        return station
    }

    /// A station that a file held and that was removed here may be added again.
    private mutating func add(_ entry: StationEntry, in snapshot: CatalogueSnapshot) throws(CatalogueError) {
        if let reason = StationID.refusal(entry.id) { throw .refused(field: "id", reason: reason) }
        guard snapshot[entry.id] == nil else { throw .taken(entry.id) }
        if let problem = StationFile.problems(of: entry).first {
            throw .refused(field: problem.key ?? "station", reason: problem.message)
        }
        put(entry)
    }

    private mutating func put(_ entry: StationEntry) {
        added.append(entry)
        removed.remove(entry.id)
    }

    private mutating func addAll(_ entries: [StationEntry], in snapshot: CatalogueSnapshot) {
        var addresses = Set(snapshot.stations.flatMap(\.station.urls))
        var ids = StationIDs(taken: snapshot.stations.map(\.id))
        for var entry in entries {
            guard let url = entry.station.urls.first, !addresses.contains(url) else { continue }
            entry.station.id = ids.take(entry.id, name: entry.station.name)
            put(entry)
            addresses.formUnion(entry.station.urls)
        }
    }

    private mutating func edit(
        _ id: String, _ values: [TOMLEntry], _ cleared: [String], in snapshot: CatalogueSnapshot
    ) throws(CatalogueError) {
        var station = try Self.station(id, in: snapshot)
        for key in values.map(\.key) + cleared where key == "id" || StationField.named(key) == nil {
            throw .refused(
                field: key, reason: key == "id" ? "an id stays what it is" : "there is no such key")
        }
        for key in cleared where ["name", "urls"].contains(key) {
            throw .refused(field: key, reason: "a station needs one")
        }
        for key in cleared { StationField.named(key)?.clear(&station.entry) }
        for value in values {
            if let problem = StationFile.apply(value, to: &station.entry, file: "edit") {
                throw .refused(field: value.key, reason: problem.message)
            }
        }
        keep(station.entry, of: station.origin, keys: values.map(\.key) + cleared)
    }

    /// An added station is changed itself; for one of a file the difference is kept.
    private mutating func keep(_ entry: StationEntry, of origin: CatalogueStation.Origin, keys: [String]) {
        if let number = added.firstIndex(where: { $0.id == entry.id }) {
            added[number] = entry
        } else if case .file = origin {
            var edit = edits[entry.id] ?? Edit()
            for key in keys {
                edit.values[key] = StationField.named(key)?.text(of: entry)
                if edit.values[key] == nil { edit.cleared.insert(key) } else { edit.cleared.remove(key) }
            }
            edits[entry.id] = edit
        } else {
            added.append(entry)
        }
        if let number = favourites.firstIndex(where: { $0.id == entry.id }) {
            favourites[number].copy = entry
        }
    }

    private mutating func remove(_ id: String, in snapshot: CatalogueSnapshot) throws(CatalogueError) {
        let station = try Self.station(id, in: snapshot)
        added.removeAll { $0.id == id }
        edits[id] = nil
        favourites.removeAll { $0.id == id }
        presets = presets.filter { $0.value != id }
        hidden.remove(id)
        if case .file = station.origin { removed.insert(id) }
    }

    private mutating func setFavourite(
        _ id: String, _ isFavourite: Bool, in snapshot: CatalogueSnapshot
    ) throws(CatalogueError) {
        let station = try Self.station(id, in: snapshot)
        let known = favourites.contains { $0.id == id }
        if isFavourite && !known { favourites.append(Favourite(id: id, copy: station.entry)) }
        if !isFavourite { favourites.removeAll { $0.id == id } }
    }

    private mutating func move(_ id: String, to place: Int) throws(CatalogueError) {
        guard let from = favourites.firstIndex(where: { $0.id == id }) else {
            throw .unknown(id, near: favourites.prefix(5).map(\.id))
        }
        let favourite = favourites.remove(at: from)
        favourites.insert(favourite, at: min(max(place, 0), favourites.count))
    }

    private mutating func setPreset(
        _ number: Int, _ id: String?, in snapshot: CatalogueSnapshot
    ) throws(CatalogueError) {
        guard Self.presetNumbers.contains(number) else {
            throw .refused(field: "preset", reason: "there are presets 1 to 9, no \(number)")
        }
        guard let id else { presets[number] = nil; return }
        let station = try Self.station(id, in: snapshot)
        presets = presets.filter { $0.value != station.id }
        presets[number] = station.id
    }
}
