internal import Catalogue
internal import CLinux
internal import ControlAPI
internal import Glibc
internal import Household
internal import JSONText
internal import Platform
internal import Recording

/// What the page keeps for everybody of the house: filters, colours, order, history, hours.
struct HouseholdRoutes {
    let rooms: Rooms

    private static let textLimit = 200

    var all: [APIRoute] { lists + descriptions + history + hours }

    // MARK: Filters, colours, order

    private var lists: [APIRoute] {
        [
            APIRoute("GET", "/api/v1/filters", .viewer, "filters that somebody made") { _ in
                .json(["filters": .array(rooms.shelf.all(.filter).map(\.value))])
            },
            APIRoute(
                "PUT", "/api/v1/filters/{id}", .operator, "make a filter, or change one",
                body: [
                    .init("name", .string, required: true, "its name"),
                    .init("colour", .integer, "1 to 12"), .init("icon", .string, "a pictogram's name"),
                    .init("rules", .object, required: true, "state, type, station, since, longer, shorter"),
                ]
            ) { try filter($0) },
            APIRoute("DELETE", "/api/v1/filters/{id}", .operator, "take a filter away") { call in
                guard rooms.shelf.remove(.filter, call.name("id")) else {
                    throw APIFailure(.notFound, "there is no filter of that id")
                }
                rooms.events.publish("filters", ["filters": .array(rooms.shelf.all(.filter).map(\.value))])
                return .nothing
            },
            APIRoute("GET", "/api/v1/tints", .viewer, "colours of shows, as measured in their pictures") {
                _ in
                .json(["tints": .object(rooms.shelf.all(.tint).map { .init($0.key, $0.value) })])
            },
            APIRoute(
                "PUT", "/api/v1/tints/{show}", .operator, "keep the colour of a show",
                body: [.init("colour", .string, required: true, "#rrggbb")]
            ) { try tint($0) },
            APIRoute("GET", "/api/v1/favourites", .viewer, "the order of favourites") { _ in
                .json(["stations": favouriteIDs])
            },
            APIRoute(
                "PUT", "/api/v1/favourites", .operator, "put favourites in order",
                body: [.init("stations", .array, required: true, "ids in order")]
            ) { call in
                try order((call.body["stations"]?.array ?? []).compactMap(\.string))
                rooms.events.publish("favourites", ["stations": favouriteIDs])
                return .json(["stations": favouriteIDs])
            },
        ]
    }

    private var favouriteIDs: JSONValue {
        .array(rooms.catalogue.snapshot.favourites.map { .string($0.station.id) })
    }

    /// Favourites in this order; what is no favourite is passed over, and those that are not named come last.
    private func order(_ ids: [String]) throws {
        let known = Set(rooms.catalogue.snapshot.favourites.map(\.station.id))
        for (place, id) in ids.filter(known.contains).enumerated() {
            let now = rooms.catalogue.snapshot.favourites
            guard place < now.count, now[place].station.id != id else { continue }
            try rooms.catalogue.apply(.moveFavourite(id, place))
        }
    }

    private func filter(_ call: APIRequest) throws -> APIAnswer {
        let name = String((call.body["name"]?.string ?? "").prefix(Self.textLimit))
        let colour = call.body["colour"]?.int ?? 1
        let rules = call.body["rules"] ?? .object([])
        guard !name.isEmpty, (1...12).contains(colour), call.name("id").utf8.count <= 64,
            rules.text().utf8.count <= 4000
        else {
            throw APIFailure(.badRequest, "a filter needs a name, a colour from 1 to 12, and short rules")
        }
        let made: JSONValue = [
            "id": .string(call.name("id")), "name": .string(name), "colour": .int(colour),
            "icon": .string(String((call.body["icon"]?.string ?? "star").prefix(32))), "rules": rules,
        ]
        rooms.shelf.put(.filter, call.name("id"), made)
        rooms.events.publish("filters", ["filters": .array(rooms.shelf.all(.filter).map(\.value))])
        return .json(made)
    }

    private func tint(_ call: APIRequest) throws -> APIAnswer {
        let colour = call.body["colour"]?.string ?? ""
        let digits = colour.dropFirst()
        guard colour.hasPrefix("#"), digits.count == 6, digits.allSatisfy(\.isHexDigit),
            call.name("show").utf8.count <= Self.textLimit * 4
        else { throw APIFailure(.badRequest, "colour must be like #c6002b") }
        rooms.shelf.put(.tint, call.name("show"), .string(colour))
        return .json(["colour": .string(colour)])
    }

