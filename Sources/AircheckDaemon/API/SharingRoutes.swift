internal import ControlAPI
internal import JSONText
internal import Platform
internal import Reactor

/// Who else may listen: what of the service the network reaches, and whether it takes a token.
struct SharingRoutes {
    let rooms: Rooms

    var all: [APIRoute] {
        [
            APIRoute("GET", "/api/v1/sharing", .viewer, "what of the service others on the network reach") {
                _ in
                .json(state)
            },
            APIRoute(
                "PUT", "/api/v1/sharing", .admin,
                "let everybody who reaches the mounts listen without a token, or not; null goes back to the settings",
                body: [.init("guests", .boolean, .nullable, "true, false or null")]
            ) { call in
                rooms.guests.decide(call.body["guests"]?.bool)
                return .json(state)
            },
        ]
    }

    private var state: JSONValue {
        let server = rooms.configuration.server
        let addresses = rooms.addresses.withLock { $0 }
        return [
            "listen": .string(addresses.listen), "bind": .string(server.listenBind),
            "port": .int(Int64(server.listenPort)), "machine": JSONValue(Program.hostName),
            "network": .bool(!PeerAddress.isLoopback(text: server.listenBind)),
            "control_network": .bool(!PeerAddress.isLoopback(text: server.bind)),
            "guests": .bool(rooms.guests.value), "setting": .bool(rooms.guests.standard),
            "decided": .bool(rooms.guests.decision != nil),
            "media_server": .bool(rooms.configuration.home.mediaServer),
        ]
    }
}
