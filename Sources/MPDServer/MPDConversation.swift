/// What is said on one connection: single commands, lists of them, and waiting for changes. It knows no sockets.
struct MPDConversation {
    /// What a line leads to.
    enum Step: Sendable, Hashable {
        case say(String)
        /// The same, with bytes in it that are no text.
        case send([UInt8])
        case nothing
        /// Hang up, without a word.
        case close
    }

    static let greeting = "OK MPD 0.23.5\n"
    /// Most bytes of the commands of one list.
    private static let listLimit = 2 << 20
    /// Bytes that the commands of one list may say together.
    private static let answerLimit = 8 << 20

    private enum Mode {
        case commands
        case list(tellsEach: Bool)
        case idle(MPDSubsystems)
    }

    private let scene: MPDScene
    private var mode = Mode.commands
    private var list: [[UInt8]] = []
    private var listBytes = 0

    init(desk: MPDDesk, client: MPDClient) { scene = MPDScene(desk: desk, client: client) }

    /// Whether it waits for changes, for as long as it likes.
    var isIdle: Bool { if case .idle = mode { true } else { false } }

    /// What there is to say to a client that waits, if what it waits for has changed.
    mutating func news() -> Step {
        guard case .idle(let wanted) = mode else { return .nothing }
        let found = scene.client.pending.intersection(wanted)
        guard !found.isEmpty else { return .nothing }
        return endIdle(found)
    }

    mutating func take(_ line: [UInt8]) -> Step {
        switch mode {
        case .idle: Self.isWord("noidle", line) ? endIdle([]) : .close
        case .list(let tellsEach): collect(line, tellsEach)
        case .commands: command(line)
        }
    }

    private mutating func endIdle(_ wanted: MPDSubsystems) -> Step {
        let told = scene.client.pending.intersection(wanted)
        scene.client.pending.subtract(told)
        mode = .commands
        return .say(told.answer)
    }

    private mutating func command(_ line: [UInt8]) -> Step {
        guard MPDRequest.mayBegin(line) else { return .close }
        if Self.isWord("command_list_begin", line) { return begin(tellsEach: false) }
        if Self.isWord("command_list_ok_begin", line) { return begin(tellsEach: true) }
        if Self.isWord("noidle", line) { return .nothing }
        if Self.isWord("close", line) { return .close }
        do throws(MPDFailure) {
            let request = try MPDRequest(line: line)
            if request.command == "idle" { return try wait(request) }
            var reply = MPDReply()
            try run(request, &reply)
            return Self.step(reply.bytes + Array("OK\n".utf8), isText: reply.binary == nil)
        } catch {
            return .say(error.line(command: Self.name(line), index: 0))
        }
    }

    private mutating func wait(_ request: MPDRequest) throws(MPDFailure) -> Step {
        guard scene.client.permissions.contains(.read) else {
            throw MPDFailure(.permission, "you don't have permission for \"idle\"")
        }
        mode = .idle(try MPDSubsystems.named(request.arguments))
        return news()
    }

    private mutating func begin(tellsEach: Bool) -> Step {
        mode = .list(tellsEach: tellsEach)
        list = []
        listBytes = 0
        return .nothing
    }

    private mutating func collect(_ line: [UInt8], _ tellsEach: Bool) -> Step {
        guard !Self.isWord("command_list_end", line) else {
            mode = .commands
            return runList(tellsEach)
        }
        listBytes += line.count + 1
        guard listBytes <= Self.listLimit else { return .close }
        list.append(line)
        return .nothing
    }

    /// Runs the collected commands up to the first that fails.
    /// - Returns: a hang-up where they say more than anybody is sent.
    private mutating func runList(_ tellsEach: Bool) -> Step {
        var said: [UInt8] = []
        var isText = true
        for (index, line) in list.enumerated() {
            var reply = MPDReply()
            do throws(MPDFailure) {
                let request = try MPDRequest(line: line)
                guard request.command != "idle" else {
                    throw MPDFailure(.argument, "Cannot use idle in a command list")
                }
                try run(request, &reply)
            } catch {
                return Self.step(
                    said + Array(error.line(command: Self.name(line), index: index).utf8), isText: isText)
            }
            isText = isText && reply.binary == nil
            said += reply.bytes + Array((tellsEach ? "list_OK\n" : "").utf8)
            guard said.count <= Self.answerLimit else { return .close }
        }
        list = []
        return Self.step(said + Array("OK\n".utf8), isText: isText)
    }

    private static func step(_ bytes: [UInt8], isText: Bool) -> Step {
        isText ? .say(String(decoding: bytes, as: UTF8.self)) : .send(bytes)
    }

    private func run(_ request: MPDRequest, _ reply: inout MPDReply) throws(MPDFailure) {
        try MPDCommand.run(request, scene, &reply)
    }

    /// The word that an error names: the command, if it is one.
    private static func name(_ line: [UInt8]) -> String {
        let word = String(decoding: line.prefix { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self)
        return MPDCommand.table[word] == nil ? "" : word
    }

    private static func isWord(_ word: String, _ line: [UInt8]) -> Bool {
        line.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed().elementsEqual(word.utf8)
    }
}
