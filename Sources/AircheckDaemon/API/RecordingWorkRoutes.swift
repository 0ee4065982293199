internal import ControlAPI
internal import JSONText
internal import Platform
internal import Recording
internal import StreamFormats

/// What is done with recordings that are over, and how far it is: verifying, cutting anew, taking a span out, measuring.
struct RecordingWorkRoutes {
    let rooms: Rooms

    /// A job that is done within this is answered with at once.
    private static let patience = 2.0
    /// A week is no programme.
    private static let longestSpan = 7 * 86_400.0

    var all: [APIRoute] { work + facts + jobs }

    private var work: [APIRoute] {
        [
            APIRoute(
                "POST", "/api/v1/recordings/{id}/verify", .operator,
                "a job: prove that the files hold what was written"
            ) { call in try verify(call) },
            APIRoute(
                "POST", "/api/v1/recordings/{id}/cut", .operator,
                "a job: take a recording apart into tracks anew; the whole stays, old tracks give way",
                body: [.init("template", .string, "names of the tracks below the recordings' folder")]
                    + TrackRules.fields
            ) { call in try cut(call) },
            APIRoute(
                "POST", "/api/v1/recordings/{id}/export", .operator,
                "a job: a span of a recording as a recording of its own",
                body: [
                    .init("from", .number, "second at which it begins; 0"),
                    .init("to", .number, "second at which it ends; the end"),
                    .init("chapter", .integer, "or the n-th title, counted from 1"),
                    .init("last_chapter", .integer, "and those after it up to this one"),
                ] + Self.exportFields
            ) { call in try export(call) },
            APIRoute(
                "POST", "/api/v1/exports", .operator,
                "a job: what a station had on the air between two moments, out of the recordings that hold it",
                body: [
                    .init("station", .string, required: true, "id, name or a unique part"),
                    .init("from", .string, required: true, "2026-12-24T14:30:00Z"),
                    .init("to", .string, required: true, "2026-12-24T15:00:00Z"),
                ] + Self.exportFields
            ) { call in try exportSpan(call) },
            APIRoute(
                "POST", "/api/v1/recordings/{id}/measure", .operator,
                "a job: measure loudness, silences and waveform anew"
            ) { call in try measure(call) },
        ]
    }

    private static let exportFields: [APIRoute.Field] = [
        .init("template", .string, "its name below the recordings' folder"),
        .init("show", .string, "name of the programme"),
    ]

    private var facts: [APIRoute] {
        [
            APIRoute(
                "GET", "/api/v1/recordings/{id}/waveform", .viewer,
                "the loudest sample of equal stretches, 0 to 255",
                query: [.init("points", .integer, "1 to 100000; all, one for a tenth of a second")]
            ) { call in try waveform(call) },
            APIRoute(
                "PUT", "/api/v1/recordings/{id}/keep", .operator,
                "protect a recording from being deleted by itself, or not",
                body: [.init("value", .boolean, required: true, "true protects it")]
            ) { call in
                let facts = try rooms.finished(call)
                return .json(
                    RecordingJSON.stored(rooms.recorder.protect(facts, call.body["value"]?.bool ?? true)))
            },
        ]
    }

    private var jobs: [APIRoute] {
        [
            APIRoute("GET", "/api/v1/jobs", .viewer, "long work on recordings, and how far it is") { _ in
                .json(["jobs": .array(rooms.jobs.all.map(JobBook.json))])
            },
            APIRoute(
                "GET", "/api/v1/jobs/{id}", .viewer, "one job",
                query: [.init("wait", .integer, "answer when it is over, or after so many seconds; 0 to 20")]
            ) { call in
                let wait = try call.number("wait", standard: 0, in: 0...20)
                guard let job = rooms.jobs.wait(for: call.name("id"), seconds: Double(wait)) else {
                    throw APIFailure(.notFound, "there is no job of that id; those long over are forgotten")
                }
                return .json(JobBook.json(job))
            },
            APIRoute(
                "DELETE", "/api/v1/jobs/{id}", .operator,
                "cancel a job that waits or runs; what it has half made goes"
            ) { call in
                guard try rooms.jobs.cancel(call.name("id")) != nil,
                    let job = rooms.jobs.wait(for: call.name("id"), seconds: Self.patience)
                else {
                    throw APIFailure(.notFound, "there is no job of that id; those long over are forgotten")
                }
                return .json(JobBook.json(job))
            },
        ]
    }

    // MARK: Jobs

    private func verify(_ call: APIRequest) throws -> APIAnswer {
        let facts = try rooms.finished(call)
        return try start("verify", facts.id.text) { [rooms] progress in
            RecordingJSON.report(
                try rooms.recorder.verify(facts) { part throws(SystemError) in try progress(part) })
        }
    }

    private func cut(_ call: APIRequest) throws -> APIAnswer {
        let facts = try rooms.finished(call)
        guard facts.state != .failed else { throw APIFailure(.unprocessable, "this recording holds nothing") }
        let station = rooms.catalogue.station(facts.stationID)?.station
        var rules = TrackRules(rooms.configuration.tracks, station: station)
        try rules.apply(call.body)
        let template = call.body["template"]?.string ?? rooms.configuration.recording.trackTemplate
        let request = TrackRequest(
            folder: facts.trackFolder ?? rooms.folders.recordings, template: try NameTemplate.asked(template),
            rules: rules)
        return try start("cut", facts.id.text) { [rooms] progress in
            RecordingJSON.stored(
                try rooms.recorder.recut(facts, into: request) { part throws(SystemError) in
                    try progress(part)
                })
        }
    }

