internal import Catalogue
internal import ControlAPI
internal import JSONText

/// Stations as files, out and in.
extension StationRoutes {
    var files: [APIRoute] {
        [
            APIRoute(
                "GET", "/api/v1/stations/export", .viewer, "stations as a file for other programs",
                query: [.init("format", .string, "toml, m3u, pls, xspf, opml, json or csv")] + filters,
                result: .file
            ) { try export($0) },
            APIRoute(
                "POST", "/api/v1/stations/import", .admin,
                "add the stations of a file; those whose address is there already are passed over",
                body: [
                    .init(
                        "text", .string, required: true, "M3U, PLS, XSPF, OPML, JSON, TOML or PyRadio's CSV"),
                    .init("name", .string, "of the file; it decides where the text could be either"),
                ], bodyLimit: 2 * StationImport.longest
            ) { try takeIn($0) },
        ]
    }

    private func export(_ call: APIRequest) throws -> APIAnswer {
        guard let format = StationFormat(rawValue: call.query["format"] ?? "toml") else {
            throw APIFailure(.badRequest, "format must be toml, m3u, pls, xspf, opml, json or csv")
        }
        let stations = try rooms.catalogue.snapshot.all(query(call))
        return .text(StationExport.text(stations.map(\.entry), as: format), type: format.mediaType)
    }

    private func takeIn(_ call: APIRequest) throws -> APIAnswer {
        let name = call.body["name"]?.string ?? "the text"
        var found = try Self.explained {
            try StationImport.read(Array((call.body["text"]?.string ?? "").utf8), name: name)
        }
        // As in `add`.
        for place in found.entries.indices { found.entries[place].station.isLocal = true }
        let difference = try change(.addAll(found.entries))
        return .json([
            "added": .array(difference.added.map(JSONValue.string)),
            "known": .int(Int64(found.entries.count - difference.added.count)),
            "refused": .array(found.refused.map(JSONValue.string)),
        ])
    }
}
