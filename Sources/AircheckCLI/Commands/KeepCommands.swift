internal import JSONText
internal import Platform
internal import Recording

/// `aircheck keep` and `aircheck past`: what has been on the air already.
enum KeepCommands {
    static let all: [CommandSpec] = [
        CommandSpec(
            "keep song", "keep the song that is on, from its start to its end",
            details: """
                The song was on before you asked: its beginning comes from what the service holds of the station, \
                and it is cut where tracks are cut. The command waits for the end of the song; Ctrl-C leaves it to \
                the service.
                """,
            operands: [station],
            options: [
                .flag("previous", "the song before, which is over"),
                .flag("detach", "do not wait for the end"),
            ] + common
        ) { invocation in
            let song = invocation.has("previous") ? "previous" : "present"
            try keep(invocation, station: invocation.operand(0), .init("song", .string(song)))
        },
        CommandSpec(
            "keep", "keep what has been on the air: the last minutes, or since a time",
            details: """
                What somebody plays, records or listens to is held for a quarter of an hour (window.disk in the settings), an \
                armed station (window = "5h" in its entry) for as long as it says. `aircheck past` shows what there is.
                """,
            operands: [station],
            options: [
                .value("last", "DURATION", "so much, up to now: 90s, 10m, 1h30m"),
                .value("since", "TIME", "from then on, up to now: 14:00, or 2026-12-24T18:00"),
                .flag("detach", "do not wait for the end"),
            ] + common
        ) { try keepSpan($0) },
        CommandSpec(
            "past", "show what is held of a station's past: since when, and the titles", operands: [station]
        ) { try past($0) },
    ]

    private static let station = CommandSpec.Operand(
        name: "STATION", help: "a station's id, its name, or a part; without one, what the player plays",
        isOptional: true, completion: .station)
    private static let common: [CommandSpec.Option] = [
        .value(
            "format", "TEMPLATE", "name in the recordings' folder, such as `{station}/{artist} - {title}`"),
        .value("show", "NAME", "name of the programme"), .flag("protect", "never delete it by itself"),
    ]

    private static func keepSpan(_ invocation: Invocation) throws {
        let seconds = try invocation.duration("last")
        let since = invocation.text("since")
        if let seconds, since == nil {
            return try keep(invocation, station: invocation.operand(0), .init("seconds", .number(seconds)))
        }
        guard let since, seconds == nil else {
            throw invocation.usage("give --last or --since; or `aircheck keep song`")
        }
        guard let wall = LocalTime.last(since, before: SystemTime().wall) else {
            throw invocation.usage("--since \(since): write 14:00, or 2026-12-24T18:00")
        }
        try keep(invocation, station: invocation.operand(0), .init("since", .string(LocalTime.iso(wall))))
    }

    private static func keep(_ invocation: Invocation, station: String?, _ span: JSONValue.Member) throws {
        let service = try ServiceClient.require(invocation)
        var body: [JSONValue.Member] = [span]
        if let station { body.append(.init("station", .string(station))) }
        if let template = invocation.text("format") { body.append(.init("template", .string(template))) }
        if let show = invocation.text("show") { body.append(.init("show", .string(show))) }
        if invocation.has("protect") { body.append(.init("keep", true)) }
        let started = try service.send("POST", "/api/v1/keep", .object(body))
        guard let id = started["id"]?.string else {
            throw CommandFailure(.unavailable, "the service did not say what it keeps")
        }
        if invocation.has("detach") {
            return invocation.json ? Terminal.print(started) : Terminal.print(TerminalText.escaped(id))
        }
        try ServiceRecording(service: service, invocation: invocation).follow(id, endsWithCommand: false)
    }

    private static func past(_ invocation: Invocation) throws {
        let service = try ServiceClient.require(invocation)
        var name = invocation.operand(0)
        if name == nil { name = try service.get("/api/v1/player")["station"]?["id"]?.string }
        guard let name else {
            throw CommandFailure(
                .usage, "the player plays nothing", remedy: "Name a station: aircheck past STATION")
        }
        let past = try service.get("/api/v1/stations/\(ServiceClient.encoded(name))/past")
        if invocation.json { return Terminal.print(past) }
        let station = past["station"]?["name"]?.string ?? name
        guard let held = past["held_since"]?.string.flatMap(WallStamp.wall) else {
            return Terminal.note(TerminalText.escaped("nothing of \(station) is held"))
        }
        let length = DurationText.text((past["seconds"]?.double ?? 0).rounded())
        Terminal.print(TerminalText.escaped("\(station): held since \(LocalTime.text(held)), \(length)"))
        if let offset = past["title_offset"], let seconds = offset["seconds"]?.double {
            let side = seconds < 0 ? "after" : "before"
            let source =
                offset["source"]?.string == "station" ? "its entry says so" : "silences have shown it"
            Terminal.print(
                "titles come \((abs(seconds) * 100).rounded() / 100) s \(side) their music: \(source)")
        }
        Terminal.table(
            (past["titles"]?.array ?? []).filter { $0["text"]?.string?.isEmpty == false }.map { title in
                let since = title["since"]?.string.flatMap(WallStamp.wall)
                return [since.map(LocalTime.clock) ?? "", title["text"]?.string ?? ""]
            })
    }
}
