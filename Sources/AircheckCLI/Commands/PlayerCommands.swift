internal import JSONText
internal import MediaHelper
internal import Platform

/// What controls the service's player: join, leave, skip stations; pause, seek and speed of recordings. Live has none of
/// those.
enum PlayerCommands {
    static let all: [CommandSpec] = own + DialCommands.all + WatchCommands.all

    private static let own: [CommandSpec] = [
        TuneCommand.spec, AlarmCommand.spec,
        CommandSpec(
            "play", "let the service play a station",
            details:
                "Without a station it goes on with what was on last: a station, or a recording where it stands.",
            operands: [.stationOrURL.orNothing()]
        ) { try play($0) },
        CommandSpec("stop", "stop the service's player") { try order($0, "stop") },
        CommandSpec("next", "skip to the next station of the list, or title of the recording") {
            try order($0, "next")
        },
        CommandSpec("previous", "skip to the station before, or back a title of the recording") {
            try order($0, "previous")
        },
        CommandSpec("pause", "pause the recording that is played; live has no pause") {
            try order($0, "pause")
        },
        CommandSpec(
            "seek", "go to a place of the recording that is played; live has none",
            operands: [.required("PLACE", "such as 1h05m, or a change: +30s, -15s")]
        ) { try seek($0) },
        CommandSpec(
            "speed", "how fast recordings are played, at their own pitch",
            operands: [.required("FACTOR", "\(PlaybackSpeed.text); 1 is as recorded")]
        ) { invocation in
            guard let speed = Double(try invocation.required(0)), PlaybackSpeed.range.contains(speed) else {
                throw invocation.usage("speed: write a number from \(PlaybackSpeed.text)")
            }
            let client = try ServiceClient.require(invocation)
            show(try client.send("PUT", "/api/v1/player/speed", ["value": .number(speed)]), invocation)
        },
        CommandSpec(
            "now", "what is on: in the player, or on a station",
            details: "With --follow it prints every new title until you end it.",
            operands: [.station.orNothing()],
            options: [.flag("follow", short: "f", "keep printing new titles")]
        ) { try now($0) },
        LogCommand.spec,
        CommandSpec(
            "volume", "show or set the player's volume",
            operands: [.optional("LEVEL", "0 to 100, or a change such as +5 or -10")]
        ) { try volume($0) },
        CommandSpec(
            "gain", "make the tuned station louder or softer than the others",
            details: "It is remembered for the station. Recordings and listeners get the original.",
            operands: [.required("DECIBELS", "-30 to 12")]
        ) { invocation in
            guard let decibels = Double(try invocation.required(0)), decibels.isFinite else {
                throw invocation.usage("gain: write a number of decibels from -30 to 12")
            }
            let client = try ServiceClient.require(invocation)
            show(try client.send("PUT", "/api/v1/player/gain", ["decibels": .number(decibels)]), invocation)
        },
        CommandSpec(
            "sleep", "stop the player after a while, fading out",
            operands: [.optional("DURATION", "such as 30m; `off` takes it back")]
        ) { try sleep($0) },
    ]

    private static func play(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        var body: [JSONValue.Member] = []
        if let text = invocation.operand(0) { body.append(.init("station", .string(text))) }
        show(try client.send("POST", "/api/v1/player/play", .object(body)), invocation)
    }

    private static func order(_ invocation: Invocation, _ order: String) throws {
        show(try ServiceClient.require(invocation).send("POST", "/api/v1/player/\(order)"), invocation)
    }

    private static func seek(_ invocation: Invocation) throws {
        let text = try invocation.required(0)
        let isChange = text.hasPrefix("+") || text.hasPrefix("-")
        guard let seconds = DurationText.seconds(isChange ? String(text.dropFirst()) : text) else {
            throw invocation.usage("seek \(text): write a place such as 1h05m, or a change such as +30s")
        }
        let client = try ServiceClient.require(invocation)
        let body: JSONValue =
            isChange
            ? ["change": .number(text.hasPrefix("-") ? -seconds : seconds)] : ["seconds": .number(seconds)]
        show(try client.send("PUT", "/api/v1/player/position", body), invocation)
    }

    private static func now(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        let path: String
        if let station = invocation.operand(0) {
            path = "/api/v1/stations/\(ServiceClient.encoded(station))/now"
        } else {
            path = "/api/v1/player"
        }
        show(try client.get(path), invocation)
        guard invocation.has("follow") else { return }
        let wanted = invocation.operand(0)
        try client.follow("/api/v1/events") { event, data in
            guard event == "title" || event == "player" else { return true }
            if event == "title", let wanted, data["station"]?["id"]?.string != wanted { return true }
            if (event == "player") == (wanted == nil) { show(data, invocation) }
            return true
        }
    }

    private static func volume(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        guard let text = invocation.operand(0) else {
            return show(try client.get("/api/v1/player"), invocation)
        }
        let isChange = text.hasPrefix("+") || text.hasPrefix("-")
        guard let number = Int(text.hasPrefix("+") ? String(text.dropFirst()) : text),
            (-100...100).contains(number)
        else { throw invocation.usage("volume \(text): write 0 to 100, or a change such as +5") }
        let body: JSONValue = [isChange ? "change" : "percent": .int(Int64(number))]
        show(try client.send("PUT", "/api/v1/player/volume", body), invocation)
    }

    private static func sleep(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        guard let text = invocation.operand(0) else {
            return show(try client.get("/api/v1/player"), invocation)
        }
        guard let seconds = text == "off" ? 0 : DurationText.seconds(text) else {
            throw invocation.usage("sleep \(text): write a duration such as 30m, or off")
        }
        show(try client.send("PUT", "/api/v1/player/sleep", ["seconds": .number(seconds)]), invocation)
    }

    /// `Radio One · live · Artist - Title`; of a recording also where it stands: `1:05 of 58:00`.
    static func show(_ player: JSONValue, _ invocation: Invocation) {
        Terminal.print(invocation.json ? player.text() : TerminalText.escaped(line(player)))
    }

    /// The player in one line: what is tuned, how it stands, and what keeps it from being heard.
    /// - Parameter player: as the API tells it.
    static func line(_ player: JSONValue) -> String {
        let name = player["recording"]?["title"]?.string ?? player["station"]?["name"]?.string
        var parts = [name ?? "no station", player["state"]?.string ?? ""]
        if let recording = player["recording"], let place = recording["position"]?.double,
            let length = recording["seconds"]?.double
        {
            parts.append("\(RecordingListing.clock(place)) of \(RecordingListing.clock(length))")
            if let speed = recording["speed"]?.double, speed != 1 { parts.append("\(speed) times as fast") }
        }
        // While it is joined the one before may still sound, with its own title.
        let (heard, tuned) = (player["heard"]?["id"]?.string, player["station"]?["id"]?.string)
        if heard == tuned, let text = player["now"]?["text"]?.string, !text.isEmpty { parts.append(text) }
        if let reason = player["reason"]?.string { parts.append(reason) }
        let (output, lost) = (player["output"]?.string ?? "", "lost: ")
        if name != nil, output.hasPrefix(lost) { parts.append("no sound: \(output.dropFirst(lost.count))") }
        if let volume = player["volume"]?.int { parts.append("volume \(volume)") }
        if let sleep = player["sleep_seconds"]?.double {
            parts.append("sleeps in \(DurationText.text(sleep))")
        }
        if let place = player["sleep_at"]?.double {
            parts.append("sleeps at \(RecordingListing.clock(place)) of the recording")
        }
        return parts.filter { !$0.isEmpty }.joined(separator: " · ")
    }
}
