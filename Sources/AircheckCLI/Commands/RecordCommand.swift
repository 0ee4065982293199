internal import AircheckDaemon
internal import Feed
internal import Configuration
internal import JSONText
internal import Platform
internal import Recording
internal import StreamFormats

/// `aircheck record`
enum RecordCommand {
    static let spec = CommandSpec(
        "record", "record a station, bit for bit",
        details: """
            With a running service, a station of the catalogue is recorded by the service, into its library. With --whole, \
            --output or --tracks, or for an address, the command records by itself; a station that the service knows is then \
            read from the service, so the station still sees one connection. Ctrl-C ends a recording properly. With --slot \
            it is a logger: it goes on without an end, in files that begin at round times of day and join without a lost \
            frame; --keep-... say which of its own oldest files it deletes.
            """,
        operands: [.stationOrURL],
        options: [
            .value("for", "DURATION", "end after so much time: 90s, 30m, 1h30m"),
            .value("until", "TIME", "end when the clock shows this: 14:00, or 2026-12-24T18:00"),
            .value("whole", "FILE", "write exactly this file, from the first byte", completion: .file),
            .value("output", "DIR", short: "o", "write into this folder", completion: .folder),
            .value(
                "format", "TEMPLATE",
                "name in that folder, such as `{station}/{date} {time}`; with tracks alone, theirs"),
            .value("tracks", "DIR", "write a file per track into this folder", completion: .folder),
            .flag("split", "a file per track beside the whole recording"),
            .flag("no-whole", "with --split or --tracks: the tracks alone"),
            .flag("overwrite", "replace a file that is there"),
            .value("slot", "DURATION", "a file for every 1h, 15m or other part of a day, by the clock"),
            .value("keep-age", "DURATION", "with --slot: delete its files that are older, 30d for instance"),
            .value("keep-files", "N", "with --slot: hold at most so many files"),
            .value("keep-bytes", "SIZE", "with --slot: hold at most so much, 20G for instance"),
            .value("keep-free", "SIZE", "with --slot: leave so much of the disk free"),
            .value("give-up", "DURATION", "before the first audio, try for so long; 2m by default"),
            .flag("direct", "connect to the station even where a service could feed us"),
        ] + TrackOptions.all
    ) { try run($0) }

    private static func run(_ invocation: Invocation) throws {
        let plan = try RecordPlan(invocation)
        let reference = try StationReference.find(
            try invocation.required(0), invocation, direct: invocation.has("direct"))
        if let service = reference.service, !plan.namesFiles {
            try ServiceRecording(service: service, invocation: invocation).run(reference.station, plan)
        } else {
            try LocalRecording(invocation: invocation, plan: plan).run(reference.station)
        }
    }
}

/// What the options of `record` ask for.
struct RecordPlan {
    var limit: RecordingRequest.Limit
    var whole: String?
    var output: String?
    var template: NameTemplate?
    var tracks: String?
    /// Whether there is a file of all that is recorded, too.
    var hasWhole: Bool
    var giveUp: Double
    var overwrite: Bool
    var log: LogRequest?

