internal import JSONText
internal import MediaHelper
internal import Platform

/// `aircheck recordings list|show|stop|delete`: the service's library.
enum RecordingsCommands {
    static let all: [CommandSpec] = [
        CommandSpec(
            "recordings list", "list the recordings, newest first", operands: [],
            options: [
                .value("search", "TEXT", "only those of a station or with a title like this"),
                .value("station", "STATION", "only of this station", completion: .station),
                .value(
                    "state", "STATE", "only those that are so",
                    completion: .words(["recording", "finished", "interrupted", "failed"])),
                .value("since", "TIME", "only those that began then or later: 2026-12-24T18:00"),
                .value("limit", "N", "at most so many; 50 by default"),
            ]
        ) { try list($0) },
        CommandSpec(
            "recordings show", "show a recording: titles, gaps, file", operands: [recording]
        ) { try show($0) },
        CommandSpec(
            "recordings play", "let the service play a recording, from where it was left",
            details: "Then `aircheck pause`, `play`, `seek`, `speed`, `next` and `previous` are about it.",
            operands: [recording],
            options: [
                .value("at", "DURATION", "from here on: 1h05m"),
                .value("speed", "FACTOR", "\(PlaybackSpeed.text), at its own pitch"),
            ]
        ) { try play($0) },
        CommandSpec("recordings stop", "end a running recording properly", operands: [recording]) {
            try order($0, "POST", "/stop", "stopped")
        },
        CommandSpec(
            "recordings verify", "prove that a recording is as it was written: every frame against its hash",
            operands: [recording]
        ) { try verify($0) },
        CommandSpec(
            "recordings rename", "rename the files of a recording",
            operands: [recording, .required("NAME", "without folders and extension")]
        ) { invocation in
            let client = try ServiceClient.require(invocation)
            let renamed = try client.send(
                "PUT", try path(invocation, client) + "/name", ["name": .string(try invocation.required(1))])
            if invocation.json { return Terminal.print(renamed) }
            Terminal.print(TerminalText.escaped(renamed["path"]?.string ?? ""))
        },
        CommandSpec(
            "recordings keep", "protect a recording from being deleted by itself", operands: [recording],
            options: [.flag("off", "take the protection away")]
        ) { invocation in
            let client = try ServiceClient.require(invocation)
            let kept = try client.send(
                "PUT", try path(invocation, client) + "/keep", ["value": .bool(!invocation.has("off"))])
            if invocation.json { return Terminal.print(kept) }
            if !invocation.quiet { Terminal.note(invocation.has("off") ? "not protected" : "protected") }
        },
        CommandSpec(
            "recordings played", "remember that a recording was heard, or how far", operands: [recording],
            options: [
                .value("at", "DURATION", "heard up to here: 1h05m"), .flag("not", "not heard at all"),
            ]
        ) { try played($0) },
        CommandSpec(
            "recordings deleted", "what the logger has deleted by its rules, newest first", operands: [],
            options: [.value("limit", "N", "at most so many; 50 by default")]
        ) { try deleted($0) },
        CommandSpec(
            "recordings delete", "delete a recording and its files", operands: [recording],
            options: [.flag("yes", short: "y", "do not ask")]
        ) { try delete($0) },
    ]

    static let recording = CommandSpec.Operand.required(
        "ID", "as `recordings list` shows it, or `last` for the newest")

    private static func list(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        let limit = try invocation.integer("limit", in: 1...10_000) ?? 50
        var path = "/api/v1/recordings?limit=\(limit)"
        if let text = invocation.text("search") { path += "&query=\(ServiceClient.encoded(text))" }
        for name in ["station", "state"] {
            if let text = invocation.text(name) { path += "&\(name)=\(ServiceClient.encoded(text))" }
        }
        if let since = invocation.text("since") {
            guard let wall = LocalTime.last(since, before: SystemTime().wall) else {
                throw invocation.usage("--since \(since): write 14:00, or 2026-12-24T18:00")
            }
            path += "&since=\(ServiceClient.encoded(LocalTime.iso(wall)))"
        }
        let found = try client.get(path)["recordings"]?.array ?? []
        if invocation.json { return found.forEach { Terminal.print($0) } }
        let isFiltered = ["search", "station", "state", "since"].contains { invocation.has($0) }
        if found.isEmpty {
            return Terminal.note(
                isFiltered
                    ? "No recording is like that."
                    : "There are no recordings yet. `aircheck record STATION` makes one.")
        }
        Terminal.table(found.map(RecordingListing.row))
    }

