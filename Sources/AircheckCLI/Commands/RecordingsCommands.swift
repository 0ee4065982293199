internal import JSONText
internal import Platform

/// `aircheck recordings list|show|stop|delete`: the service's library.
enum RecordingsCommands {
    static let all: [CommandSpec] = [
        CommandSpec(
            "recordings list", "list the recordings, newest first", operands: [],
            options: [
                .value("search", "TEXT", "only those of a station or with a title like this"),
                .value("limit", "N", "at most so many; 50 by default"),
            ]
        ) { try list($0) },
        CommandSpec(
            "recordings show", "show a recording: titles, gaps, file", operands: [recording]
        ) { try show($0) },
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
                "PUT", try path(invocation) + "/name", ["name": .string(try invocation.required(1))])
            if invocation.json { return Terminal.print(renamed) }
            Terminal.print(TerminalText.escaped(renamed["path"]?.string ?? ""))
        },
        CommandSpec(
            "recordings deleted", "what the logger has deleted by its rules, newest first", operands: [],
            options: [.value("limit", "N", "at most so many; 50 by default")]
        ) { try deleted($0) },
        CommandSpec(
            "recordings delete", "delete a recording and its files", operands: [recording],
            options: [.flag("yes", short: "y", "do not ask")]
        ) { try delete($0) },
    ]

    private static let recording = CommandSpec.Operand.required("ID", "as `recordings list` shows it")

    private static func list(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        let limit = try invocation.integer("limit", in: 1...10_000) ?? 50
        var path = "/api/v1/recordings?limit=\(limit)"
        if let text = invocation.text("search") { path += "&query=\(ServiceClient.encoded(text))" }
        let found = try client.get(path)["recordings"]?.array ?? []
        if invocation.json { return found.forEach { Terminal.print($0) } }
        if found.isEmpty {
            return Terminal.note("There are no recordings yet. `aircheck record STATION` makes one.")
        }
        Terminal.table(
            found.map { entry in
                [
                    entry["id"]?.string ?? entry["id"]?.int.map(String.init) ?? "",
                    entry["state"]?.string ?? "", entry["started"]?.string ?? "",
                    DurationText.text(entry["seconds"]?.double ?? 0), entry["station"]?["name"]?.string ?? "",
                    entry["path"]?.string ?? "",
                ]
            })
    }

    private static func show(_ invocation: Invocation) throws {
        let entry = try ServiceClient.require(invocation).get(try path(invocation))
        if invocation.json { return Terminal.print(entry) }
        for line in entry.text(pretty: true).split(separator: "\n") {
            Terminal.print(TerminalText.escaped(line))
        }
    }

    private static func verify(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        let result = try client.send("POST", try path(invocation) + "/verify", timeout: 600)
        let isGood = result["state"]?.string == "verified"
        if invocation.json {
            Terminal.print(result)
        } else {
            Terminal.print(TerminalText.escaped(result["message"]?.string ?? ""))
        }
        if !isGood { throw CommandFailure(.badData, "the recording is not as it was written") }
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
        let answer = try client.send(method, try path(invocation) + suffix)
        if invocation.json, !answer.isNull { return Terminal.print(answer) }
        if !invocation.quiet { Terminal.note(done) }
    }

    private static func path(_ invocation: Invocation) throws -> String {
        "/api/v1/recordings/\(ServiceClient.encoded(try invocation.required(0)))"
    }
}
