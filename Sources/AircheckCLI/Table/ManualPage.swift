/// The manual page, made from the command table: `aircheck manual | man -l -`.
enum ManualPage {
    static func roff(_ groups: [CommandGroup], version: String) -> String {
        var page = """
            .TH AIRCHECK 1 "" "aircheck \(version)" "User Commands"
            .SH NAME
            aircheck \\- tune, record and relay live radio
            .SH SYNOPSIS
            .B aircheck
            .I COMMAND
            [\\fIOPTIONS\\fR]
            .SH DESCRIPTION
            aircheck pulls a live station once and gives it to the player in front of you, to the recorder and to any number
            of listeners on the LAN. STATION is an id, a name or a unique part of one.

            """
        for group in groups {
            page += ".SH \(escaped(group.title.uppercased()))\n"
            for command in group.commands { page += section(command) }
        }
        page += ".SH OPTIONS OF EVERY COMMAND\n" + CommandSpec.Option.common.map(item).joined()
        page += exitStatus
        return page
    }

    private static func section(_ command: CommandSpec) -> String {
        var text = ".SS \(escaped(command.usage))\n\(escaped(command.summary)).\n"
        if !command.details.isEmpty { text += ".PP\n\(escaped(command.details))\n" }
        for operand in command.operands {
            text += ".TP\n.I \(escaped(operand.name))\n\(escaped(operand.help))\n"
        }
        return text + command.options.map(item).joined()
    }

    private static func item(_ option: CommandSpec.Option) -> String {
        let short = option.short.map { "-\($0), " } ?? ""
        return ".TP\n.B \(escaped(short + option.synopsis))\n\(escaped(option.help))\n"
    }

    private static let exitStatus = """
        .SH EXIT STATUS
        0 done; 64 usage; 65 bad data; 66 no such station, file or stream; 69 unavailable; 70 a fault of aircheck; 73 cannot create; 74 cannot read
        or write; 75 try again; 77 not allowed; 78 configuration.
        .SH ENVIRONMENT
        AIRCHECK_SERVER and AIRCHECK_TOKEN stand for \\-\\-server and \\-\\-token. NO_COLOR turns colour off.

        """

    /// A line must not begin with a dot or a quote, and a dash is a minus.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        var lineStart = true
        for character in text {
            if lineStart, character == "." || character == "'" { escaped += "\\&" }
            switch character {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            default: escaped.append(character)
            }
            lineStart = character == "\n"
        }
        return escaped
    }
}
