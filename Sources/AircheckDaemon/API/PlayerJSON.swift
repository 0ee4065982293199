internal import JSONText
internal import Platform
internal import Playback

/// The player as the API writes it. Live has no position: it is joined and left. A recording has one.
enum PlayerJSON {
    static func object(_ status: PlayerStatus, at now: WallTime) -> JSONValue {
        let sleep = status.sleepAt.map { Double($0.nanoseconds - now.nanoseconds) / 1e9 }
        return [
            "state": .string(state(of: status)),
            "station": status.tunedStation.map(StationJSON.reference) ?? .null,
            "recording": status.recording.map { recording($0, status, now) } ?? .null,
            "heard": status.heardStation.map(StationJSON.reference) ?? .null,
            "now": status.title.map(FeedJSON.mark) ?? .null,
            "format": status.format.map(FeedJSON.format) ?? .null,
            "reason": JSONValue(status.reason), "output": .string(device(status)),
            "volume": .int(Int64(status.volume)), "muted": .bool(status.isMuted),
            "gain_db": .number(status.gain),
            "sleep_seconds": JSONValue(sleep), "sleep_at": JSONValue(status.sleepPlace),
            "since": .string(LocalTime.iso(status.since)),
        ]
    }

    /// A recording that sounds is `playing`: nothing about it is live.
    private static func state(of status: PlayerStatus) -> String {
        status.recording != nil && status.phase == .live ? "playing" : status.phase.rawValue
    }

    private static func recording(
        _ recording: PlayedRecording, _ status: PlayerStatus, _ now: WallTime
    ) -> JSONValue {
        [
            "id": .string(recording.id), "title": .string(recording.title), "show": JSONValue(recording.show),
            "station": ["id": .string(recording.stationID), "name": .string(recording.stationName)],
            "seconds": .number(recording.length), "position": .number(status.position(at: now) ?? 0),
            "speed": .number(status.speed), "growing": .bool(recording.isGrowing),
        ]
    }

    private static func device(_ status: PlayerStatus) -> String {
        switch status.device {
        case .connecting: "connecting"
        case .open(let name): name
        case .lost(let reason): "lost: \(reason)"
        }
    }
}
