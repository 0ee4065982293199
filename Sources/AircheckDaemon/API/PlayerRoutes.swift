internal import Catalogue
internal import ControlAPI
internal import JSONText
internal import Platform
internal import Playback
internal import TOMLText

/// The service's player: join, leave, skip stations. Nothing here can pause or seek.
struct PlayerRoutes {
    let rooms: Rooms

    private var orders: PlayerOrders { PlayerOrders(player: rooms.player, catalogue: rooms.catalogue) }

    var all: [APIRoute] {
        [
            APIRoute("GET", "/api/v1/player", .viewer, "what the player does") { _ in state() },
            APIRoute(
                "POST", "/api/v1/player/play", .operator,
                "play a station; without one, the one that was on last",
                body: [
                    .init("station", .string, "id, name or a unique part"),
                    .init("list", .string, "what next and previous walk: favourites, or a group's name"),
                ]
            ) { try play($0) },
            APIRoute("POST", "/api/v1/player/stop", .operator, "stop") { _ in order { $0.stop() } },
            APIRoute("POST", "/api/v1/player/next", .operator, "skip to the next station") { _ in
                order { $0.next() }
            },
            APIRoute("POST", "/api/v1/player/previous", .operator, "skip to the station before") { _ in
                order { $0.previous() }
            },
            APIRoute(
                "PUT", "/api/v1/player/volume", .operator, "set the volume, or change it",
                body: [.init("percent", .integer, "0 to 100"), .init("change", .integer, "by so much")]
            ) { try volume($0) },
            APIRoute(
                "PUT", "/api/v1/player/mute", .operator, "mute or not",
                body: [.init("value", .boolean, required: true, "true for silence")]
            ) { call in order { $0.setMuted(call.body["value"]?.bool ?? false) } },
            APIRoute(
                "PUT", "/api/v1/player/gain", .operator,
                "make the tuned station louder or softer than others, now and from now on; recordings stay as they are",
                body: [.init("decibels", .number, required: true, "-30 to 12")]
            ) { try gain($0) },
            APIRoute(
                "PUT", "/api/v1/player/sleep", .operator, "stop after a while, fading out; 0 takes it back",
                body: [.init("seconds", .number, required: true, "from now on")]
            ) { call in
                let seconds = call.body["seconds"]?.double ?? 0
                guard (0...86_400).contains(seconds) else {
                    throw APIFailure(.badRequest, "seconds must be 0 to 86400")
                }
                return order { $0.sleep(after: seconds > 0 ? seconds : nil) }
            },
        ]
    }

    private func play(_ call: APIRequest) throws -> APIAnswer {
        guard let text = call.body["station"]?.string else {
            guard rooms.player.status.station != nil else {
                throw APIFailure(.conflict, "no station was on before", remedy: "Say which one to play.")
            }
            return order { $0.play() }
        }
        let station = try rooms.resolve(text).station
        let snapshot = rooms.catalogue.snapshot
        let list =
            switch call.body["list"]?.string {
            case "favourites": snapshot.favourites
            case let group?: snapshot.group(group)
            case nil: nil as [CatalogueStation]?
            }
        let among = list?.map(\.station) ?? orders.list(around: station)
        return order { $0.tune(station, among: among) }
    }

    private func volume(_ call: APIRequest) throws -> APIAnswer {
        let now = rooms.player.status.volume
        let wanted = call.body["percent"]?.int ?? call.body["change"]?.int.map { Int64(now) + $0 }
        guard let wanted else { throw APIFailure(.badRequest, "percent or change is missing") }
        return order { $0.setVolume(Int(min(max(wanted, 0), 100))) }
    }

    private func gain(_ call: APIRequest) throws -> APIAnswer {
        let decibels = call.body["decibels"]?.double ?? 0
        guard (-30...12).contains(decibels) else {
            throw APIFailure(.badRequest, "decibels must be -30 to 12")
        }
        guard let station = rooms.player.status.station else {
            throw APIFailure(.conflict, "no station is tuned", remedy: "Play one first.")
        }
        let place = TOMLPosition(line: 1, column: 1)
        let entry = TOMLEntry("gain", at: place, TOMLValue(.real(decibels), at: place))
        if rooms.catalogue.station(station.id) != nil {
            try rooms.catalogue.apply(.edit(station.id, set: [entry], clear: []))
        }
        return order { $0.setGain(decibels) }
    }

    private func order(_ give: (LivePlayer) -> Void) -> APIAnswer {
        orders.give(give)
        return state()
    }

    private func state() -> APIAnswer { .json(PlayerJSON.object(rooms.player.status, at: rooms.time.wall)) }
}
