extension MPDCommand {
    /// The connection itself, and messages between clients.
    static let connection: [MPDCommand] = [
        // Both are looked after before a command is looked up; here they are for `commands`.
        MPDCommand("idle", .read, any) { _, _, _ in },
        MPDCommand("noidle", [], 0...0) { _, _, _ in },
        MPDCommand("close", [], 0...0) { _, _, _ in },
        MPDCommand("ping", [], 0...0) { _, _, _ in },
        MPDCommand("password", [], 1...1) { scene, request, _ throws(MPDFailure) in
            let opened = scene.backend.permissions(password: request.arguments[0], peer: scene.client.peer)
            guard let opened else { throw MPDFailure(.password, "incorrect password") }
            scene.client.permissions = opened
        },
        MPDCommand("binarylimit", [], 1...1) { scene, request, _ throws(MPDFailure) in
            let limit = try request.number(0, upTo: 5 << 20)
            guard limit >= 64 else { throw MPDFailure(.argument, "Value too small") }
            scene.client.binaryLimit = limit
        },
        MPDCommand("tagtypes", [], any) { scene, request, reply throws(MPDFailure) in
            let rest = Array(request.arguments.dropFirst())
            switch request.arguments.first?.lowercased() {
            case nil:
                for tag in MPDTagSet.known where scene.client.tags.contains(tag) {
                    reply.pair("tagtype", tag)
                }
            case "all": scene.client.tags.all()
            case "clear": scene.client.tags.clear()
            case "enable": try scene.client.tags.change(rest, enables: true)
            case "disable": try scene.client.tags.change(rest, enables: false)
            default: throw MPDFailure(.argument, "Unknown sub command")
            }
        },
        MPDCommand("commands", [], 0...0) { scene, _, reply in
            for command in sorted where scene.client.permissions.isSuperset(of: command.needs) {
                reply.pair("command", command.name)
            }
        },
        MPDCommand("notcommands", [], 0...0) { scene, _, reply in
            for command in sorted where !scene.client.permissions.isSuperset(of: command.needs) {
                reply.pair("command", command.name)
            }
        },
        MPDCommand("subscribe", .read, 1...1) { scene, request, _ throws(MPDFailure) in
            try subscribe(request.arguments[0], scene)
        },
        MPDCommand("unsubscribe", .read, 1...1) { scene, request, _ throws(MPDFailure) in
            guard scene.client.channels.remove(request.arguments[0]) != nil else {
                throw MPDFailure(.noExist, "not subscribed to this channel")
            }
            scene.desk.changed(.subscription)
        },
        MPDCommand("channels", .read, 0...0) { scene, _, reply in
            for channel in Set(scene.desk.clients.values.flatMap(\.channels)).sorted() {
                reply.pair("channel", channel)
            }
        },
        MPDCommand("sendmessage", .control, 2...2) { scene, request, _ throws(MPDFailure) in
            try send(request.arguments[1], to: request.arguments[0], scene.desk)
        },
        MPDCommand("readmessages", .read, 0...0) { scene, _, reply in
            for message in scene.client.messages {
                reply.pair("channel", message.channel)
                reply.pair("message", message.text)
            }
            scene.client.messages = []
        },
    ]

    private static var sorted: [MPDCommand] { table.values.sorted { $0.name < $1.name } }

    /// Channels of one client, and messages that wait for it.
    private static let mostChannels = 16
    private static let mostMessages = 64

    private static func subscribe(_ channel: String, _ scene: MPDScene) throws(MPDFailure) {
        let isPlain =
            !channel.isEmpty
            && channel.utf8.allSatisfy {
                $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
                    || $0 == UInt8(ascii: ":") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
            }
        guard isPlain else { throw MPDFailure(.argument, "invalid channel name") }
        guard !scene.client.channels.contains(channel) else {
            throw MPDFailure(.exists, "already subscribed to this channel")
        }
        guard scene.client.channels.count < mostChannels else {
            throw MPDFailure(.exists, "subscription list is full")
        }
        scene.client.channels.insert(channel)
        scene.desk.changed(.subscription)
    }

    private static func send(_ text: String, to channel: String, _ desk: MPDDesk) throws(MPDFailure) {
        let readers = desk.clients.values.filter { $0.channels.contains(channel) }
        guard !readers.isEmpty else {
            throw MPDFailure(.noExist, "nobody is subscribed to this channel")
        }
        for reader in readers where reader.messages.count < mostMessages {
            reader.messages.append((channel, text))
            reader.pending.insert(.message)
            desk.wake(reader)
        }
    }
}
