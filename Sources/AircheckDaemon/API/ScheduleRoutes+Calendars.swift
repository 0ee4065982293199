internal import ControlAPI
internal import JSONText
internal import Platform
internal import Scheduling

extension ScheduleRoutes {
    /// Bytes of a request that brings a calendar.
    private static let importLimit = 6 << 20
    /// A thread of the API is kept busy by one for so long at most.
    private static let importSeconds = 20.0

    var calendars: [APIRoute] {
        [
            APIRoute(
                "GET", "/api/v1/schedules/export", .viewer, "the schedules as an iCalendar file",
                result: .text(["text/calendar"])
            ) { _ in
                let calendar = CalendarExport(zones: rooms.schedules.zones, now: rooms.time.wall)
                let text = calendar.text(rooms.schedules.book.entries) {
                    rooms.catalogue.station($0)?.station.name
                }
                return .text(text, type: "text/calendar; charset=utf-8")
            },
            APIRoute(
                "POST", "/api/v1/schedules/import", .operator,
                "schedules out of an iCalendar file or an XMLTV guide; the same event again changes what it made",
                body: [
                    .init("text", .string, required: true, "the file"),
                    .init("station", .string, "for events that do not name one"),
                    .init("zone", .string, "for times without a zone; the machine's own where it is missing"),
                    .init("title", .string, "only events with this in their title; a guide needs it"),
                    .init("channel", .string, "only this channel of a guide"),
                    .init("try", .boolean, "keep nothing, only say what would be kept"),
                ], bodyLimit: Self.importLimit
            ) { try takeIn($0) },
        ]
    }

    private func takeIn(_ call: APIRequest) throws -> APIAnswer {
        let book = rooms.schedules.book
        var reader = CalendarImport(
            zone: call.body["zone"]?.string ?? Zones.local, zones: rooms.schedules.zones,
            now: rooms.time.wall)
        reader.padBefore = Int64(bounded: rooms.configuration.recording.paddingBefore.inSeconds)
        reader.padAfter = Int64(bounded: rooms.configuration.recording.paddingAfter.inSeconds)
        let started = rooms.time.now
        reader.mayGoOn = { rooms.time.now.seconds(since: started) < Self.importSeconds }
        reader.title = call.body["title"]?.string
        if let station = call.body["station"]?.string {
            reader.station = try rooms.resolve(station).station.id
        }
        let text = call.body["text"]?.string ?? ""
        let guide = GuideImport(reader, channel: call.body["channel"]?.string)
        var found = try Self.explained { () throws(ScheduleMistake) in
            GuideImport.isGuide(text) ? try guide.read(text) : try reader.read(text)
        }
        found.entries.removeAll { entry in
            let isKnown = rooms.catalogue.station(entry.station) != nil
            if !isKnown {
                found.notes.append("\(entry.name ?? entry.id): there is no station \(entry.station)")
            }
            return !isKnown
        }
        let new = found.entries.filter { book.entry($0.id) == nil }
        guard book.entries.count + new.count <= ScheduleBook.limit else {
            throw APIFailure(.conflict, "there would be more than \(ScheduleBook.limit) schedules")
        }
        if call.body["try"]?.bool != true {
            try book.put(found.entries)
            rooms.schedules.changed()
        }
        return .json([
            "added": .int(Int64(new.count)), "changed": .int(Int64(found.entries.count - new.count)),
            "notes": .array(found.notes.map(JSONValue.string)),
            "schedules": .array(found.entries.map { ScheduleJSON.entry($0, rooms) }),
        ])
    }
}
