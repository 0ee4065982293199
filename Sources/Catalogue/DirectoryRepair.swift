internal import TOMLText

/// What to change in a station of ours when the directory knows a better address for it.
package enum DirectoryRepair {
    /// Puts addresses that the directory could play, and that the station lacks, in front of its own; nil where there is
    /// nothing to do. Its own stay: they may come back.
    package static func change(_ station: CatalogueStation, by directory: DirectoryStation)
        -> CatalogueChange?
    {
        guard station.entry.directoryID == directory.uuid, directory.wasPlayable else { return nil }
        let own = station.station.urls
        let fresh = directory.entry(id: station.id).station.urls.filter { !own.contains($0) }
        guard !fresh.isEmpty else { return nil }
        let urls = Array((fresh + own).prefix(16))
        let place = TOMLPosition(line: 1, column: 1)
        return .edit(
            station.id, set: [TOMLEntry("urls", at: place, TOMLValue(.texts(urls), at: place))], clear: [])
    }
}
