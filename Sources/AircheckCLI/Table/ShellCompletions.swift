/// Completion scripts for bash, zsh and fish, made from the command table.
enum ShellCompletions {
    static let shells = ["bash", "zsh", "fish"]

    static func script(for shell: String, _ commands: [CommandSpec]) -> String? {
        switch shell {
        case "bash": bash(commands)
        case "zsh": "#compdef aircheck\nautoload -U +X bashcompinit && bashcompinit\n" + bash(commands)
        case "fish": fish(commands)
        default: nil
        }
    }

    private static func bash(_ commands: [CommandSpec]) -> String {
        let firsts = unique(commands.compactMap(\.words.first))
        var cases = ""
        for command in commands {
            let words = (command.options + CommandSpec.Option.common).map { "--\($0.long)" }.joined(
                separator: " ")
            cases += "        \"\(command.name)\") options=\"\(words)\"; operands=\"\(source(command))\" ;;\n"
        }
        var families = ""
        for first in firsts {
            let seconds = commands.filter { $0.words.first == first && $0.words.count > 1 }.map {
                $0.words[1]
            }
            if !seconds.isEmpty {
                // `keep` is a command, and so is `keep song`.
                let own = commands.contains { $0.words == [first] } ? " own=1" : ""
                families += "        \(first)) seconds=\"\(seconds.joined(separator: " "))\"\(own) ;;\n"
            }
        }
        return """
            # Completion for aircheck; made by `aircheck completions bash`.
            _aircheck() {
                local word="${COMP_WORDS[COMP_CWORD]}" first="${COMP_WORDS[1]}" second="${COMP_WORDS[2]}"
                local seconds="" options="" operands="" own="" more="" name="$first"
                COMPREPLY=()
                if [ "$COMP_CWORD" -eq 1 ]; then
                    COMPREPLY=($(compgen -W "\(firsts.joined(separator: " "))" -- "$word"))
                    return
                fi
                case "$first" in
            \(families)    esac
                if [ -n "$seconds" ]; then
                    if [ "$COMP_CWORD" -eq 2 ] && [ -z "$own" ]; then
                        COMPREPLY=($(compgen -W "$seconds" -- "$word"))
                        return
                    fi
                    case " $seconds " in
                        *" $second "*) [ "$COMP_CWORD" -eq 2 ] || name="$first $second" ;;
                        *) [ -n "$own" ] || name="$first $second" ;;
                    esac
                    [ "$COMP_CWORD" -ne 2 ] || more="$seconds"
                fi
                case "$name" in
            \(cases)    esac
                case "$word" in
                    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
                    *)
                        case "$operands" in
                            station) COMPREPLY=($(compgen -W "$more $(aircheck stations list --ids 2>/dev/null)" -- "$word")) ;;
                            file) COMPREPLY=($(compgen -f -- "$word")) ;;
                            folder) COMPREPLY=($(compgen -d -- "$word")) ;;
                            *) COMPREPLY=($(compgen -W "$operands" -- "$word")) ;;
                        esac ;;
                esac
            }
            complete -F _aircheck aircheck

            """
    }

    private static func fish(_ commands: [CommandSpec]) -> String {
        var lines = [
            "# Completion for aircheck; made by `aircheck completions fish`.", "complete -c aircheck -f",
        ]
        for first in unique(commands.compactMap(\.words.first)) {
            let summary = commands.first { $0.words == [first] }?.summary ?? "\(first) commands"
            lines.append("complete -c aircheck -n __fish_use_subcommand -a \(first) -d '\(quoted(summary))'")
        }
        for command in commands {
            let seen = "'__fish_seen_subcommand_from \(command.words[0])'"
            if command.words.count > 1 {
                lines.append(
                    "complete -c aircheck -n \(seen) -a \(command.words[1]) -d '\(quoted(command.summary))'")
            }
            if source(command) == "station" {
                lines.append(
                    "complete -c aircheck -n \(seen) -a '(aircheck stations list --ids 2>/dev/null)'")
            }
            for option in command.options {
                let value = option.value == nil ? "" : " -r"
                lines.append(
                    "complete -c aircheck -n \(seen) -l \(option.long)\(value) -d '\(quoted(option.help))'")
            }
        }
        return unique(lines).joined(separator: "\n") + "\n"
    }

    /// What the shell offers for the first operand.
    private static func source(_ command: CommandSpec) -> String {
        switch command.operands.first?.completion {
        case .station: "station"
        case .file: "file"
        case .folder: "folder"
        case .words(let words): words.joined(separator: " ")
        case nil, .some(.none): ""
        }
    }

    private static func quoted(_ text: String) -> String {
        text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'")
    }

    private static func unique(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }
    }
}
