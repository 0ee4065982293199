internal import Catalogue
internal import JSONText
internal import Platform
internal import Scheduling

/// Schedules as the API writes them. Times of an entry are local to its zone, times of an occurrence are UTC.
enum ScheduleJSON {
    static func entry(_ entry: ScheduleEntry, _ rooms: Rooms) -> JSONValue {
        let zone = try? rooms.schedules.zones.zone(entry.zone)
        let next =
            entry.isEnabled
            ? zone.flatMap { try? Occurrences(entry, in: $0).next(after: rooms.time.wall) } : nil
        return [
            "id": .string(entry.id), "station": station(entry.station, rooms), "name": JSONValue(entry.name),
            "enabled": .bool(entry.isEnabled), "action": .string(entry.action.rawValue),
            "start": .string(entry.start.description), "zone": .string(entry.zone),
            "length": .string(entry.length.word), "seconds": JSONValue(entry.seconds.map(Double.init)),
            "until": JSONValue(until(entry)), "rule": JSONValue(entry.rule?.text),
            "skip": .array(entry.skipped.map { .string($0.description) }),
            "pad_before": .int(entry.padBefore), "pad_after": .int(entry.padAfter),
            "template": JSONValue(entry.template), "keep": .bool(entry.keep),
            "next": next.map { occurrence($0) } ?? .null,
            "problem": JSONValue(rooms.schedules.problems[entry.id]),
        ]
    }

    /// What clocks show at the end, where the end goes by the clock.
    private static func until(_ entry: ScheduleEntry) -> String? {
        guard case .wall(let seconds) = entry.length else { return nil }
        return entry.start.advanced(by: seconds).description
    }

    private static func station(_ id: String, _ rooms: Rooms) -> JSONValue {
        rooms.catalogue.station(id).map { StationJSON.reference($0.station) }
            ?? ["id": .string(id), "name": .string(id)]
    }

    static func occurrence(_ occurrence: Occurrence) -> JSONValue {
        [
            "key": .string(occurrence.key), "local": .string(occurrence.local.description),
            "start": .string(LocalTime.iso(occurrence.start)),
            "end": JSONValue(occurrence.end.map { LocalTime.iso($0) }),
            "from": .string(LocalTime.iso(occurrence.from)),
            "to": JSONValue(occurrence.to.map { LocalTime.iso($0) }),
            "clock": .string(clock(occurrence.reading)),
        ]
    }

    /// Whether the change of the clocks has a hand in it.
    private static func clock(_ reading: Zone.Reading) -> String {
        switch reading {
        case .plain: "plain"
        case .gap: "moved"
        case .doubled: "first of two"
        }
    }

    static func coming(_ occurrence: Occurrence, _ entry: ScheduleEntry, _ rooms: Rooms) -> JSONValue {
        guard case .object(let members) = Self.occurrence(occurrence) else { return .null }
        return .object(
            [
                .init("schedule", .string(entry.id)), .init("station", station(entry.station, rooms)),
                .init("name", JSONValue(entry.name)), .init("action", .string(entry.action.rawValue)),
                .init("zone", .string(entry.zone)),
            ] + members)
    }

    static func record(_ record: OccurrenceRecord) -> JSONValue {
        [
            "key": .string(record.key), "schedule": .string(record.entry), "station": .string(record.station),
            "name": JSONValue(record.name), "action": .string(record.action.rawValue),
            "start": .string(LocalTime.iso(record.start)),
            "end": JSONValue(record.end.map { LocalTime.iso($0) }),
            "state": .string(record.state.rawValue), "reason": JSONValue(record.reason),
            "began": JSONValue(record.began.map { LocalTime.iso($0) }),
            "ended": JSONValue(record.ended.map { LocalTime.iso($0) }),
            "recordings": .array(record.recordings.map(JSONValue.string)),
        ]
    }
}
