internal import ControlAPI
internal import Household
internal import JSONText
internal import Platform
internal import Recording

/// What people did with recordings: how far they are, stars, archive, bookmarks, and the queue.
struct ListeningRoutes {
    let rooms: Rooms

    /// Longest note and longest queue.
    private static let noteLimit = 500
    private static let queueLimit = 500
    private static let bookmarkLimit = 500

    var all: [APIRoute] { marks + bookmarks + queue }

    // MARK: Marks

    private var marks: [APIRoute] {
        [
            APIRoute(
                "PUT", "/api/v1/recordings/{id}/listening", .operator,
                "what somebody did with a recording: what is named, nothing else",
                body: [
                    .init("position", .number, "seconds from its start"),
                    .init("finished", .boolean, "heard to its end, as good as"),
                    .init("starred", .boolean, "a favourite"),
                    .init("archived", .boolean, "out of sight, not deleted"),
                    .init("downloaded", .boolean, "held by a browser as well"),
                ]
            ) { try mark($0) }
        ]
    }

    private func mark(_ call: APIRequest) throws -> APIAnswer {
        let id = try known(call)
        if call.body["position"] != nil || call.body["finished"] != nil { try progress(id, call.body) }
        let changes = ["starred", "archived", "downloaded"].filter { call.body[$0]?.bool != nil }
        if !changes.isEmpty {
            rooms.shelf.change(.mark, id.text) { before in
                var members = before?.members ?? []
                members.removeAll { changes.contains($0.key) }
                return .object(members + changes.map { .init($0, call.body[$0] ?? false) })
            }
        }
        let listening = Self.listening(id, rooms)
        rooms.events.publish("listening", ["id": .string(id.text), "listening": listening])
        return .json(listening.isNull ? ["position": 0, "finished": false] : listening)
    }

    private func progress(_ id: RecordingID, _ body: JSONValue) throws {
        let before = try rooms.library.progress(of: id)
        let seconds = body["position"]?.double ?? before?.seconds ?? 0
        guard (0...1e8).contains(seconds) else {
            throw APIFailure(.badRequest, "position must be 0 or more seconds")
        }
        try rooms.library.setProgress(
            .init(seconds: seconds, isPlayed: body["finished"]?.bool ?? before?.isPlayed ?? false), of: id)
    }

    /// `{"position", "finished", "starred", "archived", "downloaded"}`; null where nobody did anything. Blocks.
    static func listening(
        _ id: RecordingID, _ rooms: Rooms, _ begun: [String: RecordingLibrary.Progress]? = nil
    ) -> JSONValue {
        listening(id, library: rooms.library, shelf: rooms.shelf, begun)
    }

    static func listening(
        _ id: RecordingID, library: RecordingLibrary, shelf: Shelf,
        _ begun: [String: RecordingLibrary.Progress]? = nil
    ) -> JSONValue {
        let progress = begun.map { $0[id.text] } ?? (try? library.progress(of: id))
        let marks = shelf[.mark, id.text]?.members ?? []
        guard progress != nil || !marks.isEmpty else { return .null }
        return .object(
            [
                .init("position", .number(progress?.seconds ?? 0)),
                .init("finished", .bool(progress?.isPlayed ?? false)),
            ] + marks)
    }

    private func known(_ call: APIRequest) throws -> RecordingID {
        let id = RecordingID(call.name("id"))
        guard try isThere(id) else {
            throw APIFailure(
                .notFound, "there is no recording of that id", remedy: "`aircheck recordings list` has them.")
        }
        return id
    }

    private func isThere(_ id: RecordingID) throws -> Bool {
        try rooms.recorder.status(id) != nil || rooms.library.recording(id) != nil
    }

    // MARK: Bookmarks

    private var bookmarks: [APIRoute] {
        [
            APIRoute("GET", "/api/v1/recordings/{id}/bookmarks", .viewer, "bookmarks, by their place") {
                call in
                .json(["bookmarks": .array(found(call.name("id")))])
            },
            APIRoute(
                "POST", "/api/v1/recordings/{id}/bookmarks", .operator, "mark a place in a recording",
                body: [
                    .init("seconds", .number, required: true, "the place"),
                    .init("note", .string, "what is there"),
                ]
            ) { try bookmark($0) },
            APIRoute(
                "DELETE", "/api/v1/recordings/{id}/bookmarks/{bookmark}", .operator, "take a bookmark away"
            ) { call in
                guard rooms.shelf.remove(.bookmark, "\(call.name("id"))/\(call.name("bookmark"))") else {
                    throw APIFailure(.notFound, "there is no bookmark of that id")
                }
                told(call.name("id"))
                return .nothing
            },
        ]
    }

    private func found(_ id: String) -> [JSONValue] {
        rooms.shelf.all(.bookmark, prefix: id + "/").map(\.value)
            .sorted { ($0["seconds"]?.double ?? 0) < ($1["seconds"]?.double ?? 0) }
    }

    private func bookmark(_ call: APIRequest) throws -> APIAnswer {
        let id = try known(call)
        let seconds = call.body["seconds"]?.double ?? 0
        guard (0...1e8).contains(seconds) else {
            throw APIFailure(.badRequest, "seconds must be 0 or more")
        }
        guard found(id.text).count < Self.bookmarkLimit else {
            throw APIFailure(.conflict, "this recording has \(Self.bookmarkLimit) bookmarks already")
        }
        let key = String(UInt64(clamping: rooms.time.wall.nanoseconds / 1000), radix: 36)
        let note = String((call.body["note"]?.string ?? "").prefix(Self.noteLimit))
        let made: JSONValue = [
            "id": .string(key), "seconds": .number(seconds), "note": .string(note),
            "made": .string(LocalTime.iso(rooms.time.wall)),
        ]
        rooms.shelf.put(.bookmark, "\(id.text)/\(key)", made)
        told(id.text)
        return .created(made)
    }

    private func told(_ id: String) {
        rooms.events.publish("bookmarks", ["id": .string(id), "bookmarks": .array(found(id))])
    }

    // MARK: Up next

    private var queue: [APIRoute] {
        [
            APIRoute("GET", "/api/v1/queue", .viewer, "what is up next: recordings in order") { _ in
                .json(rooms.upNext.json)
            },
            APIRoute(
                "PUT", "/api/v1/queue", .operator,
                "what is up next from now on; recordings that are not there are left out",
                body: [.init("recordings", .array, required: true, "ids in order")]
            ) { call in
                let ids = (call.body["recordings"]?.array ?? []).compactMap(\.string)
                guard ids.count <= Self.queueLimit, ids.allSatisfy({ $0.utf8.count <= 64 }) else {
                    throw APIFailure(.badRequest, "at most \(Self.queueLimit) recordings may be up next")
                }
                let known = Set(rooms.upNext.ids)
                rooms.upNext.put(try ids.filter { try known.contains($0) || isThere(RecordingID($0)) })
                return .json(rooms.upNext.json)
            },
        ]
    }
}

extension JSONValue {
    /// The same object with what people did with it, and what kind of station it was recorded from.
    func with(listening: JSONValue, genre: String?) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members + [.init("genre", JSONValue(genre)), .init("listening", listening)])
    }
}