    /// Whether the user said where files go; the command writes them itself then.
    let namesFiles: Bool
    private let invocation: Invocation

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        namesFiles = ["whole", "output", "tracks"].contains { invocation.has($0) }
        limit = try Self.limit(invocation)
        whole = invocation.text("whole")
        output = invocation.text("output")
        tracks = invocation.text("tracks") ?? (invocation.has("split") ? output ?? "." : nil)
        hasWhole =
            !invocation.has("no-whole")
            && (tracks == nil || invocation.has("split") || whole != nil || output != nil)
        giveUp = try invocation.duration("give-up") ?? 120
        overwrite = invocation.has("overwrite")
        log = try Self.log(invocation)
        if log != nil, whole != nil || tracks != nil {
            throw invocation.usage(
                "--slot names its files itself and makes no tracks; use --output and --format")
        }
        if invocation.has("no-whole"), tracks == nil || whole != nil {
            throw invocation.usage("--no-whole leaves tracks alone; it goes with --split or --tracks")
        }
        if whole != nil, output != nil {
            throw invocation.usage("--whole names the file; --output does not go with it")
        }
        if let text = invocation.text("format") {
            do { template = try NameTemplate(text) } catch {
                throw invocation.usage("--format: \(error.description)")
            }
        }
    }

    private static func log(_ invocation: Invocation) throws -> LogRequest? {
        let rules = RetentionRules(
            ageSeconds: try invocation.duration("keep-age"),
            count: try invocation.integer("keep-files", in: 1...1_000_000),
            bytes: try size("keep-bytes", invocation), freeBytes: try size("keep-free", invocation))
        guard let slot = try invocation.duration("slot") else {
            if rules.isEmpty { return nil }
            throw invocation.usage("--keep-age, --keep-files, --keep-bytes and --keep-free go with --slot")
        }
        do throws(RecordingError) {
            return try LogRequest(slotSeconds: Int(slot.rounded()), retention: rules)
        } catch {
            throw invocation.usage("--slot: \(error.description)")
        }
    }

    private static func size(_ option: String, _ invocation: Invocation) throws -> Int64? {
        guard let text = invocation.text(option) else { return nil }
        guard let bytes = ByteCountText.bytes(text), bytes > 0 else {
            throw invocation.usage("--\(option) \(text): not a size; write 500M or 20G")
        }
        return Int64(bytes)
    }

    private static func limit(_ invocation: Invocation) throws -> RecordingRequest.Limit {
        let seconds = try invocation.duration("for")
        guard let text = invocation.text("until") else { return seconds.map { .seconds($0) } ?? .open }
        guard seconds == nil else { throw invocation.usage("give --for or --until, not both") }
        guard let end = LocalTime.next(text, after: SystemTime().wall) else {
            throw invocation.usage("--until \(text): write 14:00, or 2026-12-24T18:00")
        }
        return .until(end)
    }

    /// What the recorder of this process is asked for.
    /// - Parameter rules: of tracks, as the settings have them.
    func request(_ rules: TrackRules) throws -> RecordingRequest {
        var target: RecordingRequest.Target?
        if let whole {
            target = .whole(path: whole)
        } else if hasWhole {
            target = .library(folder: output ?? ".", template: template ?? .wholeHere)
        }
        var request = RecordingRequest(target: target, tracks: nil)
        if let tracks {
            let names = hasWhole ? nil : template
            request.tracks = TrackRequest(
                folder: tracks, template: names ?? .track, rules: try TrackOptions.rules(rules, invocation))
        }
        request.limit = limit
        request.giveUpSeconds = giveUp
        request.overwrite = overwrite
        request.log = log
        return request
    }
}

/// Records in this process: the file and its sidecar, nothing else.
struct LocalRecording {
    let invocation: Invocation
    let plan: RecordPlan

    private enum Outcome: Sendable {
        case finished(RecordingFacts)
        case failed(RecordingFacts)
    }

    func run(_ station: Station) throws {
        let configuration = try SettingsFile.load(invocation).settings
        try makeFolders()
        let alone = StandAlone(configuration)
        defer { alone.stop() }
        let feed = alone.hub.feed(for: station)
        let request = try plan.request(TrackRules(configuration.tracks, station: station))
        let outcome = Monitor<Outcome?>(nil)
        let (show, isLogger) = (self.show, plan.log != nil)
        let recorder = Recorder(
            settings: Recorder.Settings(configuration),
            sound: plan.tracks == nil && plan.whole != nil ? nil : SoundHelper.source()
        ) { event in
            switch event {
            case .finished(let facts):
                if isLogger { show(facts) }
                outcome.change { $0 = .finished(facts) }
                Signals.wake()
            case .failed(let facts):
                outcome.change { $0 = .failed(facts) }
                Signals.wake()
            case .started, .title, .gap, .diskFull, .resumed, .newPart, .track, .measured, .deleted: break
            }
        }
        defer { recorder.shutDown() }
        recover(recorder, request)
        let id: RecordingID
        do {
            id = try recorder.start(request, feed: feed)
        } catch {
            throw CommandFailure(.cannotCreate, error.description)
        }
        watch(id, recorder, feed, outcome)
        try report(outcome.wait(atMost: 15) { $0 }, feed)
    }

