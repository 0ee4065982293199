extension MPDCommand {
    /// The queue. It is the list that next and previous walk, here and everywhere else.
    static let queue: [MPDCommand] = [
        MPDCommand("add", .add, 1...2) { scene, request, _ throws(MPDFailure) in
            try add(request, scene, try scene.found(request.arguments[0]))
        },
        MPDCommand("addid", .add, 1...2) { scene, request, reply throws(MPDFailure) in
            let entry = try scene.entry(request.arguments[0])
            try add(request, scene, [entry])
            let queue = scene.desk.queue
            if let place = queue.place(ofStation: entry.id) { reply.pair("Id", queue.items[place].number) }
        },
        MPDCommand("clear", .control, 0...0) { scene, _, _ throws(MPDFailure) in
            try scene.desk.edit { queue throws(MPDFailure) in queue.remove(0..<queue.items.count) }
        },
        MPDCommand("delete", .control, 1...1) { scene, request, _ throws(MPDFailure) in
            let range = try request.range(0, of: scene.desk.queue.items.count)
            try scene.desk.edit { queue throws(MPDFailure) in queue.remove(range) }
        },
        MPDCommand("deleteid", .control, 1...1) { scene, request, _ throws(MPDFailure) in
            let place = try scene.desk.queue.place(ofNumber: try request.integer(0))
            try scene.desk.edit { queue throws(MPDFailure) in queue.remove(place..<place + 1) }
        },
        MPDCommand("move", .control, 2...2) { scene, request, _ throws(MPDFailure) in
            let range = try request.range(0, of: scene.desk.queue.items.count)
            try move(range, to: request.arguments[1], scene)
        },
        MPDCommand("moveid", .control, 2...2) { scene, request, _ throws(MPDFailure) in
            let place = try scene.desk.queue.place(ofNumber: try request.integer(0))
            try move(place..<place + 1, to: request.arguments[1], scene)
        },
        MPDCommand("swap", .control, 2...2) { scene, request, _ throws(MPDFailure) in
            let (one, other) = (try request.integer(0), try request.integer(1))
            try scene.desk.edit { queue throws(MPDFailure) in try queue.swap(one, other) }
        },
        MPDCommand("swapid", .control, 2...2) { scene, request, _ throws(MPDFailure) in
            let one = try scene.desk.queue.place(ofNumber: try request.integer(0))
            let other = try scene.desk.queue.place(ofNumber: try request.integer(1))
            try scene.desk.edit { queue throws(MPDFailure) in try queue.swap(one, other) }
        },
        MPDCommand("shuffle", .control, 0...1) { scene, request, _ throws(MPDFailure) in
            let count = scene.desk.queue.items.count
            try scene.desk.shuffle(request.arguments.isEmpty ? 0..<count : try request.range(0, of: count))
        },
        MPDCommand("playlist", .read, 0...0) { scene, _, reply in
            for (place, item) in scene.desk.queue.items.enumerated() {
                reply.append("\(place):file: \(MPDReply.plain(item.entry.uri))\n")
            }
        },
        MPDCommand("playlistinfo", .read, 0...1) { scene, request, reply throws(MPDFailure) in
            let items = scene.desk.queue.items
            let range = request.arguments.isEmpty ? 0..<items.count : try request.range(0, of: items.count)
            for place in range { scene.write(items[place], at: place, to: &reply) }
        },
        MPDCommand("playlistid", .read, 0...1) { scene, request, reply throws(MPDFailure) in
            let items = scene.desk.queue.items
            let places =
                request.arguments.isEmpty
                ? Array(items.indices) : [try scene.desk.queue.place(ofNumber: try request.integer(0))]
            for place in places { scene.write(items[place], at: place, to: &reply) }
        },
        MPDCommand("plchanges", .read, 1...2) { scene, request, reply throws(MPDFailure) in
            for (place, item) in try changed(scene, request) { scene.write(item, at: place, to: &reply) }
        },
        MPDCommand("plchangesposid", .read, 1...2) { scene, request, reply throws(MPDFailure) in
            for (place, item) in try changed(scene, request) {
                reply.pair("cpos", place)
                reply.pair("Id", item.number)
            }
        },
        MPDCommand("playlistfind", .read, 1...64) { scene, request, reply throws(MPDFailure) in
            try search(scene, request, &reply, isExact: true)
        },
        MPDCommand("playlistsearch", .read, 1...64) { scene, request, reply throws(MPDFailure) in
            try search(scene, request, &reply, isExact: false)
        },
    ]

    private static func add(_ request: MPDRequest, _ scene: MPDScene, _ entries: [MPDEntry])
        throws(MPDFailure)
    {
        let place: Int? = request.arguments.count > 1 ? try target(request.arguments[1], scene) : nil
        try scene.desk.edit { queue throws(MPDFailure) in
            for (offset, entry) in entries.enumerated() {
                _ = try queue.add(entry, at: place.map { min($0 + offset, queue.items.count) })
            }
        }
    }

    /// A place in the queue: `3`, or `+1` and `-1` seen from what plays.
    private static func target(_ text: String, _ scene: MPDScene) throws(MPDFailure) -> Int {
        let number = try MPDRequest.integer(text.hasPrefix("+") ? String(text.dropFirst()) : text)
        guard text.hasPrefix("+") || text.hasPrefix("-") else { return number }
        guard let current = scene.desk.current else { throw MPDFailure(.playerSync, "No current song") }
        let place = text.hasPrefix("+") ? current + 1 + number : current + number
        guard (0...scene.desk.queue.items.count).contains(place) else { throw .badIndex }
        return place
    }

    private static func move(_ range: Range<Int>, to text: String, _ scene: MPDScene) throws(MPDFailure) {
        let place = try target(text, scene)
        try scene.desk.edit { queue throws(MPDFailure) in try queue.move(range, to: place) }
    }

    private static func changed(_ scene: MPDScene, _ request: MPDRequest) throws(MPDFailure)
        -> [(Int, MPDQueue.Item)]
    {
        let version = try request.integer(0)
        let items = scene.desk.queue.items
        // A client with a version of another run gets everything.
        let isForeign = version > scene.desk.queue.version
        let range =
            request.arguments.count > 1
            ? try MPDRequest.window(request.arguments[1], count: items.count) : 0..<items.count
        return range.filter { isForeign || items[$0].changed > version }.map { ($0, items[$0]) }
    }

    private static func search(
        _ scene: MPDScene, _ request: MPDRequest, _ reply: inout MPDReply, isExact: Bool
    ) throws(MPDFailure) {
        let query = try MPDQuery(request.arguments, isExact: isExact)
        for (place, item) in scene.desk.queue.items.enumerated()
        where query.filter.matches(item.entry, scene.tags(of: item.entry)) {
            scene.write(item, at: place, to: &reply)
        }
    }
}
