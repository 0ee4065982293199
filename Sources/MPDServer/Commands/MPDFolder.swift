/// The folders that clients browse: favourites, the stations by tag and by country, and recordings. Pure.
struct MPDFolder {
    /// Names of the folders in it, as paths.
    var folders: [String] = []
    var entries: [MPDEntry] = []

    private static let favourites = "Favourites"
    private static let stations = "Stations"
    private static let tags = "Tags"
    private static let countries = "Countries"
    private static let recordings = "Recordings"

    /// What a path leads to; the empty one is the top. Nil for a path that does not exist.
    /// - Parameter recordings: asked for only where the path leads to them.
    init?(_ path: String, in stations: [MPDEntry], recordings: () -> [MPDEntry]) {
        let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
        switch (parts.first, parts.dropFirst().first) {
        case (nil, _):
            folders = [Self.favourites, Self.stations, Self.tags, Self.countries, Self.recordings]
        case (Self.recordings, nil): entries = recordings()
        case (Self.favourites, nil): entries = stations.filter(\.isFavourite)
        case (Self.stations, nil): entries = stations
        case (Self.tags, nil): folders = Self.names(stations, Self.tagNames).map { "\(Self.tags)/\($0)" }
        case (Self.tags, let tag?): entries = stations.filter { Self.tagNames($0).contains(tag) }
        case (Self.countries, nil):
            folders = Self.names(stations) { [$0.country].compactMap { $0 } }.map {
                "\(Self.countries)/\($0)"
            }
        case (Self.countries, let country?): entries = stations.filter { $0.country == country }
        default: return nil
        }
        if parts.count == 2, entries.isEmpty { return nil }
    }

    private static func tagNames(_ entry: MPDEntry) -> [String] {
        (entry.tags + [entry.genre].compactMap { $0 }).filter { !$0.isEmpty && !$0.contains("/") }
    }

    private static func names(_ stations: [MPDEntry], _ of: (MPDEntry) -> [String]) -> [String] {
        Set(stations.flatMap(of)).sorted()
    }
}

extension MPDScene {
    /// What `add` takes: a station, or everything below a folder.
    func found(_ uri: String) throws(MPDFailure) -> [MPDEntry] {
        if let folder = MPDFolder(
            uri == "/" ? "" : uri, in: backend.stations, recordings: { backend.recordings })
        {
            return folder.entries.isEmpty && uri.isEmpty ? backend.stations : folder.entries
        }
        return [try entry(uri)]
    }
}
