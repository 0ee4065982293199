internal import JSONText
internal import Platform

/// `aircheck schedule …`: what the service records, or plays, by the clock.
enum ScheduleCommands {
    static let all: [CommandSpec] = [
        CommandSpec(
            "schedule add", "record or play a station at a time, once or again and again",
            details: """
                Times are those of clocks in --zone, or of this machine's: a show at 20:00 stays at 20:00 when clocks change. \
                A time that the change leaves out begins at the first instant after it; one that comes twice runs once, the \
                first time. An end (--until) goes by the clock, a length (--for) does not.
                """,
            operands: [.station], options: when + what
        ) { try add($0) },
        CommandSpec("schedule list", "list the schedules") { try list($0) },
        CommandSpec("schedule show", "show a schedule and what became of its last times", operands: [id]) {
            try ScheduleListing.show(try ServiceClient.require($0).get(try path($0)), $0)
        },
        CommandSpec(
            "schedule edit", "change what the options name, and nothing else", operands: [id],
            options: [.value("station", "STATION", "another station", completion: .station)] + when + what + [
                .flag("once", "do not repeat it"), .flag("on", "let it happen again"),
                .flag("off", "let it rest"), .value("skip", "TIME", "leave out this time; may be repeated"),
            ]
        ) { try edit($0) },
        CommandSpec(
            "schedule remove", "remove a schedule; what it records just now ends", operands: [id]
        ) { invocation in
            try ServiceClient.require(invocation).send("DELETE", try path(invocation))
            if !invocation.quiet { Terminal.note("removed") }
        },
        CommandSpec(
            "schedule next", "show what comes in the next fortnight",
            options: [
                .value("days", "N", "look so many days ahead"), .value("limit", "N", "at most so many"),
            ]
        ) { try next($0) },
        CommandSpec(
            "schedule missed", "list what was missed or is not whole, each with its reason",
            options: [.flag("all", "list what was done as well"), .value("limit", "N", "at most so many")]
        ) { try missed($0) },
        CommandSpec("schedule export", "print the schedules as an iCalendar file") { invocation in
            let text = try ServiceClient.require(invocation).text("/api/v1/schedules/export")
            Terminal.print(text.hasSuffix("\r\n") ? String(text.dropLast()) : text)
        },
        CommandSpec(
            "schedule import", "take schedules out of an iCalendar file or an XMLTV guide",
            details: "The same file again changes what it made, and adds nothing twice.",
            operands: [
                .required("FILE", "a calendar or a guide, or - for standard input", completion: .file)
            ],
            options: [
                .value("station", "STATION", "for events that do not name one", completion: .station),
                .value("zone", "ZONE", "for times without a zone"),
                .value("series", "TITLE", "only events with this in their title; a guide needs it"),
                .value("channel", "ID", "only this channel of a guide"),
                .flag("try", "keep nothing, only show what would be kept"),
            ]
        ) { try takeIn($0) },
    ]

    private static let id = CommandSpec.Operand.required("ID", "as `schedule list` shows it")

    private static let when: [CommandSpec.Option] = [
        .value("at", "TIME", "when it begins: \"2026-12-24 20:00\", or 20:00"),
        .value("weekly", "DAYS", "every week on these days: mon,fri or mon-fri"),
        .value("rrule", "RULE", "any rule of RFC 5545: \"FREQ=MONTHLY;BYDAY=1SA\""),
        .value("for", "DURATION", "how long: 90m, 2h"),
        .value("until", "TIME", "until clocks show this: 22:00"),
        .value("zone", "ZONE", "the time zone that is meant: Europe/Berlin"),
        .value("pad-before", "DURATION", "begin so much earlier"),
        .value("pad-after", "DURATION", "end so much later"),
    ]

    private static let what: [CommandSpec.Option] = [
        .value(
            "action", "ACTION", "record, tracks (a file per track as well) or play",
            completion: .words(["record", "tracks", "play"])),
        .value("name", "NAME", "name of the show"),
        .value("format", "TEMPLATE", "name below the recordings' folder"),
        .flag("keep", "never delete by itself what it records"),
    ]

    // MARK: Changing

    private static func add(_ invocation: Invocation) throws {
        guard invocation.has("at") else {
            throw invocation.usage("say when it begins: --at 20:00 or --at \"2026-12-24 20:00\"")
        }
        let station = JSONValue.Member("station", .string(try invocation.required(0)))
        let body = try JSONValue.object([station] + fields(invocation))
        report(try ServiceClient.require(invocation).send("POST", "/api/v1/schedules", body), invocation)
    }

