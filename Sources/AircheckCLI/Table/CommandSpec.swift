/// One command: what it is called, what it takes, and what runs. Help, completions and the manual page come from here too.
package struct CommandSpec: Sendable {
    /// What follows a name on the command line without dashes.
    package struct Operand: Sendable {
        package var name: String
        package var help: String
        package var isOptional = false
        package var repeats = false
        package var completion = Completion.none
    }

    package struct Option: Sendable {
        package var long: String
        package var short: Character?
        /// What the value is called in help; nil for a switch.
        package var value: String?
        package var help: String
        package var completion = Completion.none
    }

    /// What a shell offers after the word.
    package enum Completion: Sendable {
        case none, station, file, folder
        case words([String])
    }

    /// `["stations", "search"]`.
    package var words: [String]
    package var summary: String
    /// Paragraphs for `--help` and the manual.
    package var details: String
    package var operands: [Operand]
    package var options: [Option]
    /// Runs on the main thread and returns when the command is done.
    package var run: @Sendable (Invocation) throws -> Void

    package init(
        _ words: String, _ summary: String, details: String = "", operands: [Operand] = [],
        options: [Option] = [],
        run: @escaping @Sendable (Invocation) throws -> Void
    ) {
        self.words = words.split(separator: " ").map(String.init)
        self.summary = summary
        self.details = details
        self.operands = operands
        self.options = options
        self.run = run
    }

    package var name: String { words.joined(separator: " ") }

    /// `aircheck record STATION|URL [--for DURATION] …`
    package var usage: String {
        var line = "aircheck \(name)"
        for operand in operands {
            let text = operand.name + (operand.repeats ? "..." : "")
            line += operand.isOptional ? " [\(text)]" : " \(text)"
        }
        for option in options { line += " [\(option.synopsis)]" }
        return line
    }
}

extension CommandSpec.Option {
    /// A switch: `--follow`.
    package static func flag(_ long: String, short: Character? = nil, _ help: String) -> Self {
        Self(long: long, short: short, value: nil, help: help)
    }

    /// An option with a value: `--for DURATION`.
    package static func value(
        _ long: String, _ value: String, short: Character? = nil, _ help: String,
        completion: CommandSpec.Completion = .none
    ) -> Self {
        Self(long: long, short: short, value: value, help: help, completion: completion)
    }

    /// `--for DURATION`
    package var synopsis: String { "--\(long)" + (value.map { " \($0)" } ?? "") }

    /// What every command takes.
    package static let common: [Self] = [
        .flag("json", "print one JSON object, or one a line"),
        .value("config", "FILE", "settings file", completion: .file),
        .value("server", "ADDRESS", "talk to this service: http://host:port or the path of its socket"),
        .value("token", "TOKEN", "token for that service (or AIRCHECK_TOKEN)"),
        .flag("quiet", short: "q", "print results and errors only"),
        .flag("verbose", short: "v", "say more; twice says everything"),
        .flag("help", short: "h", "explain the command"),
    ]
}

extension CommandSpec.Operand {
    package static let station = Self(
        name: "STATION", help: "a station's id, its name, or a part that only one station has",
        completion: .station)
    package static let stationOrURL = Self(
        name: "STATION|URL", help: "a station of the catalogue, or the address of a stream or playlist",
        completion: .station)

    package static func required(_ name: String, _ help: String, completion: CommandSpec.Completion = .none)
        -> Self
    {
        Self(name: name, help: help, completion: completion)
    }

    package static func optional(_ name: String, _ help: String, completion: CommandSpec.Completion = .none)
        -> Self
    {
        Self(name: name, help: help, isOptional: true, completion: completion)
    }

    package func repeated() -> Self {
        var copy = self
        copy.repeats = true
        return copy
    }

    package func orNothing() -> Self {
        var copy = self
        copy.isOptional = true
        return copy
    }
}