    /// A folder that somebody names for what comes is made; the file of `--whole` stands where its folder is.
    private func makeFolders() throws {
        for (option, folder) in [("output", plan.output), ("tracks", plan.tracks)] {
            guard let folder else { continue }
            do { try Files.makeFolder(folder) } catch {
                throw CommandFailure(
                    .cannotCreate, "cannot make the folder \(folder): \(error.reason)",
                    remedy: "--\(option) takes a folder that is there, or that can be made.")
            }
        }
    }

    /// What an earlier run was killed over is closed, as far as it lies where this one writes.
    private func recover(_ recorder: Recorder, _ request: RecordingRequest) {
        for folder in Set([request.target?.folder, request.tracks?.folder].compactMap { $0 }) {
            for facts in recorder.recover(folder: folder, isDeep: false) where !invocation.quiet {
                Terminal.note(
                    TerminalText.escaped("closed what was interrupted: \(facts.path ?? facts.id.text)"))
            }
        }
    }

    /// Until it is over by itself or a signal ends it.
    private func watch(_ id: RecordingID, _ recorder: Recorder, _ feed: Feed, _ outcome: Monitor<Outcome?>) {
        let isShown = !invocation.quiet && !invocation.json
        while let status = recorder.current(id) {
            if isShown { Terminal.progress(line(status, feed)) }
            // Who is shown nothing is woken at the end. A file that is over is known a moment before it is.
            let isOver = outcome.change { $0 != nil } && plan.log == nil
            let patience = isOver ? 0.02 : isShown || plan.log != nil ? 0.5 : 5
            if Signals.next(within: patience) == .end { try? recorder.stopAndWait(id) }
        }
        Terminal.endProgress()
    }

    private func line(_ status: RecordingStatus, _ feed: Feed) -> String {
        let facts = status.facts
        guard facts.seconds > 0 else {
            let state = feed.status
            return TerminalText.escaped(
                "\(feed.station.name) · \(state.state.rawValue) \(state.reason ?? "")")
        }
        var parts = ["● \(Self.clock(facts.seconds))", "\(facts.bytes / 1024) KiB", facts.fileName ?? ""]
        if facts.lostSeconds > 0 { parts.append("\(facts.lostSeconds) s missing") }
        if let reason = status.waitsFor { parts.append(reason) }
        if let title = facts.titles.last?.text.text, !title.isEmpty { parts.append(title) }
        return TerminalText.escaped(parts.joined(separator: " · "))
    }

    private func report(_ outcome: Outcome?, _ feed: Feed) throws {
        switch outcome {
        case .finished(let facts):
            // A logger has shown every file at its end.
            if plan.log == nil { show(facts) }
        case .failed(let facts):
            let reason = facts.reason ?? feed.status.reason ?? "no audio came"
            throw CommandFailure(
                .unavailable, "nothing was recorded of \(feed.station.name): \(reason)",
                remedy: "`aircheck probe` says what the address really is.")
        case nil: throw CommandFailure(.software, "the recording did not end")
        }
    }

    /// What a file has become: a line, or the sidecar.
    @Sendable private func show(_ facts: RecordingFacts) {
        if invocation.json { return Terminal.print(Sidecar.json(facts)) }
        if invocation.quiet { return }
        let path = facts.fileName.map { facts.folder.isEmpty ? $0 : "\(facts.folder)/\($0)" } ?? "nothing"
        let gaps = facts.lostSeconds > 0 ? ", \(facts.lostSeconds) s missing" : ""
        let titles = RecordingSummary(facts).titles
        Terminal.print(
            TerminalText.escaped(
                "\(path)  \(Self.clock(facts.seconds))  \(CountText.text(titles, "title"))\(gaps)"
            ))
    }

    /// `1:05:09`, `3:07`
    static func clock(_ seconds: Double) -> String {
        let whole = Int(bounded: seconds)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = whole / 60 % 60
        return whole >= 3600
            ? "\(whole / 3600):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
    }
}

