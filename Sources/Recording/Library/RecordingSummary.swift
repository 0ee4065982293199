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
        // An end of a title is none.
        let named = facts.titles.count { $0.text.kind != .none && !$0.text.text.isEmpty }
        (lostSeconds, titles, tracks) = (facts.lostSeconds, named, facts.keptTracks.count)
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
        /// Counts what changes `all`.
        var changes = 0
        /// What has come while they are read, with nil for what has gone; nil while nobody reads.
        var meanwhile: [RecordingID: RecordingSummary?]?
    }

    private enum Turn {
        case known([RecordingSummary])
        case sort([RecordingSummary], changes: Int)
        case read
    }

    private let state = Monitor(State())

    /// - Parameter summary: nil for one that has gone.
    func put(_ summary: RecordingSummary?, _ id: RecordingID) {
        state.quietly { state in
            state.meanwhile?.updateValue(summary, forKey: id)
            guard state.all != nil, state.all?[id] != summary else { return }
            state.all?[id] = summary
            state.sorted = nil
            state.changes += 1
        }
    }

    subscript(id: RecordingID) -> RecordingSummary? { state.quietly { $0.all?[id] } }

    /// All of them, the newest first. Waits where another thread reads them.
    /// - Parameter read: is asked for them once, by whoever comes first; again only where it has thrown.
    func all(_ read: () throws -> [RecordingSummary]) throws -> [RecordingSummary] {
        switch state.wait(Self.turn) {
        case .known(let sorted): return sorted
        case .sort(let all, let changes): return sort(all, changes)
        case .read:
            do {
                let (all, changes) = take(try read())
                return sort(all, changes)
            } catch {
                state.change { $0.meanwhile = nil }
                throw error
            }
        }
    }

    /// Nil while another thread reads.
    private static func turn(_ state: inout State) -> Turn? {
        if let sorted = state.sorted { return .known(sorted) }
        if let all = state.all { return .sort(Array(all.values), changes: state.changes) }
        guard state.meanwhile == nil else { return nil }
        state.meanwhile = [:]
        return .read
    }

    /// What was read, with what has come meanwhile laid over it.
    private func take(_ found: [RecordingSummary]) -> (all: [RecordingSummary], changes: Int) {
        state.change { state in
            var all = Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
            for (id, summary) in state.meanwhile ?? [:] { all[id] = summary }
            (state.all, state.meanwhile) = (all, nil)
            return (Array(all.values), state.changes)
        }
    }

    /// Kept for the next one who asks, unless something has changed since `all` was taken.
    private func sort(_ all: [RecordingSummary], _ changes: Int) -> [RecordingSummary] {
        let sorted = all.sorted { ($0.started, $0.id.text) > ($1.started, $1.id.text) }
        state.quietly { if $0.changes == changes { $0.sorted = sorted } }
        return sorted
    }
}
