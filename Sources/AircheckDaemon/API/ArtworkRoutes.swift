internal import ControlAPI
internal import Cryptography
internal import HTTPServer

/// Pictures of stations, by the service.
struct ArtworkRoutes {
    let rooms: Rooms

    var all: [APIRoute] {
        [
            APIRoute(
                "GET", "/api/v1/stations/{id}/artwork", .viewer,
                "a station's picture, fetched by the service", result: .file
            ) { call in
                let station = try rooms.resolve(call.name("id")).station
                guard let picture = rooms.artwork.picture(of: station) else {
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
}
