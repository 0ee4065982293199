internal import Catalogue
internal import ControlAPI
internal import JSONText
internal import Platform
internal import StreamFormats

/// What a station says of itself and people here may say otherwise: how its titles are read, how loud it is, how much of
/// its past is kept. And its other qualities.
struct StationSettingsRoutes {
    let rooms: Rooms

    /// Keys that the page may read and change. Addresses and headers are not among them: they may hold secrets.
    static let keys = [
        "name", "genre", "country", "language", "market", "frequency", "callsign", "homepage", "logo",
        "programme",
        "charset", "titles", "gain", "window", "fallback", "always_on", "tags", "groups",
    ]

    private static let path = "/api/v1/stations/{id}/settings"

    var all: [APIRoute] {
        [
            APIRoute(
                "GET", Self.path, .viewer, "a station's own settings, and which of them were changed here"
            ) { [rooms] call in .json(Self.object(try rooms.resolve(call.name("id")))) },
            APIRoute(
                "PUT", Self.path, .admin,
                "change settings of a station; a value sets one, null takes it away. Its file is never written",
                body: Self.keys.compactMap(StationField.named).map(Self.field)
            ) { try change($0) },
            APIRoute(
                "DELETE", Self.path, .admin,
                "take back what was changed: the station is again what its file says"
            ) { [rooms] call in
                let id = try rooms.resolve(call.name("id")).id
                try rooms.catalogue.apply(.revert(id))
                return .json(Self.object(try rooms.resolve(id)))
            },
            APIRoute(
                "GET", "/api/v1/stations/{id}/qualities", .viewer,
                "the same programme in other qualities, by bit rate, falling; the station itself is among them"
            ) { [rooms] call in
                let station = try rooms.resolve(call.name("id"))
                return .json([
                    "stations": .array(try rooms.catalogue.qualities(of: station).map(CatalogueJSON.object))
                ])
            },
        ]
    }

    private func change(_ call: APIRequest) throws -> APIAnswer {
        let id = try rooms.resolve(call.name("id")).id
        do {
            try rooms.catalogue.apply(.edit(id, json: call.body))
        } catch let error as CatalogueError {
            throw APIFailure(.unprocessable, error.description)
        }
        return .json(Self.object(try rooms.resolve(id)))
    }

    private static func object(_ station: CatalogueStation) -> JSONValue {
        let members = station.entry.json.members ?? []
        let shown = members.filter { keys.contains($0.key) }
        return [
            "station": StationJSON.reference(station.station), "settings": .object(shown),
            "edited": .array(station.edited.map(JSONValue.string)), "keys": .array(keys.map(describe)),
        ]
    }

    /// What a form shows of a key.
    private static func describe(_ key: String) -> JSONValue {
        guard let field = StationField.named(key) else { return .null }
        return [
            "key": .string(key), "kind": .string(field.kind), "help": .string(field.documentation),
            "example": .string(field.example),
        ]
    }

    private static func field(_ field: StationField) -> APIRoute.Field {
        let kind: APIRoute.Field.Kind =
            switch field.kind {
            case "whole number": .integer
            case "number": .number
            case "true or false": .boolean
            case let kind where kind.hasPrefix("list"): .array
            default: .string
            }
        return .init(field.key, kind, field.documentation)
    }
}
