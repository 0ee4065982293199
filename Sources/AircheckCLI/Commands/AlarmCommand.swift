internal import JSONText

/// `aircheck alarm`: a schedule that plays, in as few words as an alarm clock takes.
enum AlarmCommand {
    static let spec = CommandSpec(
        "alarm", "let the service play a station at a time",
        details: """
            Without a station it is the one that was on last. With --for it fades out when that is over, unless somebody has \
            gone to another station meanwhile. `aircheck schedule list` shows alarms, `aircheck schedule edit ID --off` lets one \
            rest, `aircheck schedule remove ID` takes it away.
            """,
        operands: [.required("TIME", "06:30, or \"2026-12-24 08:00\""), .station.orNothing()],
        options: [
            .value("weekly", "DAYS", "every week on these days: mon,fri or mon-fri"),
            .value("for", "DURATION", "how long it plays; without, until somebody stops it"),
            .value("zone", "ZONE", "the time zone that is meant: Europe/Berlin"),
        ]
    ) { try run($0) }

    private static func run(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        var body: [JSONValue.Member] = [
            .init("station", .string(try station(invocation, client))),
            .init("at", .string(try invocation.required(0))), .init("action", "play"), .init("name", "alarm"),
        ]
        for option in ["weekly", "zone"] {
            if let text = invocation.text(option) { body.append(.init(option, .string(text))) }
        }
        if let seconds = try invocation.duration("for") { body.append(.init("seconds", .number(seconds))) }
        let made = try client.send("POST", "/api/v1/schedules", .object(body))
        if invocation.json { return Terminal.print(made) }
        if !invocation.quiet { Terminal.print(ScheduleListing.line(made)) }
    }

    private static func station(_ invocation: Invocation, _ client: ServiceClient) throws -> String {
        if let named = invocation.operand(1) { return named }
        guard let last = try client.get("/api/v1/player")["station"]?["id"]?.string else {
            throw invocation.usage("no station was on before: name one, such as alarm 06:30 demo")
        }
        return last
    }
}
