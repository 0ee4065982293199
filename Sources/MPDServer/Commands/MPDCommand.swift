/// One command of the protocol: who may give it, how many arguments it takes, and what it does.
struct MPDCommand: Sendable {
    typealias Body = @Sendable (MPDScene, MPDRequest, inout MPDReply) throws(MPDFailure) -> Void

    let name: String
    let needs: MPDPermissions
    let arguments: ClosedRange<Int>
    let body: Body

    init(_ name: String, _ needs: MPDPermissions, _ arguments: ClosedRange<Int>, _ body: @escaping Body) {
        self.name = name
        self.needs = needs
        self.arguments = arguments
        self.body = body
    }

    /// Every command by name.
    static let table: [String: MPDCommand] = Dictionary(
        (playback + queue + stored + database + stickers + connection + system).map { ($0.name, $0) },
        uniquingKeysWith: { first, _ in first })

    /// Any number of arguments, as far as a request can have them.
    static let any = 0...64

    /// Carries a request out.
    static func run(_ request: MPDRequest, _ scene: MPDScene, _ reply: inout MPDReply) throws(MPDFailure) {
        guard let command = table[request.command] else {
            throw MPDFailure(.unknown, "unknown command \"\(request.command)\"")
        }
        guard scene.client.permissions.isSuperset(of: command.needs) else {
            throw MPDFailure(.permission, "you don't have permission for \"\(request.command)\"")
        }
        try command.check(request.arguments.count)
        scene.desk.look()
        try command.body(scene, request, &reply)
    }

    private func check(_ count: Int) throws(MPDFailure) {
        if arguments.contains(count) { return }
        if arguments.lowerBound == arguments.upperBound {
            throw MPDFailure(.argument, "wrong number of arguments for \"\(name)\"")
        }
        let word = count < arguments.lowerBound ? "few" : "many"
        throw MPDFailure(.argument, "too \(word) arguments for \"\(name)\"")
    }
}

/// Where a command is given: by whom, and on what.
struct MPDScene {
    let desk: MPDDesk
    let client: MPDClient

    var backend: any MPDBackend { desk.backend }

    /// A song's lines: `file`, the tags that the client wants, and its place in the queue.
    func write(_ entry: MPDEntry, item: MPDQueue.Item? = nil, place: Int? = nil, to reply: inout MPDReply) {
        reply.pair("file", entry.uri)
        for (tag, value) in tags(of: entry) where client.tags.contains(tag) {
            reply.pair(tag, ifAny: value)
        }
        if let recording = entry.recording {
            reply.pair("Time", Int(min(max(recording.duration, 0), 1e9).rounded()))
            reply.pair("duration", MPDReply.seconds(recording.duration))
        }
        if let item, let place {
            reply.pair("Pos", place)
            reply.pair("Id", item.number)
        }
    }

    /// The tags of a station: what it airs, where that is known, and what it is.
    func tags(of entry: MPDEntry) -> [(String, String?)] {
        if let recording = entry.recording {
            return [
                ("Title", recording.title), ("Name", entry.name), ("Genre", entry.genre),
                ("Date", recording.date),
            ]
        }
        let airing = backend.airing(of: entry.id)
        return [
            ("Title", airing?.title), ("Artist", airing?.artist), ("Name", entry.name),
            ("Genre", entry.genre),
        ]
    }

    func write(_ item: MPDQueue.Item, at place: Int, to reply: inout MPDReply) {
        write(item.entry, item: item, place: place, to: &reply)
    }

    /// The station that a client means by `add` and its like.
    func entry(_ uri: String) throws(MPDFailure) -> MPDEntry {
        if let entry = backend.entry(for: uri) { return entry }
        if let scheme = uri.firstRange(of: "://"),
            !["http", "https"].contains(uri[..<scheme.lowerBound].lowercased())
        {
            throw MPDFailure(.argument, "Unsupported URI scheme")
        }
        throw MPDFailure(.noExist, "No such directory")
    }
}