    // MARK: Descriptions

    private var descriptions: [APIRoute] {
        [
            APIRoute(
                "GET", "/api/v1/descriptions/{key}", .viewer,
                "what somebody wrote about a recording (its id) or a show (show:NAME, station:ID); empty for nothing"
            ) { call in
                .json(["text": .string(rooms.descriptions[call.name("key")] ?? "")])
            },
            APIRoute(
                "PUT", "/api/v1/descriptions/{key}", .operator,
                "say what a recording or a show is about; empty says nothing. Feeds have it too",
                body: [.init("text", .string, required: true, "at most \(Descriptions.limit) characters")]
            ) { try describe($0) },
        ]
    }

    private func describe(_ call: APIRequest) throws -> APIAnswer {
        let (key, text) = (call.name("key"), call.body["text"]?.string ?? "")
        guard key.utf8.count <= Self.textLimit * 4, text.count <= Descriptions.limit else {
            throw APIFailure(.badRequest, "text must have at most \(Descriptions.limit) characters")
        }
        rooms.descriptions.put(text, about: key)
        rooms.events.publish("description", ["key": .string(key), "text": .string(text)])
        return .json(["text": .string(text)])
    }

    // MARK: History

    private var isPaused: Bool { rooms.shelf[.setting, "paused"]?.bool ?? false }

    private var history: [APIRoute] {
        [
            APIRoute(
                "GET", "/api/v1/history", .viewer, "what was played, newest first",
                query: [
                    .init("kind", .string, "station or recording"), .init("limit", .integer, "1 to 500; 50"),
                ]
            ) { call in
                let kind = call.query["kind"]
                let limit = try call.number("limit", standard: 50, in: 1...500)
                let found = rooms.shelf.all(.history).reversed().map(\.value)
                    .filter { kind == nil || $0["kind"]?.string == kind }
                return .json(["paused": .bool(isPaused), "history": .array(Array(found.prefix(limit)))])
            },
            APIRoute(
                "POST", "/api/v1/history", .operator, "say what is played",
                body: [.init("station", .string, "its id"), .init("recording", .string, "its id")]
            ) { try played($0) },
            APIRoute("DELETE", "/api/v1/history", .operator, "forget what was played") { _ in
                rooms.shelf.clear(.history)
                rooms.events.publish("history", ["cleared": true])
                return .nothing
            },
            APIRoute(
                "PUT", "/api/v1/history/paused", .operator, "write no history, or go on with it",
                body: [.init("value", .boolean, required: true, "true for none")]
            ) { call in
                let value = call.body["value"]?.bool ?? false
                rooms.shelf.put(.setting, "paused", .bool(value))
                rooms.events.publish("history", ["paused": .bool(value)])
                return .json(["paused": .bool(value)])
            },
        ]
    }

    private func played(_ call: APIRequest) throws -> APIAnswer {
        guard !isPaused else { return .json(["paused": true]) }
        let now = rooms.time.wall
        var entry: [JSONValue.Member] = [.init("at", .string(LocalTime.iso(now)))]
        let same: String
        if let text = call.body["station"]?.string {
            let station = try rooms.resolve(text)
            same = "station:\(station.id)"
            entry += [.init("kind", "station"), .init("station", StationJSON.reference(station.station))]
        } else if let id = call.body["recording"]?.string,
            let facts = try rooms.library.recording(RecordingID(id))
        {
            same = "recording:\(id)"
            entry += [.init("kind", "recording"), .init("recording", RecordingJSON.row(facts))]
        } else {
            throw APIFailure(.badRequest, "station or recording must say what is played")
        }
        entry.append(.init("key", .string(same)))
        // Played again within the hour is one entry, at its newest place.
        let hourAgo = now.advanced(bySeconds: -3600)
        for old in rooms.shelf.all(.history).reversed() {
            guard old.at > hourAgo else { break }
            if old.value["key"]?.string == same { _ = rooms.shelf.remove(.history, old.key) }
        }
        rooms.shelf.put(.history, Self.sortable(now), .object(entry))
        rooms.events.publish("history", .object(entry))
        return .json(.object(entry))
    }

    /// Keys that sort by time.
    private static func sortable(_ wall: WallTime) -> String {
        let digits = String(UInt64(clamping: wall.nanoseconds))
        return String(repeating: "0", count: max(0, 20 - digits.count)) + digits
    }

    // MARK: Hours

