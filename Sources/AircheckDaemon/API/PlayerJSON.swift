internal import JSONText
internal import Platform
internal import Playback

/// The live player as the API writes it. It has no position: live is joined and left.
enum PlayerJSON {
    static func object(_ status: PlayerStatus, at now: WallTime) -> JSONValue {
        let sleep = status.sleepAt.map { Double($0.nanoseconds - now.nanoseconds) / 1e9 }
        return [
            "state": .string(status.phase.rawValue),
            "station": status.station.map(StationJSON.reference) ?? .null,
            "heard": status.heardStation.map(StationJSON.reference) ?? .null,
            "now": status.title.map(FeedJSON.mark) ?? .null,
            "format": status.format.map(FeedJSON.format) ?? .null,
            "reason": JSONValue(status.reason), "output": .string(device(status)),
            "volume": .int(Int64(status.volume)), "muted": .bool(status.isMuted),
            "gain_db": .number(status.gain),
            "sleep_seconds": JSONValue(sleep), "since": .string(LocalTime.iso(status.since)),
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