    private func export(_ call: APIRequest) throws -> APIAnswer {
        var facts = try rooms.finished(call)
        let span = try Self.span(call.body, facts)
        let target = try target(call)
        facts.show = call.body["show"]?.string ?? facts.show
        return try start("export", facts.id.text) { [rooms, facts] progress in
            let made = try rooms.recorder.export(facts, seconds: span, target: target) {
                part throws(SystemError) in try progress(part)
            }
            return try Self.made(made)
        }
    }

    private func exportSpan(_ call: APIRequest) throws -> APIAnswer {
        let station = try rooms.resolve(call.body["station"]?.string ?? "").station
        guard let from = call.body["from"]?.string.flatMap(WallStamp.wall),
            let to = call.body["to"]?.string.flatMap(WallStamp.wall), from < to
        else {
            throw APIFailure(.badRequest, "from and to must be like 2026-12-24T14:30:00Z, and in this order")
        }
        guard to.secondsSince1970 - from.secondsSince1970 <= Self.longestSpan else {
            throw APIFailure(.badRequest, "at most seven days at once")
        }
        let running = Set(rooms.recorder.running.map(\.facts.id))
        var found = try rooms.library.recordings(of: station.id, from: from, to: to).filter {
            !running.contains($0.id)
        }
        guard !found.isEmpty else {
            throw APIFailure(
                .notFound, "no finished recording of \(station.name) holds any of it",
                remedy: "`aircheck recordings list --station` shows what there is.")
        }
        if let show = call.body["show"]?.string { found[0].show = show }
        let target = try target(call)
        return try start("export", nil) { [rooms, found] progress in
            let made = try rooms.recorder.export(found, from: from, to: to, target: target) {
                part throws(SystemError) in try progress(part)
            }
            return try Self.made(made)
        }
    }

    private func measure(_ call: APIRequest) throws -> APIAnswer {
        let facts = try rooms.finished(call)
        return try start("measure", facts.id.text) { [rooms] progress in
            let (measured, peaks) = try rooms.recorder.measure(facts) { part throws(SystemError) in
                try progress(part)
            }
            rooms.waveforms.keep(peaks, of: facts.id)
            return RecordingJSON.stored(measured)
        }
    }

    private func start(
        _ kind: String, _ recording: String?,
        _ work: @escaping @Sendable (@escaping JobBook.Progress) throws -> JSONValue
    ) throws -> APIAnswer {
        let job = try rooms.jobs.start(kind, recording: recording, work)
        return .created(JobBook.json(rooms.jobs.wait(for: job.id, seconds: Self.patience) ?? job))
    }

    private func target(_ call: APIRequest) throws -> RecordingRequest.Target {
        let template = call.body["template"]?.string ?? rooms.configuration.recording.template
        return .library(folder: rooms.folders.recordings, template: try NameTemplate.asked(template))
    }

    private static func made(_ facts: RecordingFacts?) throws -> JSONValue {
        guard let facts else { throw APIFailure(.notFound, "nothing of this span is held") }
        return RecordingJSON.stored(facts)
    }

    /// Seconds, or those of chapters: each begins where its title does by our own cut.
    private static func span(_ body: JSONValue, _ facts: RecordingFacts) throws -> ClosedRange<Double> {
        var (from, to) = (body["from"]?.double ?? 0, body["to"]?.double ?? facts.audioSeconds)
        if let chapter = body["chapter"]?.int {
            let last = body["last_chapter"]?.int ?? chapter
            let starts = facts.titles.map(\.chapterSeconds)
            guard chapter >= 1, last >= chapter, last <= starts.count else {
                throw APIFailure(.badRequest, "this recording has the chapters 1 to \(starts.count)")
            }
            from = starts[Int(chapter) - 1]
            to = last < starts.count ? starts[Int(last)] : facts.audioSeconds
        }
        guard from >= 0, from < to, from < facts.audioSeconds else {
            throw APIFailure(
                .badRequest, "the span must lie within the \(facts.audioSeconds) seconds of the recording")
        }
        return from...to
    }

    // MARK: Facts

    private func waveform(_ call: APIRequest) throws -> APIAnswer {
        let facts = try rooms.finished(call)
        guard let peaks = rooms.waveforms.read(facts.id) else {
            throw APIFailure(
                .notFound, "this recording has not been measured",
                remedy: "`aircheck recordings measure ID` does it.")
        }
        let points = try call.number("points", standard: 100_000, in: 1...100_000)
        let reduced = Waveforms.reduced(peaks, to: points)
        return .json([
            "recording": .string(facts.id.text), "seconds": .number(Double(peaks.count) / 10),
            "step": .number(Double(peaks.count) / 10 / Double(max(reduced.count, 1))),
            "peaks": .array(reduced.map { .int(Int64($0)) }),
        ])
    }
}

extension Rooms {
    /// A recording of the library.
    func known(_ id: String) throws -> RecordingFacts {
        guard let facts = try library.recording(RecordingID(id)) else {
            throw APIFailure(
                .notFound, "there is no recording of that id", remedy: "`aircheck recordings list` has them.")
        }
        return facts
    }

    /// The one that a call names, which must not be running any more. Blocks up to two seconds.
    func finished(_ call: APIRequest) throws -> RecordingFacts {
        let id = RecordingID(call.name("id"))
        // One that has just ended is being put away, which takes a moment.
        let pause = Semaphore()
        var looks = 40
        while let status = recorder.status(id) {
            guard status.facts.state != .recording, looks > 0 else {
                throw APIFailure(.conflict, "this recording is running", remedy: "Stop it first.")
            }
            looks -= 1
            _ = pause.wait(seconds: 0.05)
        }
        return try known(id.text)
    }
}

extension NameTemplate {
    /// A template that a caller gave.
    static func asked(_ text: String) throws -> NameTemplate {
        do { return try NameTemplate(text) } catch {
            throw APIFailure(.badRequest, "template: \(error.description)")
        }
    }
}
