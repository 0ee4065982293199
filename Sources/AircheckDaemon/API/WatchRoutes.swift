internal import Catalogue
internal import ControlAPI
internal import Feed
internal import JSONText
internal import Platform
internal import StreamFormats

/// Watch-lists, what is on now across the favourites, and how stations are doing.
struct WatchRoutes {
    let rooms: Rooms
    let scout: StationScout
    let watchman: Watchman

    /// Seconds that a probe on demand listens.
    private static let probeSeconds = 8.0

    var all: [APIRoute] {
        [
            APIRoute("GET", "/api/v1/watches", .viewer, "the watch-lists") { [rooms] _ in
                .json(["watches": .array(rooms.watchList.rules.map(WatchJSON.rule))])
            },
            APIRoute(
                "POST", "/api/v1/watches", .operator, "wait for an artist or a title",
                body: [
                    .init("words", .string, required: true, "words that must stand there, one after another"),
                    .init("in", .string, "any, artist or title; any"),
                    .init("action", .string, "notify, tune or record; notify"),
                    .init("station", .string, "on this station alone: id, name or a unique part"),
                ]
            ) { try add($0) },
            APIRoute("DELETE", "/api/v1/watches/{id}", .operator, "wait no more") { [rooms] call in
                guard let id = Int64(call.name("id")), try rooms.watchList.remove(id) else {
                    throw APIFailure(.notFound, "there is no watch of that number")
                }
                return .nothing
            },
            APIRoute(
                "GET", "/api/v1/now", .viewer,
                "what is on now across the favourites; those that nobody reads are looked at one after another"
            ) { _ in now() },
            APIRoute("GET", "/api/v1/dead-air", .viewer, "stations that send nothing that can be heard") {
                [watchman] _ in
                .json(["stations": .array(watchman.alarming.sorted().map(JSONValue.string))])
            },
            APIRoute(
                "POST", "/api/v1/stations/{id}/probe", .operator,
                "try a station: reachable, codec, bit rate, titles"
            ) { [rooms, scout] call in
                let station = try rooms.resolve(call.name("id"))
                return .json(
                    ProbeJSON.object(scout.probe(station, seconds: Self.probeSeconds, isNoted: true)))
            },
            APIRoute("GET", "/api/v1/stations/{id}/probes", .viewer, "the last tries of a station") {
                [rooms] call in
                let id = try rooms.resolve(call.name("id")).id
                return .json(["probes": .array(try rooms.facts.probes(of: id).map(ProbeJSON.object))])
            },
        ]
    }

    private func add(_ call: APIRequest) throws -> APIAnswer {
        let words = call.body["words"]?.string ?? ""
        guard !words.isEmpty, words.count <= WatchRule.longestWords else {
            throw APIFailure(.badRequest, "words must have 1 to \(WatchRule.longestWords) characters")
        }
        guard let field = WatchRule.Field(rawValue: call.body["in"]?.string ?? "any") else {
            throw APIFailure(.badRequest, "in must be any, artist or title")
        }
        guard let action = WatchRule.Action(rawValue: call.body["action"]?.string ?? "notify") else {
            throw APIFailure(.badRequest, "action must be notify, tune or record")
        }
        let station = try call.body["station"]?.string.map { try rooms.resolve($0).id }
        let rule = WatchRule(words, in: field, action: action, station: station, created: rooms.time.wall)
        guard let kept = try rooms.watchList.add(rule) else {
            throw APIFailure(
                .conflict, "there are \(WatchList.most) watches already", remedy: "Remove one first.")
        }
        return .created(WatchJSON.rule(kept))
    }

    private func now() -> APIAnswer {
        scout.ask()
        let rows = rooms.catalogue.snapshot.favourites.map { favourite -> JSONValue in
            let airing = scout.airing(of: favourite.id)
            return [
                "station": StationJSON.reference(favourite.station),
                "now": airing.map { FeedJSON.title($0.title) } ?? .null,
                "seen": JSONValue(airing.map { LocalTime.iso($0.at) }),
                "live": .bool(rooms.hub.feed(id: favourite.id)?.status.state == .live),
            ]
        }
        return .json(["favourites": .array(rows)])
    }
}
