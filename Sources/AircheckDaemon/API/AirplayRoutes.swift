internal import Catalogue
internal import ControlAPI
internal import Feed
internal import JSONText
internal import Platform
internal import Recording
internal import StreamFormats

/// The airplay log, and what somebody thinks of what aired.
struct AirplayRoutes {
    let rooms: Rooms
    let dial: DialRunner

    var all: [APIRoute] {
        let filters: [APIRoute.Parameter] = [
            .init("query", .string, "words of a title, or their beginnings"),
            .init("station", .string, "id, name or a unique part"),
            .init("from", .string, "not before: 2026-12-24T18:00:00Z"), .init("to", .string, "before that"),
            .init("limit", .integer, "1 to 5000; 100"),
        ]
        return [
            APIRoute("GET", "/api/v1/log", .viewer, "what aired, newest first", query: filters) { call in
                .json(["airings": .array(try search(call).map(AirplayExport.json))])
            },
            APIRoute(
                "GET", "/api/v1/log.csv", .viewer, "the same for a spreadsheet", query: filters,
                result: .text(["text/csv"])
            ) {
                call in
                .text(AirplayExport.csv(try search(call)), type: "text/csv; charset=utf-8")
            },
            APIRoute("GET", "/api/v1/thumbs", .viewer, "thumbs that were given, newest first") { [rooms] _ in
                .json(["thumbs": .array(rooms.thumbs.all.map(Self.json))])
            },
            APIRoute(
                "PUT", "/api/v1/thumbs", .operator,
                "give a thumb to what a station plays now, or take it back; a thumb down leaves the station",
                body: [
                    .init("station", .string, required: true, "id, name or a unique part"),
                    .init("direction", .string, required: true, "up, down or none"),
                    .init("since", .string, "`since` of the title that is meant; else what is heard now"),
                ]
            ) { try give($0) },
        ]
    }

    private func search(_ call: APIRequest) throws -> [Airing] {
        var query = AirplayQuery(call.query["query"] ?? "")
        query.station = try call.query["station"].map { try rooms.resolve($0).id }
        query.from = try moment(call.query["from"])
        query.to = try moment(call.query["to"])
        query.limit = try call.number("limit", standard: 100, in: 1...AirplayQuery.largestLimit)
        return try rooms.airplay.search(query)
    }

    private func moment(_ text: String?) throws -> WallTime? {
        guard let text else { return nil }
        guard let wall = WallStamp.wall(text) else {
            throw APIFailure(.badRequest, "a time must be like 2026-12-24T18:00:00Z")
        }
        return wall
    }

    private func give(_ call: APIRequest) throws -> APIAnswer {
        let station = try rooms.resolve(call.body["station"]?.string ?? "").station
        let status = rooms.player.status
        // What somebody hears is what they judge, not what arrives meanwhile.
        let isHeard = status.isPlaying && status.tunedStation?.id == station.id
        let mark =
            try meant(call.body["since"]?.string, of: station.id)
            ?? (isHeard ? status.tunedTitle : rooms.hub.feed(id: station.id)?.nowAiring)
        guard let airing = mark, let title = airing.text.title else {
            throw APIFailure(.conflict, "no title is known of what this station plays now")
        }
        switch call.body["direction"]?.string {
        case "up", "down":
            let direction: Thumb.Direction = call.body["direction"]?.string == "up" ? .up : .down
            rooms.thumbs.set(
                Thumb(
                    direction, artist: airing.text.artist, title: title, station: station.id,
                    at: rooms.time.wall))
        case "none": rooms.thumbs.clear(artist: airing.text.artist, title: title)
        default: throw APIFailure(.badRequest, "direction must be up, down or none")
        }
        rooms.events.publish(
            "thumb",
            [
                "station": StationJSON.reference(station), "now": FeedJSON.mark(airing),
                "direction": call.body["direction"] ?? .null,
            ])
        if isHeard, call.body["direction"]?.string == "down" { dial.leave() }
        return .json(["station": StationJSON.reference(station), "now": FeedJSON.mark(airing)])
    }

    /// The title that began then: a browser hears a station some seconds late, and says what it shows.
    private func meant(_ since: String?, of station: String) throws -> TitleMark? {
        guard let since else { return nil }
        guard let mark = rooms.hub.feed(id: station)?.titles.last(where: { WallStamp.text($0.wall) == since })
        else { throw APIFailure(.conflict, "no title of this station began then") }
        return mark
    }

    private static func json(_ thumb: Thumb) -> JSONValue {
        [
            "direction": .string(thumb.direction.rawValue), "artist": JSONValue(thumb.artist),
            "title": .string(thumb.title), "station": .string(thumb.station),
            "at": .string(LocalTime.iso(thumb.at)),
        ]
    }
}
