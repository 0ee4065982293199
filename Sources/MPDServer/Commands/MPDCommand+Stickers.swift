extension MPDCommand {
    /// Bytes of a note's name and value.
    private static let nameLimit = 64
    private static let valueLimit = 1024

    /// Notes of clients about songs: ratings, and whatever else they keep. `favourite` is the mark of the whole service.
    static let stickers: [MPDCommand] = [
        MPDCommand("sticker", .read, 3...6) { scene, request, reply throws(MPDFailure) in
            guard request.arguments[1] == "song" else {
                throw MPDFailure(.argument, "unknown sticker domain")
            }
            switch (request.arguments[0], request.arguments.count) {
            case ("get", 4): try get(scene, request, &reply)
            case ("list", 3): try list(scene, request, &reply)
            case ("set", 5): try set(request.arguments[4], scene, request)
            case ("delete", 3), ("delete", 4): try delete(scene, request)
            case ("find", 4), ("find", 6): try find(scene, request, &reply)
            default: throw MPDFailure(.argument, "bad request")
            }
        }
    ]

    private static func get(_ scene: MPDScene, _ request: MPDRequest, _ reply: inout MPDReply)
        throws(MPDFailure)
    {
        let notes = scene.backend.notes(on: try scene.entry(request.arguments[2]))
        guard let note = notes.first(where: { $0.name == request.arguments[3] }) else { throw .noSticker }
        reply.pair("sticker", "\(note.name)=\(note.value)")
    }

    private static func list(_ scene: MPDScene, _ request: MPDRequest, _ reply: inout MPDReply)
        throws(MPDFailure)
    {
        for note in scene.backend.notes(on: try scene.entry(request.arguments[2])) {
            reply.pair("sticker", "\(note.name)=\(note.value)")
        }
    }

    private static func set(_ value: String?, _ scene: MPDScene, _ request: MPDRequest) throws(MPDFailure) {
        guard scene.client.permissions.contains(.control) else {
            throw MPDFailure(.permission, "you don't have permission for \"sticker\"")
        }
        let name = request.arguments[3]
        guard !name.isEmpty, name.utf8.count <= nameLimit, !name.contains("="), name == MPDReply.plain(name),
            value?.utf8.count ?? 0 <= valueLimit
        else { throw MPDFailure(.argument, "bad sticker name or value") }
        try scene.backend.note(name, value, on: try scene.entry(request.arguments[2]))
        scene.desk.changed(name == "favourite" ? [.sticker, .storedPlaylist] : .sticker)
    }

    private static func delete(_ scene: MPDScene, _ request: MPDRequest) throws(MPDFailure) {
        let entry = try scene.entry(request.arguments[2])
        let names = scene.backend.notes(on: entry).map(\.name)
        if request.arguments.count == 3 {
            for name in names {
                try set(nil, scene, MPDRequest(request.command, request.arguments + [name]))
            }
        } else {
            guard names.contains(request.arguments[3]) else { throw .noSticker }
            try set(nil, scene, request)
        }
    }

    private static func find(_ scene: MPDScene, _ request: MPDRequest, _ reply: inout MPDReply)
        throws(MPDFailure)
    {
        let (name, below) = (request.arguments[3], request.arguments[2])
        for (entry, value) in scene.backend.noted(name) where below.isEmpty || entry.uri.hasPrefix(below) {
            if request.arguments.count == 6, try !fits(value, request) { continue }
            reply.pair("file", entry.uri)
            reply.pair("sticker", "\(name)=\(value)")
        }
    }

    private static func fits(_ value: String, _ request: MPDRequest) throws(MPDFailure) -> Bool {
        switch request.arguments[4] {
        case "=": value == request.arguments[5]
        case "<": value < request.arguments[5]
        case ">": value > request.arguments[5]
        default: throw MPDFailure(.argument, "bad request")
        }
    }
}
