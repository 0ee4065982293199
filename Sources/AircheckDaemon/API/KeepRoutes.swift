internal import ControlAPI
internal import Feed
internal import JSONText
internal import Platform
internal import Recording
internal import StreamFormats

/// Keeping what has been on the air already.
struct KeepRoutes {
    let rooms: Rooms

    /// More than this is never held.
    private static let longest = 366 * 86_400.0

    var all: [APIRoute] {
        [
            APIRoute(
                "POST", "/api/v1/keep", .operator,
                "keep what has been on the air: a song from its start to its end, or the last minutes or hours",
                body: [
                    .init(
                        "station", .string, "id, name or a unique part; without one, what the player plays"),
                    .init("song", .string, "`present` or `previous`; or one of the next two"),
                    .init("seconds", .number, "the last so many"),
                    .init("since", .string, "from then on: 2026-12-24T18:00:00Z"),
                    .init("template", .string, "name below the recordings' folder"),
                    .init("show", .string, "name of the programme"),
                    .init("keep", .boolean, "never delete it by itself"),
                ]
            ) { try keep($0) },
            APIRoute(
                "GET", "/api/v1/stations/{id}/past", .viewer,
                "what is held of a station's past: since when, and the titles"
            ) { try past($0) },
        ]
    }

    private func keep(_ call: APIRequest) throws -> APIAnswer {
        let station = try station(call)
        var request = KeepRequest(try span(call.body), folder: rooms.folders.recordings)
        let isSong = call.body["song"]?.string != nil
        let standard = rooms.configuration.recording
        let template =
            call.body["template"]?.string ?? (isSong ? standard.trackTemplate : standard.template)
        request.template = try NameTemplate.asked(template)
        request.rules = TrackRules(rooms.configuration.tracks, station: station)
        request.show = call.body["show"]?.string
        request.isProtected = call.body["keep"]?.bool ?? false
        let held = rooms.past.heldSince(station.id)
        do throws(RecordingError) {
            let id = try rooms.recorder.keep(
                request, of: rooms.hub.feed(for: station), window: rooms.past.store)
            return .created([
                "id": .string(id.text), "station": StationJSON.reference(station),
                "held_since": JSONValue(held.map(WallStamp.text)),
            ])
        } catch {
            throw APIFailure(
                .unprocessable, error.description, remedy: "`aircheck past STATION` shows what is held.")
        }
    }

    private func station(_ call: APIRequest) throws -> Station {
        if let text = call.body["station"]?.string { return try rooms.resolve(text).station }
        guard let station = rooms.player.status.tunedStation else {
            throw APIFailure(
                .badRequest, "the player plays nothing, so the station must be named",
                remedy: "Name one, such as `aircheck keep song STATION`.")
        }
        return station
    }

    private func span(_ body: JSONValue) throws -> KeepSpan {
        let given = ["song", "seconds", "since"].filter { body[$0].map { !$0.isNull } ?? false }
        guard given.count == 1 else {
            throw APIFailure(.badRequest, "give one of song, seconds and since")
        }
        if let song = body["song"]?.string {
            switch song {
            case "present": return .song
            case "previous": return .previousSong
            default: throw APIFailure(.badRequest, "song must be present or previous")
            }
        }
        if let seconds = body["seconds"]?.double {
            guard seconds > 0, seconds <= Self.longest else {
                throw APIFailure(.badRequest, "seconds must be more than 0")
            }
            return .last(seconds: seconds)
        }
        guard let since = body["since"]?.string.flatMap(WallStamp.wall) else {
            throw APIFailure(.badRequest, "since must be like 2026-12-24T18:00:00Z")
        }
        guard since < rooms.time.wall else { throw APIFailure(.badRequest, "since must lie in the past") }
        return .since(since)
    }

    private func past(_ call: APIRequest) throws -> APIAnswer {
        let station = try rooms.resolve(call.name("id")).station
        let held = rooms.past.heldSince(station.id)
        let titles = rooms.past.titles(station.id)
        return .json([
            "station": StationJSON.reference(station), "held_since": JSONValue(held.map(WallStamp.text)),
            "seconds": .number(held.map { rooms.time.wall.secondsSince1970 - $0.secondsSince1970 } ?? 0),
            "armed_seconds": station.windowSeconds.map { .int(Int64($0)) } ?? .null,
            "titles": .array(titles.map(FeedJSON.mark)), "title_offset": offset(of: station),
        ])
    }

    /// Seconds from a title to its music: what the station's entry says, else what silences have shown.
    private func offset(of station: Station) -> JSONValue {
        let rule = station.titles.offset == .zero ? nil : station.titles.offset.inSeconds
        return [
            "seconds": JSONValue(rule ?? rooms.offsets.offset(of: station.id)),
            "source": rule != nil ? "station" : "silences",
            "silences": .int(Int64(rooms.offsets.count(of: station.id))),
        ]
    }
}
