internal import JSONText
internal import Platform
internal import Recording

/// Recordings as the API writes them: the sidecar, and what only a running one has.
enum RecordingJSON {
    static func running(_ status: RecordingStatus) -> JSONValue {
        guard case .object(var members) = stored(status.facts) else { return .null }
        members.append(.init("waits_for", JSONValue(status.waitsFor)))
        members.append(.init("held_seconds", .number(status.heldSeconds)))
        return .object(members)
    }

    /// - Parameter next: the file of the same logger that is being written now.
    static func stored(_ facts: RecordingFacts, continuesAs next: RecordingID? = nil) -> JSONValue {
        guard case .object(var members) = Sidecar.json(facts) else { return .null }
        members.append(.init("path", JSONValue(facts.path)))
        if let next { members.append(.init("continues_as", .string(next.text))) }
        return .object(members)
    }

    /// In lists, without titles and gaps.
    static func row(_ facts: RecordingFacts) -> JSONValue { row(RecordingSummary(facts)) }

    static func row(_ facts: RecordingSummary) -> JSONValue {
        [
            "id": .string(facts.id.text), "state": .string(facts.state.rawValue),
            "reason": JSONValue(facts.reason),
            "station": ["id": .string(facts.stationID), "name": .string(facts.stationName)],
            "show": JSONValue(facts.show), "started": .string(WallStamp.text(facts.started)),
            "ended": .string(WallStamp.text(facts.ended)), "seconds": .number(facts.audioSeconds),
            "slot_seconds": JSONValue(facts.slotSeconds),
            "bytes": .int(facts.bytes), "titles": .int(Int64(facts.titles)),
            "tracks": .int(Int64(facts.tracks)), "keep": .bool(facts.keep),
            "lost_seconds": .number(facts.lostSeconds), "path": JSONValue(facts.path),
        ]
    }

    /// What verifying found: a state for programs, a sentence for people.
    static func report(_ report: VerifyReport) -> JSONValue {
        let files = report.files.map { file -> JSONValue in
            ["name": .string(file.name), "finding": .string(text(file.finding)), "frames": .int(file.frames)]
        }
        let wrong = report.files.filter { $0.finding != .sound }
        let frames = report.files.reduce(0) { $0 + $1.frames }
        let message =
            wrong.isEmpty
            ? CountText.text(report.files.count, "file") + ", " + CountText.text(frames, "frame")
                + ": as they were written"
            : wrong.map { "\($0.name): \(text($0.finding))" }.joined(separator: "; ")
        return [
            "state": report.isSound ? "verified" : "damaged", "message": .string(message),
            "files": .array(files),
        ]
    }

    private static func text(_ finding: VerifyReport.Finding) -> String {
        switch finding {
        case .sound: "sound"
        case .missing: "the file is not there"
        case .short(let frames): "\(frames) frames are missing at the end"
        case .longer(let frames): "\(frames) frames more than were written"
        case .damaged(let from, let to): "frames between \(from) s and \(to) s are not what was written"
        case .unreadable(let reason): "cannot be read: \(reason)"
        }
    }

    static func deletion(_ deletion: Deletion) -> JSONValue {
        [
            "id": .string(deletion.recording.text), "station": .string(deletion.stationID),
            "started": .string(WallStamp.text(deletion.started)),
            "ended": .string(WallStamp.text(deletion.ended)), "bytes": .int(deletion.bytes),
            "path": .string(deletion.path), "rule": .string(deletion.rule.rawValue),
            "time": .string(WallStamp.text(deletion.at)),
        ]
    }
}
