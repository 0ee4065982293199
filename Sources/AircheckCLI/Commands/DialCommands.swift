internal import JSONText
internal import Platform

/// `aircheck dial …` and `aircheck thumb`: stations by what they air and what was liked.
enum DialCommands {
    static let all: [CommandSpec] = [
        CommandSpec(
            "thumb", "like or dislike what the player plays",
            details: "A dislike leaves the station.",
            operands: [
                .required(
                    "VOTE", "up, down, or none to take it back", completion: .words(["up", "down", "none"]))
            ],
            options: [.value("station", "STATION", "what this station plays", completion: .station)]
        ) { try thumb($0) },
        CommandSpec(
            "dial add", "make a personal station that tunes live ones",
            options: [
                .value("artist", "NAME", "from an artist; with --title, from a track"),
                .value("title", "TITLE", "from a track"), .value("genre", "GENRE", "from a genre"),
                .value("stations", "IDS", "from stations, with commas between"),
                .value("name", "NAME", "what it is called"),
                .value("variety", "N", "how far it looks, 0 to 3; 0 by default"),
            ]
        ) { try add($0) },
        CommandSpec("dial list", "the dials that were made") { try list($0) },
        CommandSpec("dial play", "play a dial", operands: [number]) { try play($0) },
        CommandSpec("dial choices", "the stations that a dial would tune, and why", operands: [number]) {
            try choices($0)
        },
        CommandSpec("dial why", "why the dial plays what it plays") { try why($0) },
        CommandSpec(
            "dial variety", "let a dial look further, or less far",
            operands: [number, .required("N", "0 to 3")]
        ) { try variety($0) },
        CommandSpec("dial remove", "remove a dial", operands: [number]) { try remove($0) },
    ]

    private static let number = CommandSpec.Operand.required("NUMBER", "as `aircheck dial list` shows it")

    private static func thumb(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        let station = try invocation.text("station") ?? client.get("/api/v1/player")["station"]?["id"]?.string
        guard let station else {
            throw CommandFailure(
                .noInput, "the player plays nothing", remedy: "Name a station: --station ID.")
        }
        let body: JSONValue = [
            "station": .string(station), "direction": .string(try invocation.required(0)),
        ]
        let answer = try client.send("PUT", "/api/v1/thumbs", body)
        if invocation.json { Terminal.print(answer) }
    }

    private static func add(_ invocation: Invocation) throws {
        var body: [JSONValue.Member] = []
        for key in ["artist", "title", "genre", "name"] {
            if let value = invocation.text(key) { body.append(.init(key, .string(value))) }
        }
        if let stations = invocation.text("stations") {
            let ids = stations.split(separator: ",").map { JSONValue.string(String($0)) }
            body.append(.init("stations", .array(ids)))
        }
        if let variety = try invocation.integer("variety", in: 0...3) {
            body.append(.init("variety", .int(Int64(variety))))
        }
        let client = try ServiceClient.require(invocation)
        show(try client.send("POST", "/api/v1/dials", .object(body)), invocation)
    }

    private static func list(_ invocation: Invocation) throws {
        let dials = try ServiceClient.require(invocation).get("/api/v1/dials")["dials"]?.array ?? []
        if invocation.json { return dials.forEach { Terminal.print($0) } }
        if dials.isEmpty {
            return Terminal.note("There are no dials. `aircheck dial add --artist NAME` makes one.")
        }
        Terminal.table(dials.map(line))
    }

    private static func line(_ dial: JSONValue) -> [String] {
        ["\(dial["id"]?.int ?? 0)", dial["name"]?.string ?? "", "variety \(dial["variety"]?.int ?? 0)"]
    }

    private static func show(_ dial: JSONValue, _ invocation: Invocation) {
        if invocation.json { return Terminal.print(dial) }
        Terminal.print(TerminalText.escaped(line(dial).joined(separator: "  ")))
    }

    private static func path(_ invocation: Invocation, _ rest: String = "") throws -> String {
        "/api/v1/dials/\(ServiceClient.encoded(try invocation.required(0)))\(rest)"
    }

    private static func play(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        say(try client.send("POST", try path(invocation, "/play")), invocation)
    }

    private static func choices(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        for choice in try client.get(try path(invocation, "/choices"))["choices"]?.array ?? [] {
            say(choice, invocation)
        }
    }

    private static func why(_ invocation: Invocation) throws {
        let answer = try ServiceClient.require(invocation).get("/api/v1/dials/why")
        if invocation.json { return Terminal.print(answer) }
        say(answer["choice"] ?? .null, invocation)
    }

    private static func say(_ choice: JSONValue, _ invocation: Invocation) {
        if invocation.json { return Terminal.print(choice) }
        Terminal.print(TerminalText.escaped(choice["why"]?.string ?? ""))
    }

    private static func variety(_ invocation: Invocation) throws {
        guard let value = Int64(try invocation.required(1)) else {
            throw invocation.usage("variety is a number from 0 to 3")
        }
        let client = try ServiceClient.require(invocation)
        show(try client.send("PUT", try path(invocation, "/variety"), ["value": .int(value)]), invocation)
    }

    private static func remove(_ invocation: Invocation) throws {
        try ServiceClient.require(invocation).send("DELETE", try path(invocation))
        if !invocation.quiet { Terminal.note("removed") }
    }
}
