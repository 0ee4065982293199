internal import CLinux
internal import ControlAPI
internal import Feed
internal import Glibc
internal import HTTPWire
internal import JSONText
internal import Platform
internal import Recording

/// Recordings: starting, ending, finding, hearing, deleting.
struct RecordingRoutes {
    let rooms: Rooms

    var all: [APIRoute] {
        [
            APIRoute(
                "GET", "/api/v1/recordings", .viewer, "list recordings, newest first",
                query: [
                    .init("query", .string, "words of the station, the show or a title"),
                    .init("station", .string, "only of this station: id, name or a unique part"),
                    .init("state", .string, "only recording, finished, interrupted or failed"),
                    .init("since", .string, "only those that began then or later: 2026-12-24T00:00:00Z"),
                    .init("limit", .integer, "1 to 10000; 50"),
                    .init("offset", .integer, "how many to leave out"),
                ]
            ) { try list($0) },
            APIRoute(
                "POST", "/api/v1/recordings", .operator, "record a station",
                body: [
                    .init("station", .string, required: true, "id, name or a unique part"),
                    .init("seconds", .number, "end after so many"),
                    .init("until", .string, "end then: 2026-12-24T18:00:00Z"),
                    .init("give_up", .number, "seconds without any audio after which it fails"),
                    .init("template", .string, "name below the recordings' folder"),
                    .init("show", .string, "name of the programme"),
                    .init("split", .boolean, "a file per track as well"),
                    .init("keep", .boolean, "never delete it by itself"),
                    .init(
                        "slot", .integer,
                        "a logger: files of so many seconds, from round time to round time, without an end"),
                    .init("keep_age", .number, "seconds; the logger deletes older files"),
                    .init("keep_files", .integer, "most files that the logger holds"),
                    .init("keep_bytes", .integer, "most bytes that the logger holds"),
                    .init("keep_free", .integer, "bytes that it leaves free by deleting its oldest files"),
                    .init("whole", .boolean, "with split: false keeps the tracks alone"),
                    .init("track_template", .string, "names of the tracks below that folder"),
                ] + TrackRules.fields
            ) { try start($0) },
            APIRoute(
                "GET", "/api/v1/deletions", .viewer, "what the logger has deleted by its rules, newest first",
                query: [.init("limit", .integer, "1 to 10000; 50")]
            ) { call in
                let limit = try call.number("limit", standard: 50, in: 1...10_000)
                return .json([
                    "deletions": .array(try rooms.library.deletions(limit: limit).map(RecordingJSON.deletion))
                ])
            },
            APIRoute("GET", "/api/v1/recordings/{id}", .viewer, "one recording: titles, gaps, files") {
                call in
                let id = call.name("id")
                let found = try find(id)
                let station = found["station"]?["id"]?.string.flatMap { rooms.catalogue.station($0)?.station }
                return .json(
                    found.with(
                        listening: ListeningRoutes.listening(RecordingID(id), rooms), genre: station?.genre))
            },
            APIRoute("POST", "/api/v1/recordings/{id}/stop", .operator, "end a running recording properly") {
                call in
                try stop(call)
            },
            APIRoute(
                "GET", "/api/v1/recordings/{id}/audio", .viewer,
                "the sound, also while it is written; ranges are answered",
                query: [
                    .init("file", .integer, "the n-th of several files; 1"),
                    .init("track", .integer, "the n-th track that has a file"),
                ], result: .file
            ) { call in try audio(call) },
            APIRoute(
                "PUT", "/api/v1/recordings/{id}/name", .operator, "rename the files of a recording",
                body: [.init("name", .string, required: true, "without folders and extension")]
            ) { call in try rename(call) },
            APIRoute("DELETE", "/api/v1/recordings/{id}", .admin, "delete a recording and its files") {
                call in
                try delete(call)
            },
        ]
    }

