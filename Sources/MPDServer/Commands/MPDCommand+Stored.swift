extension MPDCommand {
    /// Stored lists: the favourites, the presets, and every group of stations.
    static let stored: [MPDCommand] = [
        MPDCommand("listplaylists", .read, 0...0) { scene, _, reply in writeLists(scene, &reply) },
        MPDCommand("listplaylist", .read, 1...2) { scene, request, reply throws(MPDFailure) in
            for entry in try part(scene, request) { reply.pair("file", entry.uri) }
        },
        MPDCommand("listplaylistinfo", .read, 1...2) { scene, request, reply throws(MPDFailure) in
            for entry in try part(scene, request) { scene.write(entry, to: &reply) }
        },
        MPDCommand("load", .add, 1...3) { scene, request, _ throws(MPDFailure) in
            let entries = try part(scene, request)
            try scene.desk.edit { queue throws(MPDFailure) in
                for entry in entries { _ = try queue.add(entry) }
            }
        },
        MPDCommand("save", .control, 1...2) { scene, request, _ throws(MPDFailure) in
            let name = try checked(request.arguments[0])
            guard !scene.backend.lists.contains(where: { $0.name == name }) else {
                throw MPDFailure(.exists, "Playlist already exists")
            }
            try change(.save(name, scene.desk.queue.entries), scene)
        },
        MPDCommand("rm", .control, 1...1) { scene, request, _ throws(MPDFailure) in
            _ = try entries(request.arguments[0], scene)
            try change(.remove(request.arguments[0]), scene)
        },
        MPDCommand("rename", .control, 2...2) { scene, request, _ throws(MPDFailure) in
            _ = try entries(request.arguments[0], scene)
            let name = try checked(request.arguments[1])
            guard !scene.backend.lists.contains(where: { $0.name == name }) else {
                throw MPDFailure(.exists, "Playlist already exists")
            }
            try change(.rename(request.arguments[0], to: name), scene)
        },
        MPDCommand("playlistadd", .control, 2...3) { scene, request, _ throws(MPDFailure) in
            let name = try checked(request.arguments[0])
            try change(.append(name, try scene.entry(request.arguments[1])), scene)
        },
        MPDCommand("playlistclear", .control, 1...1) { scene, request, _ throws(MPDFailure) in
            for entry in try entries(request.arguments[0], scene) {
                try scene.backend.change(.delete(request.arguments[0], entry))
            }
            scene.desk.changed(.storedPlaylist)
        },
        MPDCommand("playlistdelete", .control, 2...2) { scene, request, _ throws(MPDFailure) in
            let entries = try entries(request.arguments[0], scene)
            for place in try request.range(1, of: entries.count) {
                try scene.backend.change(.delete(request.arguments[0], entries[place]))
            }
            scene.desk.changed(.storedPlaylist)
        },
        MPDCommand("playlistmove", .control, 3...3) { scene, request, _ throws(MPDFailure) in
            let entries = try entries(request.arguments[0], scene)
            let (from, to) = (try request.integer(1), try request.integer(2))
            guard entries.indices.contains(from), entries.indices.contains(to) else { throw .badIndex }
            try change(.move(request.arguments[0], entries[from], to: to), scene)
        },
    ]

    static func writeLists(_ scene: MPDScene, _ reply: inout MPDReply) {
        for list in scene.backend.lists {
            reply.pair("playlist", list.name)
            reply.pair("Last-Modified", "1970-01-01T00:00:00Z")
        }
    }

    private static func entries(_ name: String, _ scene: MPDScene) throws(MPDFailure) -> [MPDEntry] {
        guard let list = scene.backend.lists.first(where: { $0.name == name }) else { throw .noPlaylist }
        return list.entries
    }

    private static func part(_ scene: MPDScene, _ request: MPDRequest) throws(MPDFailure) -> [MPDEntry] {
        let entries = try entries(request.arguments[0], scene)
        guard request.arguments.count > 1 else { return entries }
        return Array(entries[try MPDRequest.window(request.arguments[1], count: entries.count)])
    }

    private static func checked(_ name: String) throws(MPDFailure) -> String {
        let isPlain = !name.isEmpty && name.utf8.count <= 64 && name == MPDReply.plain(name)
        guard isPlain, !name.contains("/") else {
            throw MPDFailure(
                .argument,
                "playlist name is invalid: playlist names may not contain slashes, newlines or carriage returns"
            )
        }
        return name
    }

    private static func change(_ change: MPDListChange, _ scene: MPDScene) throws(MPDFailure) {
        try scene.backend.change(change)
        scene.desk.changed(.storedPlaylist)
    }
}
