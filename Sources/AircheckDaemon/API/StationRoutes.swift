internal import Catalogue
internal import ControlAPI
internal import JSONText
internal import StreamFormats

/// The catalogue.
struct StationRoutes {
    let rooms: Rooms

    var all: [APIRoute] { reading + files + changing }

    var filters: [APIRoute.Parameter] {
        [
            .init("query", .string, "words, or the beginnings of words"), .init("genre", .string, "genre"),
            .init("country", .string, "code or name"), .init("language", .string, "language"),
            .init("tag", .string, "tag"), .init("group", .string, "group"),
            .init("favourites", .boolean, "favourites only"),
        ]
    }

    private var pages: [APIRoute.Parameter] {
        [.init("limit", .integer, "1 to 1000; 50"), .init("offset", .integer, "how many to leave out")]
    }

    private var reading: [APIRoute] {
        [
            APIRoute(
                "GET", "/api/v1/stations", .viewer, "find stations",
                query: filters + pages
            ) { try list($0) },
            APIRoute(
                "GET", "/api/v1/stations/own", .viewer,
                "stations on presets, by their numbers, and those that were added by hand"
            ) { [rooms] _ in
                let stations = rooms.catalogue.snapshot.stations
                let presets = stations.filter { $0.preset != nil }
                    .sorted { ($0.preset ?? 0) < ($1.preset ?? 0) }
                let added = stations.filter { $0.origin == .added }.prefix(StationQuery.largestLimit)
                return .json([
                    "presets": .array(presets.map(CatalogueJSON.object)),
                    "added": .array(added.map(CatalogueJSON.object)),
                ])
            },
            APIRoute(
                "GET", "/api/v1/stations/counts", .viewer,
                "how many stations each genre, country and language has, the most first"
            ) { [rooms] _ in
                let stations = rooms.catalogue.snapshot.stations.filter { !$0.isHidden }.map(\.station)
                return .json([
                    "stations": .int(Int64(stations.count)), "genre": Self.counts(stations.map(\.genre)),
                    "country": Self.counts(stations.map(\.country)),
                    "language": Self.counts(stations.map(\.language)),
                ])
            },
            APIRoute(
                "GET", "/api/v1/stations/{id}", .viewer, "one station, by id, name or a unique part"
            ) { [rooms] call in .json(CatalogueJSON.object(try rooms.resolve(call.name("id")))) },
            APIRoute("GET", "/api/v1/stations/{id}/now", .viewer, "what a station plays, if it is connected")
            { [rooms] call in
                let station = try rooms.resolve(call.name("id")).station
                guard let feed = rooms.hub.feed(id: station.id) else {
                    return .json(["station": StationJSON.reference(station), "state": "idle", "now": nil])
                }
                return .json([
                    "station": StationJSON.reference(station), "state": .string(feed.status.state.rawValue),
                    "reason": JSONValue(feed.status.reason),
                    "now": feed.nowAiring.map(FeedJSON.mark) ?? .null,
                ])
            },
            APIRoute(
                "GET", "/api/v1/stations/{id}/titles", .viewer, "the titles that are remembered, oldest first"
            ) {
                [rooms] call in
                let station = try rooms.resolve(call.name("id")).station
                let titles = rooms.hub.feed(id: station.id)?.titles ?? []
                return .json([
                    "station": StationJSON.reference(station), "titles": .array(titles.map(FeedJSON.mark)),
                ])
            },
        ]
    }

