internal import JSONText
internal import Platform
internal import Recording

/// `aircheck recordings cut|export|measure`: what takes a while, done by the service.
enum RecordingWorkCommands {
    static let all: [CommandSpec] = [
        CommandSpec(
            "recordings cut", "take a recording apart into tracks, anew",
            details: """
                The whole stays as it is; tracks that there are give way to the new ones. What the service has learned of \
                the station's titles since counts, and so do the options.
                """,
            operands: [RecordingsCommands.recording],
            options: [.value("format", "TEMPLATE", "names of the tracks in the recordings' folder")]
                + TrackOptions.all
        ) { try cut($0) },
        CommandSpec(
            "recordings export",
            "make a span of a recording a recording of its own, without encoding it anew",
            details: """
                Of a recording by its ID: from one place to another, or some of the chapters that `recordings show` numbers. \
                With --station, what that station had on the air between two times, out of all recordings that hold it.
                """,
            operands: [RecordingsCommands.recording.orNothing()],
            options: [
                .value("from", "PLACE", "from there: 90s or 1h05m into it; with --station a time, 14:30"),
                .value("to", "PLACE", "up to there; the end by default"),
                .value("chapter", "N", "the N-th title, or several: 3-5"),
                .value("station", "STATION", "what this station had on the air", completion: .station),
                .value("format", "TEMPLATE", "its name in the recordings' folder"),
                .value("show", "NAME", "name of the programme"),
            ]
        ) { try export($0) },
        CommandSpec(
            "recordings measure", "measure loudness, silences and waveform of a recording anew",
            operands: [RecordingsCommands.recording]
        ) { invocation in
            let client = try ServiceClient.require(invocation)
            let path = try RecordingsCommands.path(invocation, client) + "/measure"
            let job = ServiceJob(service: client, invocation: invocation)
            guard let result = try job.run(path, doing: "measuring") else { return }
            if invocation.json { return Terminal.print(result) }
            RecordingListing.show(result)
        },
        CommandSpec(
            "recordings jobs", "what the service is doing with recordings, and how far it is", operands: []
        ) { try jobs($0) },
        CommandSpec(
            "recordings cancel", "end such a job; what it has half made goes",
            operands: [.required("JOB", "its id, as `recordings jobs` shows it")]
        ) { try cancel($0) },
    ]

    private static func jobs(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        let found = try client.get("/api/v1/jobs")["jobs"]?.array ?? []
        if invocation.json { return found.forEach { Terminal.print($0) } }
        if found.isEmpty { return Terminal.note("There are no jobs.") }
        Terminal.table(
            found.map { job in
                [
                    job["id"]?.string ?? "", job["kind"]?.string ?? "", job["state"]?.string ?? "",
                    ServiceJob.percent(job), job["recording"]?.string ?? "",
                ]
            })
    }

    private static func cancel(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        let id = try invocation.required(0)
        let job = try client.send("DELETE", "/api/v1/jobs/\(ServiceClient.encoded(id))")
        if invocation.json { return Terminal.print(job) }
        if !invocation.quiet { Terminal.note(TerminalText.escaped(job["state"]?.string ?? "")) }
    }

    private static func cut(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        var body = try TrackOptions.members(invocation)
        if let template = invocation.text("format") { body.append(.init("template", .string(template))) }
        let path = try RecordingsCommands.path(invocation, client) + "/cut"
        let job = ServiceJob(service: client, invocation: invocation)
        guard let result = try job.run(path, .object(body), doing: "cutting") else { return }
        if invocation.json { return Terminal.print(result) }
        RecordingListing.show(result)
    }

    private static func export(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        let order =
            invocation.has("station") ? try spanOrder(invocation) : try partOrder(invocation, client)
        var body = order.body
        for (option, field) in [("format", "template"), ("show", "show")] {
            if let text = invocation.text(option) { body.append(.init(field, .string(text))) }
        }
        let job = ServiceJob(service: client, invocation: invocation)
        guard let result = try job.run(order.path, .object(body), doing: "exporting") else { return }
        if invocation.json { return Terminal.print(result) }
        let length = RecordingListing.clock(result["seconds"]?.double ?? 0)
        Terminal.print(TerminalText.escaped("\(result["path"]?.string ?? "")  \(length)"))
    }

    /// A part of one recording.
    private static func partOrder(
        _ invocation: Invocation, _ client: ServiceClient
    ) throws -> (path: String, body: [JSONValue.Member]) {
        guard invocation.operand(0) != nil else {
            throw invocation.usage("name a recording, or a station with --station, --from and --to")
        }
        var body: [JSONValue.Member] = []
        for option in ["from", "to"] {
            if let seconds = try invocation.duration(option) { body.append(.init(option, .number(seconds))) }
        }
        if let text = invocation.text("chapter") {
            let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
            guard body.isEmpty, (1...2).contains(numbers.count), let first = numbers.first ?? nil,
                let last = numbers.last ?? nil
            else { throw invocation.usage("--chapter \(text): write 3 or 3-5, without --from and --to") }
            body = [.init("chapter", .int(first)), .init("last_chapter", .int(last))]
        }
        return (try RecordingsCommands.path(invocation, client) + "/export", body)
    }

    /// A span of a station's programme.
    private static func spanOrder(_ invocation: Invocation) throws -> (
        path: String, body: [JSONValue.Member]
    ) {
        guard let from = invocation.text("from"), let to = invocation.text("to"),
            invocation.operand(0) == nil
        else { throw invocation.usage("--station goes with --from and --to, and without an ID") }
        let now = SystemTime().wall
        guard let begin = LocalTime.last(from, before: now), let end = LocalTime.next(to, after: begin) else {
            throw invocation.usage("write times such as 14:30, or 2026-12-24T18:00, that are over")
        }
        return (
            "/api/v1/exports",
            [
                .init("station", .string(invocation.text("station") ?? "")),
                .init("from", .string(LocalTime.iso(begin))), .init("to", .string(LocalTime.iso(end))),
            ]
        )
    }
}