    private static func show(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        let entry = try client.get(try path(invocation, client))
        if invocation.json { return Terminal.print(entry) }
        RecordingListing.show(entry)
    }

    private static func play(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        var body: [JSONValue.Member] = [.init("recording", .string(try invocation.required(0)))]
        if let seconds = try invocation.duration("at") { body.append(.init("position", .number(seconds))) }
        if let text = invocation.text("speed") {
            guard let speed = Double(text), PlaybackSpeed.range.contains(speed) else {
                throw invocation.usage("--speed \(text): write a number from \(PlaybackSpeed.text)")
            }
            body.append(.init("speed", .number(speed)))
        }
        PlayerCommands.show(try client.send("POST", "/api/v1/player/play", .object(body)), invocation)
    }

    private static func verify(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        let job = ServiceJob(service: client, invocation: invocation)
        let path = try path(invocation, client) + "/verify"
        guard let result = try job.run(path, doing: "verifying") else { return }
        let isGood = result["state"]?.string == "verified"
        if invocation.json {
            Terminal.print(result)
        } else {
            Terminal.print(TerminalText.escaped(result["message"]?.string ?? ""))
        }
        if !isGood { throw CommandFailure(.badData, "the recording is not as it was written") }
    }

    private static func played(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        let seconds = try invocation.duration("at")
        let isPlayed = seconds == nil && !invocation.has("not")
        let answer = try client.send(
            "PUT", try path(invocation, client) + "/listening",
            ["position": .number(seconds ?? 0), "finished": .bool(isPlayed)])
        if invocation.json { Terminal.print(answer) }
    }

    private static func deleted(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        let limit = try invocation.integer("limit", in: 1...10_000) ?? 50
        let found = try client.get("/api/v1/deletions?limit=\(limit)")["deletions"]?.array ?? []
        if invocation.json { return found.forEach { Terminal.print($0) } }
        if found.isEmpty { return Terminal.note("Nothing has been deleted by rule.") }
        Terminal.table(
            found.map { entry in
                [
                    entry["time"]?.string ?? "", entry["rule"]?.string ?? "", entry["station"]?.string ?? "",
                    entry["path"]?.string ?? "",
                ]
            })
    }

    private static func delete(_ invocation: Invocation) throws {
        if !invocation.has("yes"), Terminal.isTerminal(0) {
            Terminal.note("Delete recording \(try invocation.required(0)) and its files? [y/N]")
            guard readLine()?.lowercased().hasPrefix("y") == true else {
                return Terminal.note("nothing deleted")
            }
        }
        try order(invocation, "DELETE", "", "deleted")
    }

    private static func order(_ invocation: Invocation, _ method: String, _ suffix: String, _ done: String)
        throws
    {
        let client = try ServiceClient.require(invocation)
        let answer = try client.send(method, try path(invocation, client) + suffix)
        if invocation.json, !answer.isNull { return Terminal.print(answer) }
        if !invocation.quiet { Terminal.note(done) }
    }

    /// Where the API has the recording that was named.
    static func path(_ invocation: Invocation, _ client: ServiceClient) throws -> String {
        var id = try invocation.required(0)
        if id == "last" {
            guard let newest = try client.get("/api/v1/recordings?limit=1")["recordings"]?.array?.first,
                let found = newest["id"]?.string
            else { throw CommandFailure(.noInput, "there are no recordings yet") }
            id = found
        }
        return "/api/v1/recordings/\(ServiceClient.encoded(id))"
    }
}
