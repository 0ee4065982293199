internal import AircheckDaemon
internal import ControlAPI
internal import JSONText
internal import Recording

/// The options that say how a programme is taken apart into tracks, as one body for the service and for this process.
enum TrackOptions {
    static let all: [CommandSpec.Option] = [
        .value("piece", "DURATION", "a shorter piece belongs to its neighbour; 10s by default"),
        .value("least", "DURATION", "do not keep shorter tracks"),
        .value("most", "DURATION", "do not keep longer tracks"),
        .value("padding", "DURATION", "audio around each track that its file holds too"),
        .flag("no-incomplete", "leave out the first and the last where they are not whole"),
        .value(
            "repeats", "RULE", "where the name is taken: version, longest or skip",
            completion: .words(["version", "longest", "skip"])),
        .value("only", "TEXT", "keep only tracks with this in their title; may be repeated"),
        .value("ignore", "TEXT", "do not keep tracks with this in their title; may be repeated"),
    ]

    /// As the API takes them.
    static func members(_ invocation: Invocation) throws -> [JSONValue.Member] {
        var body: [JSONValue.Member] = []
        for name in ["piece", "least", "most", "padding"] {
            if let seconds = try invocation.duration(name) { body.append(.init(name, .number(seconds))) }
        }
        if invocation.has("no-incomplete") { body.append(.init("incomplete", false)) }
        if let rule = invocation.text("repeats") { body.append(.init("repeats", .string(rule))) }
        for name in ["only", "ignore"] where invocation.has(name) {
            body.append(.init(name, .array(invocation.texts(name).map(JSONValue.string))))
        }
        return body
    }

    /// For a recording that this process makes: `rules` with what the options say.
    static func rules(_ rules: TrackRules, _ invocation: Invocation) throws -> TrackRules {
        var rules = rules
        do { try rules.apply(.object(try members(invocation))) } catch let failure as APIFailure {
            throw invocation.usage("--\(failure.message)")
        }
        return rules
    }
}
