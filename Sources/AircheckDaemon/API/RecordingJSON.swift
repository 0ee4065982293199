internal import JSONText
internal import Recording

/// Recordings as the API writes them: the sidecar, and what only a running one has.
enum RecordingJSON {
    static func running(_ status: RecordingStatus) -> JSONValue {
        guard case .object(var members) = stored(status.facts) else { return .null }
        members.append(.init("waits_for", JSONValue(status.waitsFor)))
        members.append(.init("held_seconds", .number(status.heldSeconds)))
        return .object(members)
    }

    static func stored(_ facts: RecordingFacts) -> JSONValue {
        guard case .object(var members) = Sidecar.json(facts) else { return .null }
        members.append(.init("path", JSONValue(path(facts))))
        return .object(members)
    }

    /// In lists, without titles and gaps.
    static func row(_ facts: RecordingFacts) -> JSONValue {
        [
            "id": .string(facts.id.text), "state": .string(facts.state.rawValue),
            "reason": JSONValue(facts.reason),
            "station": ["id": .string(facts.stationID), "name": .string(facts.stationName)],
            "show": JSONValue(facts.show), "started": .string(WallStamp.text(facts.started)),
            "ended": .string(WallStamp.text(facts.ended)), "seconds": .number(facts.seconds),
            "bytes": .int(facts.bytes), "titles": .int(Int64(facts.titles.count)),
            "lost_seconds": .number(facts.lostSeconds), "path": JSONValue(path(facts)),
        ]
    }

    static func path(_ facts: RecordingFacts) -> String? {
        facts.fileName.map { facts.folder.isEmpty ? $0 : "\(facts.folder)/\($0)" }
    }
}
