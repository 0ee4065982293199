internal import ControlAPI
internal import Cryptography
internal import HTTPServer
internal import Platform
internal import Recording
internal import StreamFormats

/// Pictures of stations, by the service.
struct ArtworkRoutes {
    let rooms: Rooms

    var all: [APIRoute] {
        [
            APIRoute(
                "GET", "/api/v1/stations/{id}/artwork", .viewer,
                "a station's picture, or that of a title of it, fetched by the service",
                query: [
                    .init("now", .string, "`since` of a title with `artwork`; its picture is meant then")
                ],
                result: .file
            ) { call in
                let station = try rooms.resolve(call.name("id")).station
                guard let picture = picture(of: station, titleSince: call.query["now"]) else {
                    if call.query["now"] == nil, rooms.artwork.mayCome(for: station) { return Self.later }
                    throw APIFailure(.notFound, "this station has no picture, or it cannot be fetched now")
                }
                var response = HTTPResponse(status: 200, type: picture.type, body: picture.bytes)
                response.add("Cache-Control", "private, max-age=86400")
                response.add("ETag", "\"\(SHA256.hex(picture.bytes).prefix(20))\"")
                // Somebody else's bytes: not even when opened by themselves may they do anything.
                response.add("Content-Security-Policy", "default-src 'none'; sandbox")
                return .whole(response)
            }
        ]
    }

    /// For a list of stations that is shown for the first time: each picture has its turn.
    private static let later = APIAnswer.whole(
        APIFailure(
            .unavailable, "other pictures are fetched first", remedy: "Come back in two seconds."
        ).response.adding("Retry-After", "2"))

    private func picture(of station: Station, titleSince stamp: String?) -> (bytes: [UInt8], type: String)? {
        guard let stamp else { return rooms.artwork.picture(of: station) }
        let feed = rooms.hub.feed(id: station.id)
        let marks = (feed?.titles ?? []) + [feed?.nowAiring].compactMap { $0 }
        let address = marks.last { WallStamp.text($0.wall) == stamp }?.text.details.artwork
        return address.flatMap { rooms.pictures.cover(at: $0, of: station) }
    }
}