    private func list(_ call: APIRequest) throws -> APIAnswer {
        var filter = RecordingLibrary.Filter(query: call.query["query"] ?? "")
        if let station = call.query["station"] { filter.station = try rooms.resolve(station).id }
        if let state = call.query["state"] {
            guard let known = RecordingFacts.State(rawValue: state) else {
                throw APIFailure(
                    .badRequest, "state must be recording, finished, interrupted or failed")
            }
            filter.state = known
        }
        if let since = call.query["since"] {
            guard let wall = WallStamp.wall(since) else {
                throw APIFailure(.badRequest, "since must be like 2026-12-24T00:00:00Z")
            }
            filter.since = wall
        }
        let offset = try call.number("offset", standard: 0, in: 0...10_000_000)
        let limit = try call.number("limit", standard: 50, in: 1...10_000)
        var found = try rooms.library.summaries(filter, limit: limit, offset: offset)
        if offset == 0 {
            // One that has just begun has no row yet.
            let known = Set(found.map(\.id))
            let new = rooms.recorder.running.map(\.facts).filter {
                !known.contains($0.id) && filter.wants($0)
            }
            let oldest = found.count == limit ? found.last?.started : nil
            found += new.filter { facts in oldest.map { facts.started > $0 } ?? true }
                .map(RecordingSummary.init)
            found.sort { ($0.started, $0.id.text) > ($1.started, $1.id.text) }
        }
        let begun = try rooms.library.allProgress()
        // A row is written at titles; a running recording knows its present length.
        return .json([
            "recordings": .array(
                found.prefix(limit).map { facts in
                    RecordingJSON.row(
                        rooms.recorder.status(facts.id).map { RecordingSummary($0.facts) } ?? facts
                    )
                    .with(
                        listening: ListeningRoutes.listening(facts.id, rooms, begun),
                        genre: rooms.catalogue.station(facts.stationID)?.station.genre)
                })
        ])
    }

    private func find(_ id: String) throws -> JSONValue {
        if let running = rooms.recorder.status(RecordingID(id)) { return RecordingJSON.running(running) }
        let current = rooms.recorder.current(RecordingID(id))
        return RecordingJSON.stored(try rooms.known(id), continuesAs: current?.facts.id)
    }

    // MARK: Starting and ending

    private func start(_ call: APIRequest) throws -> APIAnswer {
        let station = try rooms.resolve(call.body["station"]?.string ?? "").station
        let log = try LoggerOrder.request(call.body)
        // Rules delete files that are there already, as only an admin may.
        if let log, !log.retention.isEmpty, call.caller.role < .admin {
            throw APIFailure(.forbidden, "rules that delete files need the role admin")
        }
        if log != nil, !rooms.loggers.hasRoom {
            throw APIFailure(
                .conflict,
                "there are \(rooms.loggers.limit) loggers already, which is ingest.max_stations",
                remedy: "Stop one, or set ingest.max_stations higher and restart the service.")
        }
        let usual =
            log == nil ? rooms.configuration.recording.template : rooms.configuration.logger.template
        let template = call.body["template"]?.string ?? usual
        var request = RecordingRequest(
            target: .library(folder: rooms.folders.recordings, template: try NameTemplate.asked(template)))
        request.limit = try limit(call.body)
        request.giveUpSeconds = try seconds(call.body, "give_up")
        request.show = call.body["show"]?.string
        request.keep = call.body["keep"]?.bool ?? false
        request.log = log
        if call.body["split"]?.bool == true {
            var rules = TrackRules(rooms.configuration.tracks, station: station)
            try rules.apply(call.body)
            let name = call.body["track_template"]?.string ?? rooms.configuration.recording.trackTemplate
            request.tracks = TrackRequest(
                folder: rooms.folders.recordings, template: try NameTemplate.asked(name), rules: rules)
            if call.body["whole"]?.bool == false { request.target = nil }
        }
        do throws(RecordingError) {
            let id = try rooms.recorder.start(request, feed: rooms.hub.feed(for: station))
            if log != nil {
                rooms.loggers.remember(id, station: station, request, call.body, template: template)
            }
            return .created(["id": .string(id.text), "station": StationJSON.reference(station)])
        } catch {
            throw APIFailure(.unprocessable, error.description)
        }
    }

