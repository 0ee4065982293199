internal import Catalogue
internal import ControlAPI
internal import JSONText
internal import MediaHelper
internal import Platform
internal import Playback
internal import TOMLText

/// The service's player: join, leave, skip stations; play recordings, which alone can be paused and sought.
struct PlayerRoutes {
    let rooms: Rooms

    private var orders: PlayerOrders { PlayerOrders(player: rooms.player, catalogue: rooms.catalogue) }

    var all: [APIRoute] {
        [
            APIRoute("GET", "/api/v1/player", .viewer, "what the player does") { _ in state() },
            APIRoute(
                "POST", "/api/v1/player/play", .operator,
                "play a station or a recording; without either, go on with what was on last",
                body: [
                    .init("station", .string, "id, name or a unique part"),
                    .init("recording", .string, "id of a recording, or `last` for the newest"),
                    .init("position", .number, "seconds into the recording; where it was left, if not said"),
                    .init("speed", .number, "of recordings, \(PlaybackSpeed.text), at their own pitch"),
                    .init("list", .string, "what next and previous walk: favourites, or a group's name"),
                ]
            ) { try play($0) },
            APIRoute("POST", "/api/v1/player/stop", .operator, "stop") { _ in order { $0.stop() } },
            APIRoute(
                "POST", "/api/v1/player/next", .operator,
                "skip to the next station; with a recording, to its next title, and behind the last to its end"
            ) { _ in order { $0.next() } },
            APIRoute(
                "POST", "/api/v1/player/previous", .operator,
                "skip to the station before; with a recording, to the beginning of this title or the one before"
            ) { _ in order { $0.previous() } },
            APIRoute("POST", "/api/v1/player/pause", .operator, "pause a recording; live has no pause") { _ in
                _ = try recording("paused")
                return order { $0.pause() }
            },
            APIRoute(
                "PUT", "/api/v1/player/position", .operator, "go to a place of the recording; live has none",
                body: [
                    .init("seconds", .number, "from its beginning"),
                    .init("change", .number, "by so many seconds"),
                ]
            ) { try seek($0) },
            APIRoute(
                "PUT", "/api/v1/player/speed", .operator,
                "how fast recordings are played, at their own pitch",
                body: [.init("value", .number, required: true, "\(PlaybackSpeed.text); 1 is as recorded")]
            ) { call in
                _ = try recording("played faster or slower")
                let speed = try speed(call.body["value"]?.double ?? 1)
                return order { $0.setSpeed(speed) }
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
                "GET", "/api/v1/player/outputs", .viewer,
                "sinks of the sound server that the player can sound on"
            ) { _ in try outputs() },
            APIRoute(
                "PUT", "/api/v1/player/output", .operator,
                "sound on another sink, now and from now on; null goes back to the settings",
                body: [.init("name", .string, .nullable, "a sink's name, empty for the default one, or null")]
            ) { call in
                let name = call.body["name"]?.string
                guard (name?.utf8.count ?? 0) <= 512 else {
                    throw APIFailure(.badRequest, "name is too long")
                }
                rooms.output.decide(name)
                return moved(to: rooms.output.device)
            },
            APIRoute(
                "PUT", "/api/v1/player/sleep", .operator,
                "stop after a while, fading out, or at a place of the recording; neither, or 0 seconds, takes it back",
                body: [
                    .init("seconds", .number, "from now on"),
                    .init("at", .number, "second of the recording, however it is reached"),
                ]
            ) { try sleep($0) },
        ]
    }

