internal import JSONText
internal import Platform

/// `aircheck watch …`: what somebody waits for.
enum WatchCommands {
    static let all: [CommandSpec] = [
        CommandSpec(
            "watch add", "be told, tune or record when an artist or a title airs",
            details: "Looks at the stations that are read, and now and then at your favourites.",
            operands: [.required("WORDS", "words that must stand there, one after another").repeated()],
            options: [
                .value(
                    "in", "WHERE", "any, artist or title", completion: .words(["any", "artist", "title"])),
                .value(
                    "action", "ACTION", "notify, tune or record; notify by default",
                    completion: .words(["notify", "tune", "record"])),
                .value("station", "STATION", "on this station alone", completion: .station),
            ]
        ) { try add($0) },
        CommandSpec("watch list", "what is waited for, and how often it aired") { try list($0) },
        CommandSpec(
            "watch remove", "wait no more",
            operands: [.required("NUMBER", "as `aircheck watch list` shows it")]
        ) { try remove($0) },
        CommandSpec("favourites", "what is on now on every favourite") { try favourites($0) },
    ]

    private static func add(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        var body: [JSONValue.Member] = [
            .init("words", .string(invocation.operands.joined(separator: " ")))
        ]
        for key in ["in", "action", "station"] {
            if let value = invocation.text(key) { body.append(.init(key, .string(value))) }
        }
        let rule = try client.send("POST", "/api/v1/watches", .object(body))
        if invocation.json { return Terminal.print(rule) }
        if !invocation.quiet {
            Terminal.note(TerminalText.escaped("watch \(line(rule).joined(separator: " "))"))
        }
    }

    private static func list(_ invocation: Invocation) throws {
        let rules = try ServiceClient.require(invocation).get("/api/v1/watches")["watches"]?.array ?? []
        if invocation.json { return rules.forEach { Terminal.print($0) } }
        if rules.isEmpty {
            return Terminal.note("Nothing is waited for. `aircheck watch add WORDS` makes a watch-list.")
        }
        Terminal.table(rules.map(line))
    }

    private static func line(_ rule: JSONValue) -> [String] {
        [
            "\(rule["id"]?.int ?? 0)", rule["action"]?.string ?? "", rule["in"]?.string ?? "",
            rule["words"]?.string ?? "", rule["station"]?.string ?? "",
            "\(rule["hits"]?.int ?? 0)×", rule["last_hit"]?.string ?? "",
        ]
    }

    private static func remove(_ invocation: Invocation) throws {
        let number = ServiceClient.encoded(try invocation.required(0))
        try ServiceClient.require(invocation).send("DELETE", "/api/v1/watches/\(number)")
        if !invocation.quiet { Terminal.note("removed") }
    }

    private static func favourites(_ invocation: Invocation) throws {
        let rows = try ServiceClient.require(invocation).get("/api/v1/now")["favourites"]?.array ?? []
        if invocation.json { return rows.forEach { Terminal.print($0) } }
        if rows.isEmpty {
            return Terminal.note("There are no favourites. `aircheck stations favourite STATION` makes one.")
        }
        Terminal.table(
            rows.map { row in
                [
                    row["live"]?.bool == true ? "●" : " ", row["station"]?["name"]?.string ?? "",
                    row["now"]?["text"]?.string ?? "", row["seen"]?.string ?? "",
                ]
            })
    }
}
