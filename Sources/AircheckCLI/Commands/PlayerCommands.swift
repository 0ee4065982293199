internal import JSONText
internal import Platform

/// What controls the service's player: join, leave, skip stations. Live has no pause and no position.
enum PlayerCommands {
    static let all: [CommandSpec] = own + DialCommands.all + WatchCommands.all

    private static let own: [CommandSpec] = [
        TuneCommand.spec,
        CommandSpec(
            "play", "let the service play a station",
            details: "Without a station it plays the one that was on last.",
            operands: [.stationOrURL.orNothing()]
        ) { try play($0) },
        CommandSpec("stop", "stop the service's player") { try order($0, "stop") },
        CommandSpec("next", "skip to the next station of the list") { try order($0, "next") },
        CommandSpec("previous", "skip to the station before") { try order($0, "previous") },
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

    /// `Radio One · live · Artist - Title`
    private static func show(_ player: JSONValue, _ invocation: Invocation) {
        if invocation.json { return Terminal.print(player) }
        var parts = [player["station"]?["name"]?.string ?? "no station", player["state"]?.string ?? ""]
        if let text = player["now"]?["text"]?.string, !text.isEmpty { parts.append(text) }
        if let reason = player["reason"]?.string { parts.append(reason) }
        if let volume = player["volume"]?.int { parts.append("volume \(volume)") }
        if let sleep = player["sleep_seconds"]?.double {
            parts.append("sleeps in \(DurationText.text(sleep))")
        }
        Terminal.print(TerminalText.escaped(parts.filter { !$0.isEmpty }.joined(separator: " · ")))
    }
}