    private func limit(_ body: JSONValue) throws -> RecordingRequest.Limit {
        if let seconds = try seconds(body, "seconds") { return .seconds(seconds) }
        guard let text = body["until"]?.string else { return .open }
        guard let end = WallStamp.wall(text) else {
            throw APIFailure(.badRequest, "until must be like 2026-12-24T18:00:00Z")
        }
        return .until(end)
    }

    /// A length of time from the body; three years are enough for anything here.
    private func seconds(_ body: JSONValue, _ name: String) throws -> Double? {
        guard let seconds = body[name]?.double else { return nil }
        guard seconds > 0, seconds <= 1e8 else {
            throw APIFailure(.badRequest, "\(name) must be more than 0 and at most 100000000")
        }
        return seconds
    }

    private func stop(_ call: APIRequest) throws -> APIAnswer {
        let id = RecordingID(call.name("id"))
        // Of a logger any file will do, also one that has just been finished, and the first one of all.
        let series = try (rooms.recorder.current(id)?.facts ?? rooms.known(id.text)).slot?.series
        let row = series.flatMap(rooms.loggers.forget)
        do {
            try rooms.recorder.stopAndWait(row ?? series ?? id)
        } catch  where row == nil {
            throw APIFailure(.conflict, "this recording is over already")
        } catch {
            // Its row had ended by itself, and would have been begun again.
        }
        return .json(try find(id.text))
    }

    // MARK: Files

    private func audio(_ call: APIRequest) throws -> APIAnswer {
        // A recording that ends just now gives its file another name: then there is one under that.
        for _ in 0..<2 {
            let path = try audioPath(call)
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            var status = stat()
            fstat(descriptor, &status)
            var name = String(path.split(separator: "/").last ?? "")
            if name.hasSuffix(Self.unfinished) { name.removeLast(Self.unfinished.count) }
            return .file(
                descriptor: descriptor, size: Int64(status.st_size), type: MediaType.forFile(name),
                name: name)
        }
        throw APIFailure(.notFound, "the file of this recording is not there")
    }

    /// What a name ends with while its file is written.
    private static let unfinished = ".part"

    private func audioPath(_ call: APIRequest) throws -> String {
        let id = call.name("id")
        let facts = try rooms.recorder.status(RecordingID(id))?.facts ?? rooms.known(id)
        if call.query["track"] != nil {
            let track = try call.number("track", standard: 1, in: 1...1_000_000)
            guard facts.keptTracks.indices.contains(track - 1) else {
                throw APIFailure(.notFound, "this recording has \(facts.keptTracks.count) tracks with a file")
            }
            return facts.path(of: facts.keptTracks[track - 1])
        }
        if call.query["file"] != nil {
            let file = try call.number("file", standard: 1, in: 1...1_000_000)
            guard facts.parts.indices.contains(file - 1) else {
                throw APIFailure(.notFound, "this recording has \(facts.parts.count) files")
            }
            return "\(facts.folder)/\(facts.parts[file - 1].name)"
        }
        guard let path = facts.path else {
            throw APIFailure(.notFound, "this recording has no file yet")
        }
        return path
    }

    private func delete(_ call: APIRequest) throws -> APIAnswer {
        let facts = try rooms.finished(call)
        do throws(RecordingError) { try rooms.recorder.delete(facts) } catch {
            throw APIFailure(.unprocessable, error.description)
        }
        rooms.events.publish("recording-deleted", ["id": .string(facts.id.text)])
        rooms.traces.remove(facts.id)
        return .nothing
    }

    private func rename(_ call: APIRequest) throws -> APIAnswer {
        let facts = try rooms.finished(call)
        guard let name = call.body["name"]?.string, !name.isEmpty else {
            throw APIFailure(.badRequest, "name must not be empty")
        }
        do throws(RecordingError) {
            return .json(RecordingJSON.stored(try rooms.recorder.rename(facts, to: name)))
        } catch {
            throw APIFailure(.unprocessable, error.description)
        }
    }
}
