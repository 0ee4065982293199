/// Help for people at a terminal, made from the command table.
enum CommandHelp {
    static func overview(_ groups: [CommandGroup]) -> String {
        var text = """
            aircheck: tunes, records and relays live radio. One connection to the station, whoever listens.

            usage: aircheck COMMAND [OPTIONS]

            """
        for group in groups {
            text += "\n\(group.title)\n"
            for command in group.commands {
                text += "  \(padded(command.name, 22)) \(command.summary)\n"
            }
        }
        text +=
            "\n`aircheck COMMAND --help` explains a command. STATION is an id, a name or a unique part of one."
        return text
    }

    static func page(_ command: CommandSpec) -> String {
        var text = "\(command.summary)\n\nusage: \(command.usage)\n"
        if !command.details.isEmpty { text += "\n\(command.details)\n" }
        if !command.operands.isEmpty {
            text += "\n" + command.operands.map { "  \(padded($0.name, 22)) \($0.help)\n" }.joined()
        }
        text += "\noptions\n"
        for option in command.options + CommandSpec.Option.common {
            let short = option.short.map { "-\($0), " } ?? "    "
            text += "  \(padded(short + option.synopsis, 26)) \(option.help)\n"
        }
        return text
    }

    /// The commands of a family (`aircheck stations`), where a word is missing.
    static func family(_ first: String, _ commands: [CommandSpec]) -> String {
        "usage: aircheck \(first) COMMAND\n\n"
            + commands.map { "  \(padded($0.name, 24)) \($0.summary)\n" }.joined()
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

/// Commands that are listed together.
package struct CommandGroup: Sendable {
    package var title: String
    package var commands: [CommandSpec]
}
