package import StreamFormats

/// A station and what a station file says about the entry itself.
package struct StationEntry: Sendable, Hashable {
    package var station: Station
    /// Somebody or `stations probe` has heard it.
    package var isVerified = false
    /// Its `stationuuid` in the Radio Browser directory, for repair and for counting.
    package var directoryID: String?

    package init(_ station: Station) { self.station = station }

    package var id: String { station.id }
}

/// A station as the catalogue shows it: the entry, where it came from, and what people here did with it.
package struct CatalogueStation: Sendable, Hashable {
    package enum Origin: Sendable, Hashable {
        /// A station file, and the line of its `[[station]]`.
        case file(String, line: Int)
        /// Added by the command line or the page.
        case added
        /// Found in the directory snapshot, not taken over.
        case directory
    }

    package var entry: StationEntry
    package var origin: Origin
    /// Fields of the file that have been changed here.
    package var edited: [String] = []
    package var isFavourite = false
    /// 1 to 9.
    package var preset: Int?
    /// Left out of lists and searches.
    package var isHidden = false

    package init(_ entry: StationEntry, origin: Origin) {
        self.entry = entry
        self.origin = origin
    }

    package var station: Station { entry.station }
    package var id: String { entry.station.id }
    package var name: String { entry.station.name }
    /// The same station under the id that it has in the directory, by which it may have been asked for before it was taken
    /// over; nil where the directory has it not.
    package var inDirectory: Station? {
        entry.directoryID.map { uuid in
            var station = entry.station
            station.id = DirectoryStation.prefix + uuid
            return station
        }
    }
}
