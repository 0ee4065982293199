internal import Catalogue
internal import ControlAPI
internal import JSONText
internal import Platform

/// The Radio Browser directory: its snapshot, searching it over the network, and answering in its language.
struct DirectoryRoutes {
    let rooms: Rooms

    var all: [APIRoute] {
        [
            APIRoute("GET", "/api/v1/directory", .viewer, "the snapshot of the directory") { [rooms] _ in
                .json(rooms.directory.status)
            },
            APIRoute(
                "POST", "/api/v1/directory/refresh", .operator,
                "fetch every station of the directory, to be searched offline"
            ) { [rooms] _ in
                guard rooms.directory.refresh() else {
                    throw APIFailure(
                        .conflict, "the snapshot is being fetched, or the directory is switched off")
                }
                return .json(rooms.directory.status)
            },
            APIRoute(
                "GET", "/api/v1/directory/search", .operator, "ask the directory over the network",
                query: [
                    .init("query", .string, "part of a name"), .init("tag", .string, "with this tag"),
                    .init("country", .string, "code or name"), .init("language", .string, "in this language"),
                    .init("limit", .integer, "1 to 1000; 50"),
                ]
            ) { try search($0) },
        ]
    }

    private func search(_ call: APIRequest) throws -> APIAnswer {
        var query = StationQuery(call.query["query"] ?? "")
        query.tag = call.query["tag"]
        query.country = call.query["country"]
        query.language = call.query["language"]
        query.limit = try call.number("limit", standard: 50, in: 1...StationQuery.largestLimit)
        let found = try rooms.directory.search(query)
        return .json([
            "stations": .array(
                found.map {
                    CatalogueJSON.object(CatalogueStation($0.entry(id: $0.id), origin: .directory))
                })
        ])
    }

    /// The directory's own language under `/rb`; no part of this API, so not in its description.
    var foreign: [APIRoute] {
        [
            APIRoute("GET", "/rb/{path...}", .viewer, "answer as a Radio Browser server does") { call in
                let path = call.name("path").split(separator: "/").map(String.init)
                let server = DirectoryServer(
                    directory: rooms.directory.directory, own: rooms.catalogue.snapshot.visible,
                    base: rooms.addresses.withLock { $0.listen })
                // Who asks for the address is about to listen, and the directory counts that.
                if path.dropFirst().first == "url", let uuid = path.last {
                    rooms.directory.client.click(uuid)
                }
                let answer = try server.answer(path, call.query)
                return .foreign(status: answer.status, text: answer.text, type: answer.type)
            }
        ]
    }
}