    private var changing: [APIRoute] {
        [
            APIRoute(
                "POST", "/api/v1/stations/{id}/warm", .viewer,
                "connect a station that is about to be heard, so that it sounds at once; `held` says whether it is"
            ) { [rooms] call in
                let station = try rooms.resolve(call.name("id")).station
                return .json([
                    "station": StationJSON.reference(station), "held": .bool(rooms.warm.warm(station)),
                    "seconds": .number(WarmList.lasts),
                ])
            },
            APIRoute(
                "POST", "/api/v1/stations", .admin, "add a station",
                body: [
                    .init("urls", .array, required: true, "its addresses, best first"),
                    .init("id", .string, "made from the name where it is missing"),
                    .init("name", .string, "its name"),
                    .init("genre", .string, "its genre"), .init("country", .string, "two letters"),
                    .init("language", .string, "its language"), .init("homepage", .string, "its page"),
                ]
            ) { try add($0) },
            APIRoute("DELETE", "/api/v1/stations/{id}", .admin, "remove a station, or hide one of the files")
            {
                [rooms] call in
                let station = try rooms.resolve(call.name("id"))
                try change(.remove(station.id))
                rooms.hub.remove(id: station.id)
                return .nothing
            },
            APIRoute(
                "PUT", "/api/v1/stations/{id}/favourite", .operator, "mark a station as favourite, or not",
                body: [.init("value", .boolean, required: true, "true for a favourite")]
            ) { [rooms] call in
                let id = try rooms.resolve(call.name("id")).id
                try change(.favourite(id, call.body["value"]?.bool ?? false))
                return .json(CatalogueJSON.object(try rooms.resolve(id)))
            },
            APIRoute(
                "PUT", "/api/v1/stations/{id}/preset", .operator, "put a station on a preset, 1 to 9",
                body: [.init("number", .integer, required: true, "1 to 9")]
            ) { [rooms] call in
                let id = try rooms.resolve(call.name("id")).id
                guard let number = call.body["number"]?.int, (1...9).contains(number) else {
                    throw APIFailure(.badRequest, "number must be 1 to 9")
                }
                try change(.preset(Int(number), id))
                return .json(CatalogueJSON.object(try rooms.resolve(id)))
            },
            APIRoute(
                "DELETE", "/api/v1/stations/{id}/preset", .operator, "take a station off its preset"
            ) { [rooms] call in
                let station = try rooms.resolve(call.name("id"))
                if let number = station.preset { try change(.preset(number, nil)) }
                return .nothing
            },
            APIRoute("POST", "/api/v1/stations/reload", .operator, "read the station files again") {
                [rooms] _ in
                let difference = rooms.catalogue.reload()
                return .json([
                    "added": .array(difference.added.map(JSONValue.string)),
                    "changed": .array(difference.changed.map(JSONValue.string)),
                    "removed": .array(difference.removed.map(JSONValue.string)),
                    "problems": .array(rooms.catalogue.problems.map { .string($0.description) }),
                ])
            },
        ]
    }

    /// More of a kind than anybody looks through are not listed.
    private static let mostCounted = 200

    private static func counts(_ values: [String?]) -> JSONValue {
        let counts = values.reduce(into: [String: Int]()) { counts, value in
            if let value, !value.isEmpty { counts[value, default: 0] += 1 }
        }
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return .array(
            sorted.prefix(mostCounted).map { ["value": .string($0.key), "stations": .int(Int64($0.value))] })
    }

    private func list(_ call: APIRequest) throws -> APIAnswer {
        .json(["stations": .array(try find(call).map(CatalogueJSON.object))])
    }

    private func find(_ call: APIRequest) throws -> [CatalogueStation] {
        var query = query(call)
        query.limit = try call.number("limit", standard: 50, in: 1...StationQuery.largestLimit)
        query.offset = try call.number("offset", standard: 0, in: 0...1_000_000)
        return try rooms.catalogue.search(query)
    }

    func query(_ call: APIRequest) -> StationQuery {
        var query = StationQuery(call.query["query"] ?? "")
        query.genre = call.query["genre"]
        query.country = call.query["country"]
        query.language = call.query["language"]
        query.tag = call.query["tag"]
        query.group = call.query["group"]
        query.favouritesOnly = call.flag("favourites")
        return query
    }

    private func add(_ call: APIRequest) throws -> APIAnswer {
        let urls = (call.body["urls"]?.array ?? []).compactMap(\.string)
        guard !urls.isEmpty else { throw APIFailure(.badRequest, "urls must hold at least one address") }
        let name = call.body["name"]?.string ?? StationNaming.name(for: urls[0])
        let id = call.body["id"]?.string ?? StationNaming.id(for: name)
        var station = Station(id: id, name: name, urls: urls)
        station.genre = call.body["genre"]?.string
        station.country = call.body["country"]?.string
        station.language = call.body["language"]?.string
        station.homepage = call.body["homepage"]?.string
        // Whoever may add stations owns the machine: its addresses may be in the local network.
        station.isLocal = true
        try change(.add(StationEntry(station)))
        return .created(CatalogueJSON.object(try rooms.resolve(id)))
    }

    @discardableResult
    func change(_ change: CatalogueChange) throws -> CatalogueDifference {
        try Self.explained { try rooms.catalogue.apply(change) }
    }

    static func explained<Value>(_ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch let error as CatalogueError {
            if case .taken = error { throw APIFailure(.conflict, error.description) }
            throw APIFailure(.unprocessable, error.description)
        }
    }
}
