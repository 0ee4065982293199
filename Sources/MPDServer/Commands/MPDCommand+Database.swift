extension MPDCommand {
    /// Most stations in one answer to a search; the directory alone has 50,000.
    private static let mostFound = 1000

    /// The catalogue, as a music database.
    static let database: [MPDCommand] = [
        MPDCommand("lsinfo", .read, 0...1) { scene, request, reply throws(MPDFailure) in
            let path = request.arguments.first ?? ""
            if path.contains("://") { return scene.write(try scene.entry(path), to: &reply) }
            try list(path, scene, &reply, isDeep: false) { scene.write($0, to: &$1) }
            if path.isEmpty || path == "/" { MPDCommand.writeLists(scene, &reply) }
        },
        MPDCommand("listfiles", .read, 0...1) { scene, request, reply throws(MPDFailure) in
            try list(request.arguments.first ?? "", scene, &reply, isDeep: false) { $1.pair("file", $0.uri) }
        },
        MPDCommand("listall", .read, 0...1) { scene, request, reply throws(MPDFailure) in
            try list(request.arguments.first ?? "", scene, &reply, isDeep: true) { $1.pair("file", $0.uri) }
        },
        MPDCommand("listallinfo", .read, 0...1) { scene, request, reply throws(MPDFailure) in
            try list(request.arguments.first ?? "", scene, &reply, isDeep: true) { scene.write($0, to: &$1) }
        },
        MPDCommand("find", .read, 1...64) { scene, request, reply throws(MPDFailure) in
            for entry in try found(scene, request, isExact: true) { scene.write(entry, to: &reply) }
        },
        MPDCommand("search", .read, 1...64) { scene, request, reply throws(MPDFailure) in
            for entry in try found(scene, request, isExact: false) { scene.write(entry, to: &reply) }
        },
        MPDCommand("findadd", .add, 1...64) { scene, request, _ throws(MPDFailure) in
            try add(try found(scene, request, isExact: true), scene)
        },
        MPDCommand("searchadd", .add, 1...64) { scene, request, _ throws(MPDFailure) in
            try add(try found(scene, request, isExact: false), scene)
        },
        MPDCommand("count", .read, 1...64) { scene, request, reply throws(MPDFailure) in
            reply.pair("songs", try found(scene, request, isExact: true).count)
            reply.pair("playtime", 0)
        },
        MPDCommand("list", .read, 1...64) { scene, request, reply throws(MPDFailure) in
            guard let tag = MPDTagSet.canonical(request.arguments[0]) else {
                throw MPDFailure(.argument, "Unknown tag type: \(request.arguments[0])")
            }
            try list(tag, Array(request.arguments.dropFirst()), scene, &reply)
        },
        MPDCommand("update", .control, 0...1) { scene, _, reply in rescan(scene, &reply) },
        MPDCommand("rescan", .control, 0...1) { scene, _, reply in rescan(scene, &reply) },
        MPDCommand("readcomments", .read, 1...1) { scene, request, reply throws(MPDFailure) in
            for (tag, value) in scene.tags(of: try scene.entry(request.arguments[0])) {
                reply.pair(tag.uppercased(), ifAny: value)
            }
        },
        MPDCommand("albumart", .read, 2...2) { scene, request, reply throws(MPDFailure) in
            let offset = try request.integer(1)
            guard let picture = picture(scene, request) else { throw MPDFailure(.noExist, "No file exists") }
            try reply.picture(picture, from: offset, limit: scene.client.binaryLimit, withType: false)
        },
        MPDCommand("readpicture", .read, 2...2) { scene, request, reply throws(MPDFailure) in
            let offset = try request.integer(1)
            guard let picture = picture(scene, request) else { return }
            try reply.picture(picture, from: offset, limit: scene.client.binaryLimit, withType: true)
        },
    ]

    private static func list(
        _ path: String, _ scene: MPDScene, _ reply: inout MPDReply, isDeep: Bool,
        _ write: (MPDEntry, inout MPDReply) -> Void
    ) throws(MPDFailure) {
        let stations = scene.backend.stations
        let recordings = { scene.backend.recordings }
        guard let folder = MPDFolder(path == "/" ? "" : path, in: stations, recordings: recordings) else {
            throw .noDirectory
        }
        for name in folder.folders {
            reply.pair("directory", name)
            guard isDeep, let inner = MPDFolder(name, in: stations, recordings: recordings) else { continue }
            for folder in inner.folders { reply.pair("directory", folder) }
            for entry in inner.entries { write(entry, &reply) }
        }
        for entry in folder.entries { write(entry, &reply) }
    }

    /// The values of a tag among the stations that fit, each once, under the values of other tags where `group` asks so.
    private static func list(
        _ tag: String, _ words: [String], _ scene: MPDScene, _ reply: inout MPDReply
    ) throws(MPDFailure) {
        // As old clients ask for the albums of somebody.
        let isArtist = tag == "Album" && words.count == 1 && !words[0].hasPrefix("(")
        let query = try MPDQuery((isArtist ? ["artist"] : []) + words, isExact: true)
        var rows: Set<[String]> = []
        for entry in scene.backend.stations {
            let tags = scene.tags(of: entry)
            guard query.filter.matches(entry, tags) else { continue }
            let heads = query.groups.map { group in tags.first { $0.0 == group }?.1 ?? "" }
            for (name, value) in tags where name == tag { if let value { rows.insert(heads + [value]) } }
        }
        var told: [String] = []
        for row in rows.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            // A head is said where it or one before it is another.
            let same = zip(row.dropLast(), told).prefix { $0 == $1 }.count
            for index in same..<query.groups.count { reply.pair(query.groups[index], row[index]) }
            reply.pair(tag, row[row.count - 1])
            told = row.dropLast()
        }
    }

    private static func found(_ scene: MPDScene, _ request: MPDRequest, isExact: Bool) throws(MPDFailure)
        -> [MPDEntry]
    {
        let query = try MPDQuery(request.arguments, isExact: isExact)
        var found = scene.backend.stations.filter { query.filter.matches($0, scene.tags(of: $0)) }
        if !isExact, let words = query.filter.words, found.count < mostFound {
            let known = Set(found.map(\.id))
            found += scene.backend.searchDirectory(words, limit: mostFound - found.count).filter {
                !known.contains($0.id)
            }
        }
        guard let window = query.window else { return Array(found.prefix(mostFound)) }
        return Array(found[try MPDRequest.window(window, count: found.count)].prefix(mostFound))
    }

    private static func picture(_ scene: MPDScene, _ request: MPDRequest) -> MPDPicture? {
        scene.backend.entry(for: request.arguments[0]).flatMap(scene.backend.picture)
    }

    private static func add(_ entries: [MPDEntry], _ scene: MPDScene) throws(MPDFailure) {
        try scene.desk.edit { queue throws(MPDFailure) in
            for entry in entries { _ = try queue.add(entry) }
        }
    }

    private static func rescan(_ scene: MPDScene, _ reply: inout MPDReply) {
        scene.backend.rescan()
        scene.desk.updates += 1
        scene.desk.changed([.update, .database])
        reply.pair("updating_db", scene.desk.updates)
    }
}
