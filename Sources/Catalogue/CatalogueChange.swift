package import TOMLText

/// What can be changed in the catalogue from the command line and the page. Files are never written.
package enum CatalogueChange: Sendable {
    /// A new station with an id that is free.
    case add(StationEntry)
    /// Stations of an import, which has checked them. An address that is already in the catalogue is passed over; ids that are empty or taken are
    /// made anew from the names.
    case addAll([StationEntry])
    /// Sets and clears fields of a station, whatever it came from. The values are those of a station file.
    case edit(String, set: [TOMLEntry], clear: [String])
    /// Takes back every edit; a file's station is again what its file says.
    case revert(String)
    /// Removes a station that was added, hides one for good that a file holds.
    case remove(String)
    case favourite(String, Bool)
    /// Puts a favourite at a place in their order, from 0.
    case moveFavourite(String, Int)
    /// Gives a number from 1 to 9 to a station, or frees it.
    case preset(Int, String?)
    case hide(String, Bool)

    /// The station that must be there for it.
    var station: String? {
        switch self {
        case .add, .addAll: nil
        case .edit(let id, _, _), .revert(let id), .remove(let id), .favourite(let id, _),
            .moveFavourite(let id, _),
            .hide(let id, _):
            id
        case .preset(_, let id): id
        }
    }

    /// The same change to another station.
    func about(_ id: String) -> CatalogueChange {
        switch self {
        case .add, .addAll: self
        case .edit(_, let set, let clear): .edit(id, set: set, clear: clear)
        case .revert: .revert(id)
        case .remove: .remove(id)
        case .favourite(_, let isFavourite): .favourite(id, isFavourite)
        case .moveFavourite(_, let place): .moveFavourite(id, place)
        case .preset(let number, _): .preset(number, id)
        case .hide(_, let isHidden): .hide(id, isHidden)
        }
    }
}

/// Which stations are not what they were.
package struct CatalogueDifference: Sendable, Hashable {
    package var added: [String] = []
    package var changed: [String] = []
    package var removed: [String] = []

    package var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }

    init(from old: CatalogueSnapshot, to new: CatalogueSnapshot) {
        for station in new.stations {
            switch old[station.id] {
            case nil: added.append(station.id)
            case let before? where before != station: changed.append(station.id)
            default: break
            }
        }
        removed = old.stations.map(\.id).filter { new[$0] == nil }
    }
}
