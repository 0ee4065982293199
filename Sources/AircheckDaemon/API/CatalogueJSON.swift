package import Catalogue
package import JSONText

/// A station with what people here did with it, as the API writes it.
package enum CatalogueJSON {
    package static func object(_ station: CatalogueStation) -> JSONValue {
        guard case .object(var members) = StationJSON.object(station.station) else { return .null }
        members.append(.init("favourite", .bool(station.isFavourite)))
        members.append(.init("verified", .bool(station.entry.isVerified)))
        if let preset = station.preset { members.append(.init("preset", .int(Int64(preset)))) }
        if station.isHidden { members.append(.init("hidden", true)) }
        switch station.origin {
        case .file(let path, let line): members.append(.init("from", .string("\(path):\(line)")))
        case .added: members.append(.init("from", "added"))
        case .directory: members.append(.init("from", "directory"))
        }
        return .object(members)
    }
}