    private func play(_ call: APIRequest) throws -> APIAnswer {
        if let id = call.body["recording"]?.string { return try hear(id, call) }
        guard let text = call.body["station"]?.string else {
            guard rooms.player.status.station != nil || rooms.player.status.recording != nil else {
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

    private func hear(_ id: String, _ call: APIRequest) throws -> APIAnswer {
        guard call.body["station"] == nil else {
            throw APIFailure(.badRequest, "station and recording cannot be played at once")
        }
        let newest = id == "last" ? try rooms.library.list(.init(query: ""), limit: 1, offset: 0).first : nil
        guard let recording = rooms.recordings.recording(newest?.id.text ?? id) else {
            throw APIFailure(
                .notFound, "there is no recording of that id", remedy: "`aircheck recordings list` has them.")
        }
        let speed = try call.body["speed"]?.double.map(speed)
        let place = try call.body["position"]?.double.map(place) ?? rooms.deck.resumePlace(of: recording)
        return order { $0.hear(recording, from: place, speed: speed) }
    }

    private func seek(_ call: APIRequest) throws -> APIAnswer {
        let status = try recording("sought")
        let here = status.position(at: rooms.time.wall) ?? 0
        let wanted = call.body["seconds"]?.double ?? call.body["change"]?.double.map { here + $0 }
        guard let wanted else { throw APIFailure(.badRequest, "seconds or change is missing") }
        let length = status.recording?.length ?? 0
        let place = min(max(try place(max(wanted, 0)), 0), length)
        return order { $0.seek(to: place) }
    }

    private func sleep(_ call: APIRequest) throws -> APIAnswer {
        if let at = call.body["at"]?.double {
            _ = try recording("left at a place")
            let place = try place(at)
            return order { $0.sleep(at: place) }
        }
        let seconds = call.body["seconds"]?.double ?? 0
        guard (0...86_400).contains(seconds) else {
            throw APIFailure(.badRequest, "seconds must be 0 to 86400")
        }
        return order { $0.sleep(after: seconds > 0 ? seconds : nil) }
    }

    /// The player, if a recording is on: only recordings can be so treated.
    private func recording(_ treated: String) throws -> PlayerStatus {
        let status = rooms.player.status
        guard status.recording == nil else { return status }
        throw APIFailure(
            .conflict, "live cannot be \(treated)",
            remedy: "Play a recording for that; `aircheck stop` leaves the station.")
    }

    private func speed(_ value: Double) throws -> Double {
        guard PlaybackSpeed.range.contains(value) else {
            throw APIFailure(.badRequest, "speed must be \(PlaybackSpeed.text)")
        }
        return value
    }

    private func place(_ seconds: Double) throws -> Double {
        guard (0...1e8).contains(seconds) else {
            throw APIFailure(.badRequest, "a position is 0 or more seconds")
        }
        return seconds
    }

    private func volume(_ call: APIRequest) throws -> APIAnswer {
        let now = rooms.player.status.volume
        let change = call.body["change"]?.int.map { Int64(now) + min(max($0, -100), 100) }
        guard let wanted = call.body["percent"]?.int ?? change else {
            throw APIFailure(.badRequest, "percent or change is missing")
        }
        return order { $0.setVolume(Int(min(max(wanted, 0), 100))) }
    }

    private func gain(_ call: APIRequest) throws -> APIAnswer {
        let decibels = call.body["decibels"]?.double ?? 0
        guard (-30...12).contains(decibels) else {
            throw APIFailure(.badRequest, "decibels must be -30 to 12")
        }
        guard var station = rooms.player.status.tunedStation else {
            throw APIFailure(.conflict, "no station is tuned", remedy: "Play one first.")
        }
        let place = TOMLPosition(line: 1, column: 1)
        let entry = TOMLEntry("gain", at: place, TOMLValue(.real(decibels), at: place))
        return try order { [catalogue = rooms.catalogue] player in
            if catalogue.station(station.id) != nil {
                // The player is told of it as of every change of a station.
                try catalogue.apply(.edit(station.id, set: [entry], clear: []))
            } else {
                // One that was put on by its address is known to the player alone.
                station.gain = decibels
                player.stationsChanged([station])
            }
        }
    }

    private func outputs() throws -> APIAnswer {
        guard case .pulse = rooms.configuration.player.output else {
            return .json([
                "outputs": .array([]), "chosen": .null,
                "reason": "The service plays in silence: player.output is \"null\".",
            ])
        }
        let sinks: [SoundSink]?
        do {
            sinks = try SoundSink.all(binary: try HelperBinary.find())
        } catch {
            throw APIFailure(.unavailable, error.description)
        }
        guard let sinks else {
            throw APIFailure(
                .unavailable, "no sound server answers",
                remedy: "The service must run as a user with PulseAudio or PipeWire.")
        }
        return .json([
            "outputs": .array(
                sinks.map { ["name": .string($0.name), "description": .string($0.description)] }),
            "chosen": .string(rooms.output.device ?? ""), "reason": .null,
        ])
    }

    /// Moves the sound, and waits a moment for the sound server, which says where it is.
    private func moved(to device: String?) -> APIAnswer {
        let (before, pause) = (rooms.player.status.device, Semaphore())
        orders.give { $0.setDevice(device) }
        for _ in 0..<20 where rooms.player.status.device == before { _ = pause.wait(seconds: 0.01) }
        return state()
    }

    private func order(_ give: (LivePlayer) throws -> Void) rethrows -> APIAnswer {
        try orders.give(give)
        return state()
    }

    private func state() -> APIAnswer { .json(PlayerJSON.object(rooms.player.status, at: rooms.time.wall)) }
}