    private static func edit(_ invocation: Invocation) throws {
        var body = try fields(invocation)
        if let station = invocation.text("station") { body.append(.init("station", .string(station))) }
        if invocation.has("once") { body.append(.init("rule", "")) }
        if invocation.has("on") { body.append(.init("enabled", true)) }
        if invocation.has("off") { body.append(.init("enabled", false)) }
        let client = try ServiceClient.require(invocation)
        let skip = invocation.texts("skip")
        if !skip.isEmpty {
            let before = try client.get(try path(invocation))["skip"]?.array ?? []
            body.append(.init("skip", .array(before + skip.map(JSONValue.string))))
        }
        guard !body.isEmpty else { throw invocation.usage("say what to change") }
        report(try client.send("PUT", try path(invocation), .object(body)), invocation)
    }

    private static func fields(_ invocation: Invocation) throws -> [JSONValue.Member] {
        var body: [JSONValue.Member] = []
        let texts = [
            ("at", "at"), ("weekly", "weekly"), ("rrule", "rule"), ("until", "until"), ("zone", "zone"),
            ("action", "action"), ("name", "name"), ("format", "template"),
        ]
        for (option, field) in texts {
            if let text = invocation.text(option) { body.append(.init(field, .string(text))) }
        }
        for (option, field) in [("for", "seconds"), ("pad-before", "pad_before"), ("pad-after", "pad_after")]
        {
            if let seconds = try invocation.duration(option) { body.append(.init(field, .number(seconds))) }
        }
        if invocation.has("keep") { body.append(.init("keep", true)) }
        return body
    }

    private static func report(_ entry: JSONValue, _ invocation: Invocation) {
        if invocation.json { return Terminal.print(entry) }
        if !invocation.quiet { Terminal.print(ScheduleListing.line(entry)) }
    }

    private static func takeIn(_ invocation: Invocation) throws {
        var body: [JSONValue.Member] = [.init("text", .string(try file(invocation)))]
        for (option, field) in [
            ("station", "station"), ("zone", "zone"), ("series", "title"), ("channel", "channel"),
        ] {
            if let text = invocation.text(option) { body.append(.init(field, .string(text))) }
        }
        if invocation.has("try") { body.append(.init("try", true)) }
        let client = try ServiceClient.require(invocation)
        let answer = try client.send("POST", "/api/v1/schedules/import", .object(body), timeout: 120)
        if invocation.json { return Terminal.print(answer) }
        for note in answer["notes"]?.array ?? [] {
            Terminal.note(TerminalText.escaped("left out: \(note.string ?? "")"))
        }
        if invocation.quiet { return }
        for entry in answer["schedules"]?.array ?? [] { Terminal.print(ScheduleListing.line(entry)) }
        Terminal.note("\(answer["added"]?.int ?? 0) added, \(answer["changed"]?.int ?? 0) changed")
    }

    /// The calendar that is to be imported; longer than 4 MiB none is.
    private static func file(_ invocation: Invocation) throws -> String {
        let name = try invocation.required(0)
        do {
            let bytes = try Files.read(name == "-" ? "/dev/stdin" : name, limit: 4 << 20)
            return String(decoding: bytes, as: UTF8.self)
        } catch {
            throw CommandFailure(.noInput, "cannot read \(name): \(error.reason)")
        }
    }

    // MARK: Looking

    private static func list(_ invocation: Invocation) throws {
        let found = try ServiceClient.require(invocation).get("/api/v1/schedules")["schedules"]?.array ?? []
        if invocation.json { return found.forEach { Terminal.print($0) } }
        if found.isEmpty {
            return Terminal.note(
                "There are no schedules yet. `aircheck schedule add STATION --at 20:00 --for 1h` makes one.")
        }
        Terminal.table(found.map(ScheduleListing.row))
    }

    private static func next(_ invocation: Invocation) throws {
        let days = try invocation.integer("days", in: 1...366) ?? 14
        let limit = try invocation.integer("limit", in: 1...1000) ?? 200
        let found =
            try ServiceClient.require(invocation).get("/api/v1/schedules/next?days=\(days)&limit=\(limit)")[
                "coming"]?.array ?? []
        if invocation.json { return found.forEach { Terminal.print($0) } }
        if found.isEmpty { return Terminal.note("Nothing is scheduled for the next \(days) days.") }
        Terminal.table(found.map(ScheduleListing.coming))
    }

    private static func missed(_ invocation: Invocation) throws {
        let limit = try invocation.integer("limit", in: 1...1000) ?? 100
        let all = invocation.has("all") ? "&all=1" : ""
        let found =
            try ServiceClient.require(invocation).get("/api/v1/schedules/missed?limit=\(limit)\(all)")[
                "occurrences"]?.array ?? []
        if invocation.json { return found.forEach { Terminal.print($0) } }
        if found.isEmpty {
            return Terminal.note(invocation.has("all") ? "Nothing has happened yet." : "Nothing was missed.")
        }
        Terminal.table(found.map(ScheduleListing.record))
    }

    private static func path(_ invocation: Invocation) throws -> String {
        "/api/v1/schedules/\(ServiceClient.encoded(try invocation.required(0)))"
    }
}
