internal import Platform
internal import StreamFormats

/// All stations at one moment. It never changes; a reload or a change makes another one.
package final class CatalogueSnapshot: Sendable {
    /// Every station, hidden ones too, in the order of the files.
    package let stations: [CatalogueStation]
    /// Favourites in the order that people gave them.
    package let favourites: [CatalogueStation]
    private let numbers: [String: Int]
    /// Other names of mounts: aliases, and what source clients feed.
    private let mountNumbers: [String: Int]
    /// Made by the first search.
    private let index = Lock<StationIndex?>(nil)

    init(_ stations: [CatalogueStation], favourites: [String] = []) {
        let numbers = Dictionary(
            stations.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        self.stations = stations
        self.favourites = favourites.compactMap { numbers[$0].map { stations[$0] } }
        self.numbers = numbers
        mountNumbers = Dictionary(
            stations.enumerated().flatMap { number, station in
                (station.station.aliases + [station.station.sourceMount].compactMap { $0 }).map {
                    ($0, number)
                }
            }, uniquingKeysWith: { first, _ in first })
    }

    package subscript(id: String) -> CatalogueStation? { numbers[id].map { stations[$0] } }

    /// The station of a mount: by id, by one of its aliases, or by the mount that a source client feeds.
    package func station(ofMount name: String) -> CatalogueStation? {
        self[name] ?? mountNumbers[name].map { stations[$0] }
    }

    /// What lists show.
    package var visible: [CatalogueStation] { stations.filter { !$0.isHidden } }

    /// Stations that belong to a group, in the order of the files.
    package func group(_ name: String) -> [CatalogueStation] {
        visible.filter { $0.station.groups.contains(name) }
    }

    /// Every group's name, sorted.
    package var groups: [String] { Set(visible.flatMap(\.station.groups)).sorted() }

    /// The stations that fit, best first.
    package func search(_ query: StationQuery) throws -> [CatalogueStation] {
        Array(try all(query).dropFirst(query.offset).prefix(min(query.limit, StationQuery.largestLimit)))
    }

    /// Every station that fits, best first, whatever the query's limit: for files, which may leave nothing out.
    package func all(_ query: StationQuery) throws -> [CatalogueStation] {
        try candidates(query).filter { Self.fits($0, query) }
    }

    /// How many fit altogether.
    package func count(_ query: StationQuery) throws -> Int { try all(query).count }

    /// uuids of the directory that stations here are known by.
    package var directoryIDs: Set<String> { Set(stations.compactMap(\.entry.directoryID)) }

    private func candidates(_ query: StationQuery) throws -> [CatalogueStation] {
        guard StationIndex.match(query) != nil else { return query.text.isEmpty ? stations : [] }
        let index = try index.withLock { index in
            if let index { return index }
            let made = try StationIndex(stations)
            index = made
            return made
        }
        let found = try index.matches(query).map { stations[$0] }
        return Self.exactFirst(found, SearchText.words(query.text).joined(separator: " "))
    }

    /// Whose whole name was typed comes first, then names that begin so.
    private static func exactFirst(_ found: [CatalogueStation], _ text: String) -> [CatalogueStation] {
        guard !text.isEmpty else { return found }
        let ranked = found.enumerated().map { number, station -> (rank: Int, number: Int) in
            let name = SearchText.words(station.name).joined(separator: " ")
            return (name == text ? 0 : name.hasPrefix(text) ? 1 : 2, number)
        }
        return ranked.sorted { $0 < $1 }.map { found[$0.number] }
    }

    /// What is not text.
    private static func fits(_ entry: CatalogueStation, _ query: StationQuery) -> Bool {
        if entry.isHidden && !query.includesHidden { return false }
        if query.favouritesOnly && !entry.isFavourite { return false }
        if let group = query.group, !entry.station.groups.contains(group) { return false }
        if let codec = query.codec, entry.station.codec?.lowercased() != codec.lowercased() { return false }
        if let least = query.minimumBitrate, (entry.station.bitrate ?? 0) < least { return false }
        return true
    }
}
