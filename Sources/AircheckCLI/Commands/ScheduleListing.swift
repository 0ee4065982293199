internal import JSONText
internal import Platform

/// Schedules as lines of a terminal.
enum ScheduleListing {
    /// `s7f3k2  Radio One  Jazz Hour  next 2026-12-24 20:00 Europe/Berlin for 2h`
    static func line(_ entry: JSONValue) -> String {
        TerminalText.escaped(row(entry).filter { !$0.isEmpty }.joined(separator: "  "))
    }

    static func row(_ entry: JSONValue) -> [String] {
        [
            text(entry, "id"), text(entry["station"] ?? .null, "name"), text(entry, "name"),
            text(entry, "action"),
            state(entry), length(entry), text(entry, "zone"), text(entry, "rule"),
        ]
    }

    private static func state(_ entry: JSONValue) -> String {
        if let problem = entry["problem"]?.string { return "cannot be planned: \(problem)" }
        if entry["enabled"]?.bool == false { return "off" }
        guard let next = entry["next"]?["local"]?.string else { return "over" }
        return "next \(clock(next))"
    }

    private static func length(_ entry: JSONValue) -> String {
        if let until = entry["until"]?.string { return "until \(clock(until).suffix(5))" }
        return entry["seconds"]?.double.map { "for \(DurationText.text($0))" } ?? "until stopped"
    }

    static func coming(_ occurrence: JSONValue) -> [String] {
        let moved =
            occurrence["clock"]?.string == "moved" ? " (clocks go forward: the first instant after)" : ""
        return [
            clock(text(occurrence, "local")) + moved, text(occurrence, "zone"),
            text(occurrence["station"] ?? .null, "name"), text(occurrence, "name"),
            text(occurrence, "action"),
            text(occurrence, "schedule"), "\(text(occurrence, "start"))/\(text(occurrence, "end"))",
        ]
    }

    static func record(_ record: JSONValue) -> [String] {
        [
            text(record, "start"), text(record, "state"), text(record, "station"), text(record, "name"),
            text(record, "schedule"), text(record, "reason"),
        ]
    }

    static func show(_ entry: JSONValue, _ invocation: Invocation) throws {
        if invocation.json { return Terminal.print(entry) }
        Terminal.print(line(entry))
        let skipped = entry["skip"]?.array?.compactMap(\.string).map(clock) ?? []
        if !skipped.isEmpty { Terminal.print("left out: \(skipped.joined(separator: ", "))") }
        Terminal.table((entry["occurrences"]?.array ?? []).map(record))
    }

    /// `2026-12-24 20:00`, seconds only where there are some.
    private static func clock(_ text: String) -> String {
        let spaced = String(text.map { $0 == "T" ? " " : $0 })
        return spaced.hasSuffix(":00") && spaced.count == 19 ? String(spaced.dropLast(3)) : spaced
    }

    private static func text(_ value: JSONValue, _ key: String) -> String { value[key]?.string ?? "" }
}
