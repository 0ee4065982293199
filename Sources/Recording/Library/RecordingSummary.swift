internal import JSONText
package import Platform

/// What lists, sums and menus say of a recording: without titles and checkpoints, so that thousands fit into memory.
package struct RecordingSummary: Sendable, Hashable {
    package var id: RecordingID
    package var state: RecordingFacts.State
    package var reason: String?
    package var stationID: String
    package var stationName: String
    package var show: String?
    package var started: WallTime
    package var ended: WallTime
    /// Of the whole, or of the tracks where there is no whole.
    package var audioSeconds: Double
    /// Of the whole alone.
    package var seconds: Double
    package var bytes: Int64
    package var lostSeconds: Double
    /// Counts.
    package var titles: Int
    package var tracks: Int
    package var keep: Bool
    package var slotSeconds: Int?
    /// Of the first file of the whole.
    package var fileName: String?
    package var path: String?

    package init(_ facts: RecordingFacts) {
        (id, state, reason) = (facts.id, facts.state, facts.reason)
        (stationID, stationName, show) = (facts.stationID, facts.stationName, facts.show)
        (started, ended) = (facts.started, facts.ended)
        (audioSeconds, seconds, bytes) = (facts.audioSeconds, facts.seconds, facts.bytes)
        (lostSeconds, titles, tracks) = (facts.lostSeconds, facts.titles.count, facts.keptTracks.count)
        (keep, slotSeconds) = (facts.keep, facts.slot?.seconds)
        (fileName, path) = (facts.fileName, facts.path)
    }

    // MARK: A row

    var json: JSONValue {
        [
            "state": .string(state.rawValue), "reason": JSONValue(reason), "station": .string(stationID),
            "name": .string(stationName), "show": JSONValue(show), "started": .int(started.nanoseconds),
            "ended": .int(ended.nanoseconds), "audio": .number(audioSeconds), "seconds": .number(seconds),
            "bytes": .int(bytes), "lost": .number(lostSeconds), "titles": .int(Int64(titles)),
            "tracks": .int(Int64(tracks)), "keep": .bool(keep), "slot": JSONValue(slotSeconds),
            "file": JSONValue(fileName), "path": JSONValue(path),
        ]
    }

    init?(_ id: RecordingID, _ json: JSONValue) {
        guard let state = json["state"]?.string.flatMap(RecordingFacts.State.init),
            let station = json["station"]?.string, let name = json["name"]?.string,
            let started = json["started"]?.int, let ended = json["ended"]?.int
        else { return nil }
        (self.id, self.state, reason) = (id, state, json["reason"]?.string)
        (stationID, stationName, show) = (station, name, json["show"]?.string)
        self.started = WallTime(nanoseconds: started)
        self.ended = WallTime(nanoseconds: ended)
        audioSeconds = json["audio"]?.double ?? 0
        seconds = json["seconds"]?.double ?? 0
        bytes = json["bytes"]?.int ?? 0
        lostSeconds = json["lost"]?.double ?? 0
        titles = Int(clamping: json["titles"]?.int ?? 0)
        tracks = Int(clamping: json["tracks"]?.int ?? 0)
        keep = json["keep"]?.bool ?? false
        slotSeconds = json["slot"]?.int.map { Int(clamping: $0) }
        (fileName, path) = (json["file"]?.string, json["path"]?.string)
    }
}

/// The summaries of a library, once they have been asked for. Any thread.
final class SummaryShelf: Sendable {
    private struct State {
        /// Nil until somebody asks.
        var all: [RecordingID: RecordingSummary]?
        /// The newest first; nil where something has changed.
        var sorted: [RecordingSummary]?
        /// Counts changes: what is read from the disk meanwhile is out of date.
        var changes = 0
    }

    private let state = Lock(State())

    /// - Parameter summary: nil for one that has gone.
    func put(_ summary: RecordingSummary?, _ id: RecordingID) {
        state.withLock { state in
            state.changes += 1
            guard state.all?[id] != summary else { return }
            state.all?[id] = summary
            state.sorted = nil
        }
    }

    subscript(id: RecordingID) -> RecordingSummary? { state.withLock { $0.all?[id] } }

    /// All of them, the newest first.
    /// - Parameter read: is asked for them where nobody has, and again where something changes while it reads.
    func all(_ read: () throws -> [RecordingSummary]) throws -> [RecordingSummary] {
        while true {
            let (known, isRead, changes) = state.withLock { ($0.sorted, $0.all != nil, $0.changes) }
            if let known { return known }
            if !isRead {
                let found = try read()
                state.withLock { state in
                    guard state.changes == changes else { return }
                    state.all = Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
                }
            } else {
                sort(changes)
            }
        }
    }

    private func sort(_ changes: Int) {
        let all = state.withLock { $0.all.map { Array($0.values) } ?? [] }
        let sorted = all.sorted { ($0.started, $0.id.text) > ($1.started, $1.id.text) }
        state.withLock { state in
            if state.changes == changes { state.sorted = sorted }
        }
    }
}