/// Lets the service record, shows how far it is, and ends it when the command is ended.
struct ServiceRecording {
    let service: ServiceClient
    let invocation: Invocation

    func run(_ station: Station, _ plan: RecordPlan) throws {
        var body: [JSONValue.Member] = [
            .init("station", .string(station.id)), .init("give_up", .number(plan.giveUp)),
        ]
        switch plan.limit {
        case .open: break
        case .seconds(let seconds): body.append(.init("seconds", .number(seconds)))
        case .until(let end): body.append(.init("until", .string(LocalTime.iso(end))))
        }
        if let template = plan.template { body.append(.init("template", .string(template.description))) }
        if invocation.has("split") {
            body += [.init("split", true), .init("whole", .bool(!invocation.has("no-whole")))]
            body += try TrackOptions.members(invocation)
        }
        if let log = plan.log { body += Self.members(log) }
        let started = try service.send("POST", "/api/v1/recordings", .object(body))
        guard let id = started["id"]?.string else {
            throw CommandFailure(.unavailable, "the service did not say which recording it started")
        }
        try follow(id, endsWithCommand: true)
    }

    private static func members(_ log: LogRequest) -> [JSONValue.Member] {
        let rules = log.retention
        return [
            .init("slot", .int(Int64(log.slotSeconds))), .init("keep_age", JSONValue(rules.ageSeconds)),
            .init("keep_files", JSONValue(rules.count)),
            .init("keep_bytes", JSONValue(rules.bytes.map { Int($0) })),
            .init("keep_free", JSONValue(rules.freeBytes.map { Int($0) })),
        ].filter { !$0.value.isNull }
    }

    /// Shows how far a recording is, and what has become of it.
    /// - Parameter endsWithCommand: whether Ctrl-C ends the recording; else it is left to the service.
    func follow(_ id: String, endsWithCommand: Bool) throws {
        var path = "/api/v1/recordings/\(ServiceClient.encoded(id))"
        var isLater = false
        while true {
            let recording: JSONValue
            do { recording = try service.get(path) } catch let failure as CommandFailure {
                // A file of a logger that was ended before it had any sound was never there.
                guard isLater, failure.code == .noInput else { throw failure }
                return Terminal.endProgress()
            }
            if let next = recording["continues_as"]?.string {
                path = "/api/v1/recordings/\(ServiceClient.encoded(next))"
                try report(recording)
                isLater = true
                continue
            }
            guard recording["state"]?.string == "recording" else { return try report(recording) }
            if !invocation.quiet, !invocation.json { Terminal.progress(line(recording)) }
            guard Signals.next(within: 0.5) == .end else { continue }
            guard endsWithCommand else {
                Terminal.endProgress()
                return Terminal.note(TerminalText.escaped("goes on in the service as \(id)"))
            }
            try service.send("POST", path + "/stop")
        }
    }

    private func line(_ recording: JSONValue) -> String {
        let title = recording["titles"]?.array?.last?["text"]?.string ?? ""
        let waits = recording["waits_for"]?.string ?? ""
        let parts = [
            "● \(LocalRecording.clock(recording["seconds"]?.double ?? 0)) by the service", waits, title,
        ]
        return TerminalText.escaped(parts.filter { !$0.isEmpty }.joined(separator: " · "))
    }

    private func report(_ recording: JSONValue) throws {
        Terminal.endProgress()
        if recording["state"]?.string == "failed" {
            throw CommandFailure(
                .unavailable, "nothing was recorded: \(recording["reason"]?.string ?? "no audio came")")
        }
        if invocation.json { return Terminal.print(recording) }
        if invocation.quiet { return }
        let seconds = LocalRecording.clock(recording["seconds"]?.double ?? 0)
        // An end of a title is none.
        let titles = recording["titles"]?.array?.count { $0["class"]?.string != "none" } ?? 0
        let isWhole = recording["files"]?.array?.isEmpty == false
        let parts =
            [recording["path"]?.string ?? "", seconds] + (isWhole ? [CountText.text(titles, "title")] : [])
        Terminal.print(TerminalText.escaped(parts.joined(separator: "  ")))
    }
}
