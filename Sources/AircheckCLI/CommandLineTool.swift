internal import Platform

/// The `aircheck` command: finds the command that the words name, runs it, and says how it ended.
package enum CommandLineTool {
    /// Runs and returns the exit code. `arguments` are those after the program's name. Main thread.
    package static func run(_ arguments: [String]) -> Int32 {
        do {
            try dispatch(arguments)
            return ExitCode.ok.rawValue
        } catch let failure as CommandFailure {
            Terminal.endProgress()
            Terminal.fail(failure)
            return failure.code.rawValue
        } catch {
            Terminal.endProgress()
            Terminal.fail(CommandFailure(.software, "\(error)"))
            return ExitCode.software.rawValue
        }
    }

    private static func dispatch(_ arguments: [String]) throws {
        guard let first = arguments.first else {
            Terminal.print(CommandHelp.overview(CommandTable.groups))
            throw CommandFailure(.usage, "no command given", remedy: "`aircheck --help` lists them.")
        }
        switch first {
        case "--help", "-h", "help":
            let words = arguments.dropFirst().filter { !$0.hasPrefix("-") }
            if let command = longestMatch(words) {
                Terminal.print(CommandHelp.page(command))
            } else {
                Terminal.print(CommandHelp.overview(CommandTable.groups))
            }
        case "--version":
            try run(command: CommandTable.version, [])
        default:
            try runNamed(arguments)
        }
    }

    private static func runNamed(_ arguments: [String]) throws {
        if let command = longestMatch(arguments) {
            return try run(command: command, arguments.dropFirst(command.words.count))
        }
        let family = CommandTable.commands.filter { $0.words.first == arguments[0] }
        if family.isEmpty { throw unknown(arguments[0], in: nil) }
        let second = arguments.dropFirst().first
        if second == "--help" || second == "-h" {
            return Terminal.print(CommandHelp.family(arguments[0], family))
        }
        if let second, !second.hasPrefix("-") {
            throw unknown(second, in: arguments[0])
        }
        Terminal.note(CommandHelp.family(arguments[0], family))
        throw CommandFailure(.usage, "\(arguments[0]) needs one of these commands")
    }

    /// Why a word is no command, and which one was probably meant.
    /// - Parameter family: the word before it, such as `recordings`.
    static func unknown(_ word: String, in family: String?) -> CommandFailure {
        let prefix = family.map { $0 + " " } ?? ""
        let words = CommandTable.commands.map(\.words)
        let known = family.map { family in
            words.filter { $0.first == family }.compactMap { $0.dropFirst().first }
        }
        let alone = family != nil && words.contains([word]) ? word : nil
        let near =
            alone ?? Nearest.word(to: word, among: known ?? words.compactMap(\.first)).map { prefix + $0 }
        return CommandFailure(
            .usage, "there is no command \"\(prefix)\(word)\"",
            remedy: (near.map { "Did you mean \($0)? " } ?? "")
                + "`aircheck \(prefix)--help` lists all of them.")
    }

    private static func run(command: CommandSpec, _ rest: some Sequence<String>) throws {
        let invocation = try Invocation(command, rest)
        if invocation.has("help") { return Terminal.print(CommandHelp.page(command)) }
        switch invocation.verbosity {
        case 0: Log.level = .warning
        case 1: Log.level = .info
        default: Log.level = .debug
        }
        if invocation.quiet { Log.level = .error }
        try command.run(invocation)
    }

    private static func longestMatch(_ words: some Collection<String>) -> CommandSpec? {
        CommandTable.commands.filter { words.starts(with: $0.words) }.max { $0.words.count < $1.words.count }
    }
}
