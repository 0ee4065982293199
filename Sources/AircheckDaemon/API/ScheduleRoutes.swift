internal import Catalogue
internal import ControlAPI
internal import JSONText
internal import Platform
internal import Recording
internal import Scheduling

/// Schedules: writing them, what comes, what was missed, calendars in and out.
struct ScheduleRoutes {
    let rooms: Rooms

    private static let fields: [APIRoute.Field] = [
        .init("at", .string, "when it begins: 2026-12-24 20:00, or 20:00 for the next time clocks show it"),
        .init("weekly", .string, "days of the week: mon,fri or mon-fri"),
        .init("rule", .string, "RFC 5545: FREQ=MONTHLY;BYDAY=1SA; empty for once"),
        .init("seconds", .number, "how long it lasts, whatever the clocks do"),
        .init("until", .string, "when clocks show this it ends: 22:00, or a date and time"),
        .init("zone", .string, "time zone: Europe/Berlin; the machine's own where it is missing"),
        .init("name", .string, "name of the show"),
        .init("action", .string, "record, tracks (a file per track as well) or play"),
        .init("pad_before", .number, "seconds to begin earlier"),
        .init("pad_after", .number, "seconds to end later"),
        .init("template", .string, "name below the recordings' folder"),
        .init("keep", .boolean, "never delete what it records by itself"),
        .init("enabled", .boolean, "false to let it rest"),
        .init("skip", .array, "times of the rule to leave out: 2026-12-25 20:00"),
    ]

    var all: [APIRoute] { looking + changing + calendars }

    private var looking: [APIRoute] {
        [
            APIRoute("GET", "/api/v1/schedules", .viewer, "list the schedules") { _ in
                .json([
                    "schedules": .array(rooms.schedules.book.entries.map { ScheduleJSON.entry($0, rooms) })
                ])
            },
            APIRoute(
                "GET", "/api/v1/schedules/next", .viewer, "what comes, in order",
                query: [
                    .init("days", .integer, "1 to 366; 14"), .init("limit", .integer, "1 to 1000; 200"),
                ]
            ) { try next($0) },
            APIRoute(
                "GET", "/api/v1/schedules/missed", .viewer,
                "what was missed, or is not whole, newest first, each with its reason",
                query: [
                    .init("all", .boolean, "what was done as well"),
                    .init("schedule", .string, "of this one"),
                    .init("limit", .integer, "1 to 1000; 100"),
                ]
            ) { try missed($0) },
            APIRoute(
                "GET", "/api/v1/schedules/{id}", .viewer, "one schedule, and what became of its last times"
            ) { try show($0) },
        ]
    }

    private var changing: [APIRoute] {
        [
            APIRoute(
                "POST", "/api/v1/schedules", .operator, "add a schedule",
                body: [.init("station", .string, required: true, "id, name or a unique part")] + Self.fields
            ) { try add($0) },
            APIRoute(
                "PUT", "/api/v1/schedules/{id}", .operator, "change a schedule: what is named, nothing else",
                body: [.init("station", .string, "id, name or a unique part")] + Self.fields
            ) { try edit($0) },
            APIRoute(
                "DELETE", "/api/v1/schedules/{id}", .operator,
                "remove a schedule; what it records just now ends"
            ) { try remove($0) },
        ]
    }

    // MARK: Looking

    private func next(_ call: APIRequest) throws -> APIAnswer {
        let days = try call.number("days", standard: 14, in: 1...366)
        let limit = try call.number("limit", standard: 200, in: 1...1000)
        let now = rooms.time.wall
        let end = now.advanced(bySeconds: Double(days) * 86_400)
        var coming: [(occurrence: Occurrence, entry: ScheduleEntry)] = []
        for entry in rooms.schedules.book.entries where entry.isEnabled {
            // One that cannot be planned is told of where it is listed, and in the log.
            guard let zone = try? rooms.schedules.zones.zone(entry.zone),
                let found = try? Occurrences(entry, in: zone).between(now, end, limit: limit)
            else { continue }
            coming += found.filter { ($0.end ?? $0.start) > now }.map { ($0, entry) }
        }
        coming.sort { ($0.occurrence.start, $0.entry.id) < ($1.occurrence.start, $1.entry.id) }
        return .json([
            "coming": .array(coming.prefix(limit).map { ScheduleJSON.coming($0.occurrence, $0.entry, rooms) })
        ])
    }