    private var hours: [APIRoute] {
        [
            APIRoute("GET", "/api/v1/stats", .viewer, "hours heard, recorded and saved; what was played most")
            { _ in
                .json(try stats())
            },
            APIRoute(
                "POST", "/api/v1/stats/heard", .operator, "say how long somebody listened",
                body: [
                    .init("live", .number, "seconds of live radio"),
                    .init("recorded", .number, "seconds of recordings, by the wall clock"),
                    .init("trim", .number, "seconds saved by trimming silence"),
                    .init("speed", .number, "seconds saved by speed"),
                    .init("station", .string, "which station"),
                    .init("artist", .string, "who was playing"),
                ]
            ) { try heard($0) },
            APIRoute("GET", "/api/v1/storage", .viewer, "room for recordings") { _ in .json(try storage()) },
        ]
    }

    private func heard(_ call: APIRequest) throws -> APIAnswer {
        let names = ["live", "recorded", "trim", "speed"]
        let values = try names.map { name in
            let seconds = call.body[name]?.double ?? 0
            guard (-3600...3600).contains(seconds) else {
                throw APIFailure(.badRequest, "\(name) must be at most an hour")
            }
            return seconds
        }
        rooms.hours.add(
            HeardHours.While(
                live: values[0], recorded: values[1], trim: values[2], speed: values[3],
                station: call.body["station"]?.string.flatMap { rooms.catalogue.station($0)?.id },
                artist: call.body["artist"]?.string))
        return .nothing
    }

    private func stats() throws -> JSONValue {
        rooms.hours.settle()
        let total = rooms.shelf[.heard, "total"]
        let recorded = try rooms.library.summaries().reduce(0) { $0 + $1.seconds }
        func most(_ prefix: String) -> [(String, Double)] {
            rooms.shelf.all(.heard, prefix: prefix)
                .map { (String($0.key.dropFirst(prefix.count)), $0.value["live"]?.double ?? 0) }
                .sorted { $0.1 > $1.1 }.prefix(10).map { $0 }
        }
        return [
            "since": JSONValue(rooms.hours.since),
            "live_seconds": .number(total?["live"]?.double ?? 0),
            "recorded_seconds": .number(total?["recorded"]?.double ?? 0),
            "held_seconds": .number(recorded),
            "trim_seconds": .number(total?["trim"]?.double ?? 0),
            "speed_seconds": .number(total?["speed"]?.double ?? 0),
            "stations": .array(
                most("station/").map { id, seconds in
                    [
                        "id": .string(id), "name": .string(rooms.catalogue.station(id)?.station.name ?? id),
                        "seconds": .number(seconds),
                    ]
                }),
            "artists": .array(
                most("artist/").map { ["name": .string($0.0), "seconds": .number($0.1)] }),
        ]
    }

    /// Free space beyond what new recordings need, below which the page warns: some hours of one station.
    private static let spare = 1_000_000_000.0

    private func storage() throws -> JSONValue {
        let all = try rooms.library.summaries()
        var space = statvfs()
        let isKnown = statvfs(rooms.folders.recordings, &space) == 0
        let free = isKnown ? Double(space.f_bavail) * Double(space.f_frsize) : nil
        let (forNew, forAll) = (
            Double(rooms.configuration.recording.freeForNew), Double(rooms.configuration.recording.freeForAll)
        )
        return [
            "folder": .string(rooms.folders.recordings), "recordings": .int(Int64(all.count)),
            "bytes": .int(all.reduce(0) { $0 &+ $1.bytes }), "free": JSONValue(free),
            "low": .bool(free.map { $0 < max(forNew, forAll) + Self.spare } ?? false),
            "refuses_new": .bool(free.map { $0 < forNew } ?? false),
            "pauses": .bool(free.map { $0 < forAll } ?? false), "retention": retention,
        ]
    }

    /// What is deleted by itself, and what room is kept.
    private var retention: JSONValue {
        let (logger, window) = (rooms.configuration.logger, rooms.configuration.window)
        let recording = rooms.configuration.recording
        return [
            "free_for_new": .int(Int64(recording.freeForNew)),
            "free_for_all": .int(Int64(recording.freeForAll)),
            "logger": .array(logger.stations.map(JSONValue.string)),
            "keep_seconds": .int(logger.keepAge.components.seconds),
            "keep_files": .int(Int64(logger.keepFiles)),
            "keep_bytes": .int(Int64(logger.keepBytes)), "keep_free": .int(Int64(logger.keepFree)),
            "window_seconds": .int(window.disk.components.seconds),
            "window_bytes": .int(Int64(window.diskBytes)),
        ]
    }
}
