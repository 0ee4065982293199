internal import Catalogue
internal import ControlAPI
internal import JSONText
internal import StreamFormats

/// Smart dials: personal stations that tune live ones.
struct DialRoutes {
    let rooms: Rooms
    let dial: DialRunner

    /// Longest text of a name or a seed, in characters.
    private static let longest = 200
    private static let mostStations = 100

    var all: [APIRoute] {
        [
            APIRoute("GET", "/api/v1/dials", .viewer, "smart dials that were made") { [rooms] _ in
                .json(["dials": .array(rooms.dials.dials.map(DialJSON.dial))])
            },
            APIRoute(
                "POST", "/api/v1/dials", .operator,
                "make a smart dial from an artist, a track, a genre or a set of stations",
                body: [
                    .init("name", .string, "its name; made from the seed where it is missing"),
                    .init("artist", .string, "from an artist; with a title, from a track"),
                    .init("title", .string, "from a track"), .init("genre", .string, "from a genre"),
                    .init("stations", .array, "from stations: ids, names or unique parts"),
                    .init("variety", .integer, "how far it looks, 0 to 3; 0"),
                ]
            ) { try add($0) },
            APIRoute("DELETE", "/api/v1/dials/{id}", .operator, "remove a dial") { [rooms] call in
                guard let id = Int64(call.name("id")), try rooms.dials.remove(id) else { throw Self.unknown }
                return .nothing
            },
            APIRoute(
                "PUT", "/api/v1/dials/{id}/variety", .operator, "let a dial look further, or less far",
                body: [.init("value", .integer, required: true, "0 to 3")]
            ) { [rooms] call in
                let variety = try Self.variety(call.body["value"])
                guard let id = Int64(call.name("id")),
                    let dial = try rooms.dials.set(variety: variety, of: id)
                else { throw Self.unknown }
                return .json(DialJSON.dial(dial))
            },
            APIRoute(
                "GET", "/api/v1/dials/{id}/choices", .viewer,
                "the stations that a dial would tune, best first, and why"
            ) { call in
                .json(["choices": .array(try dial.choices(try find(call)).map(DialJSON.choice))])
            },
            APIRoute("POST", "/api/v1/dials/{id}/play", .operator, "play a dial") { call in
                guard let choice = try dial.play(try find(call)) else {
                    throw APIFailure(
                        .conflict, "no station fits this dial now", remedy: "Give it more variety.")
                }
                return .json(DialJSON.choice(choice))
            },
            APIRoute("GET", "/api/v1/dials/why", .viewer, "why the dial plays what it plays") { _ in
                guard let (playing, choice) = dial.playing else {
                    throw APIFailure(.conflict, "no dial plays")
                }
                return .json(["dial": DialJSON.dial(playing), "choice": DialJSON.choice(choice)])
            },
        ]
    }

    private static let unknown = APIFailure(.notFound, "there is no dial of that number")

    private func find(_ call: APIRequest) throws -> SmartDial {
        guard let id = Int64(call.name("id")), let dial = rooms.dials[id] else { throw Self.unknown }
        return dial
    }

    private static func variety(_ value: JSONValue?) throws -> Int {
        guard let value, !value.isNull else { return 0 }
        guard let number = value.int, (0...Int64(SmartDial.mostVariety)).contains(number) else {
            throw APIFailure(.badRequest, "variety must be 0 to \(SmartDial.mostVariety)")
        }
        return Int(number)
    }

    private func add(_ call: APIRequest) throws -> APIAnswer {
        for key in ["name", "artist", "title", "genre"]
        where call.body[key]?.string?.count ?? 0 > Self.longest {
            throw APIFailure(.badRequest, "\(key) must have at most \(Self.longest) characters")
        }
        guard var seed = SmartDial.Seed(call.body) else {
            throw APIFailure(.badRequest, "give one of artist, title, genre and stations")
        }
        if case .stations(let texts) = seed {
            guard texts.count <= Self.mostStations else {
                throw APIFailure(.badRequest, "stations must be at most \(Self.mostStations)")
            }
            seed = .stations(try texts.map { try rooms.resolve($0).id })
        }
        var dial = SmartDial(name: call.body["name"]?.string ?? Self.name(seed), seed: seed)
        dial.variety = try Self.variety(call.body["variety"])
        guard let kept = try rooms.dials.add(dial) else {
            throw APIFailure(
                .conflict, "there are \(DialBook.most) dials already", remedy: "Remove one first.")
        }
        return .created(DialJSON.dial(kept))
    }

    private static func name(_ seed: SmartDial.Seed) -> String {
        switch seed {
        case .artist(let artist): artist
        case .track(let artist, let title): [artist, title].compactMap { $0 }.joined(separator: " - ")
        case .genre(let genre): genre
        case .stations(let ids): ids.prefix(3).joined(separator: ", ")
        }
    }
}