    private func missed(_ call: APIRequest) throws -> APIAnswer {
        let states: [OccurrenceRecord.State] =
            call.flag("all") ? OccurrenceRecord.State.allCases : [.missed, .partial]
        let found = try rooms.schedules.book.records(
            states, entry: call.query["schedule"],
            limit: try call.number("limit", standard: 100, in: 1...1000))
        return .json(["occurrences": .array(found.map(ScheduleJSON.record))])
    }

    private func show(_ call: APIRequest) throws -> APIAnswer {
        let entry = try find(call)
        guard case .object(let members) = ScheduleJSON.entry(entry, rooms) else { return .json(.null) }
        let past = try rooms.schedules.book.records(
            OccurrenceRecord.State.allCases, entry: entry.id, limit: 20)
        return .json(.object(members + [.init("occurrences", .array(past.map(ScheduleJSON.record)))]))
    }

    private func find(_ call: APIRequest) throws -> ScheduleEntry {
        guard let entry = rooms.schedules.book.entry(call.name("id")) else {
            throw APIFailure(
                .notFound, "there is no schedule of that id", remedy: "`aircheck schedule list` has them.")
        }
        return entry
    }

    // MARK: Changing

    private func add(_ call: APIRequest) throws -> APIAnswer {
        guard rooms.schedules.book.entries.count < ScheduleBook.limit else {
            throw APIFailure(.conflict, "there are \(ScheduleBook.limit) schedules already")
        }
        let station = try rooms.resolve(call.body["station"]?.string ?? "").station
        var draft = try draft(call.body)
        if draft.action != ScheduleEntry.Action.play.rawValue {
            draft.padBefore = draft.padBefore ?? rooms.configuration.recording.paddingBefore.inSeconds
            draft.padAfter = draft.padAfter ?? rooms.configuration.recording.paddingAfter.inSeconds
        }
        let entry = try Self.explained { [draft] () throws(ScheduleMistake) in
            try draft.entry(
                id: Self.newID(), station: station.id, localZone: Zones.local, zones: rooms.schedules.zones,
                now: rooms.time.wall)
        }
        return .created(try keep(entry))
    }

    private func edit(_ call: APIRequest) throws -> APIAnswer {
        var old = try find(call)
        if let station = call.body["station"]?.string { old.station = try rooms.resolve(station).station.id }
        let draft = try draft(call.body)
        let entry = try Self.explained { () throws(ScheduleMistake) in
            try draft.changing(old, zones: rooms.schedules.zones, now: rooms.time.wall)
        }
        return .json(try keep(entry))
    }

    private func keep(_ entry: ScheduleEntry) throws -> JSONValue {
        try rooms.schedules.book.put([entry])
        rooms.schedules.changed()
        return ScheduleJSON.entry(entry, rooms)
    }

    private func remove(_ call: APIRequest) throws -> APIAnswer {
        _ = try rooms.schedules.book.remove(try find(call).id)
        rooms.schedules.changed()
        return .nothing
    }

    private func draft(_ body: JSONValue) throws -> ScheduleDraft {
        var draft = ScheduleDraft()
        draft.at = body["at"]?.string
        draft.weekly = body["weekly"]?.string
        draft.rule = body["rule"]?.string
        draft.seconds = body["seconds"]?.double
        draft.until = body["until"]?.string
        draft.zone = body["zone"]?.string
        draft.name = body["name"]?.string.map { String($0.prefix(200)) }
        draft.action = body["action"]?.string
        draft.padBefore = body["pad_before"]?.double
        draft.padAfter = body["pad_after"]?.double
        draft.template = body["template"]?.string
        draft.keep = body["keep"]?.bool
        draft.isEnabled = body["enabled"]?.bool
        draft.skip = body["skip"]?.array.map { $0.map { $0.string ?? "" } }
        if let template = draft.template, !template.isEmpty {
            do { _ = try NameTemplate(template) } catch {
                throw APIFailure(.badRequest, "template: \(error.description)")
            }
        }
        return draft
    }

    /// Mistakes in the words of the API.
    static func explained<Value>(_ body: () throws(ScheduleMistake) -> Value) throws -> Value {
        do throws(ScheduleMistake) { return try body() } catch {
            throw APIFailure(error == .noEngine ? .unavailable : .unprocessable, error.description)
        }
    }

    /// Short enough to type.
    private static func newID() -> String { "s" + String(UInt32.random(in: 0..<2_176_782_336), radix: 36) }
}
