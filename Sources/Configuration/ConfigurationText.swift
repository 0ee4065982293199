/// Texts made from the table of settings: the commented file and the page of documentation.
package enum ConfigurationText {
    /// Comments are broken at this column.
    private static let width = 100

    /// `config/aircheck.toml`: every setting with its default, commented out, so that a file says only what differs.
    package static var sampleFile: String {
        var text = """
            # aircheck.toml: every setting with its default. Take the # away from what you want to change.
            #
            # Read from $XDG_CONFIG_HOME/aircheck/aircheck.toml, else /etc/aircheck/aircheck.toml, then aircheck.d/*.toml
            # beside it. A setting can also be given as AIRCHECK_SECTION_KEY in the environment, which wins over files.
            # `aircheck config check` finds mistakes; `aircheck config show` tells where each value comes from.

            """
        for section in SettingTable.sections {
            text += "\n" + wrapped(section.documentation, prefix: "# ") + "[\(section.name)]\n"
            for setting in SettingTable.settings(of: section.name) {
                text += "\n" + wrapped(setting.documentation, prefix: "# ")
                text += wrapped("(\(note(setting)))", prefix: "# ")
                text += "#\(setting.key) = \(setting.defaultText)\n"
            }
        }
        return text
    }

    /// `docs/configuration.md`.
    package static var page: String {
        var text = pageHead
        for section in SettingTable.sections {
            text += "\n## [\(section.name)]\n\n\(section.documentation)\n\n"
            text += "| setting | kind | default | what it does |\n|---|---|---|---|\n"
            for setting in SettingTable.settings(of: section.name) {
                let restart = setting.reloads ? "" : " *(takes a restart)*"
                text += "| `\(setting.key)` | \(setting.kind) | `\(setting.defaultText)` | "
                text += "\(setting.documentation)\(restart) |\n"
            }
        }
        return text
    }

    /// The configuration in force with the origin of each value, for `aircheck config show`.
    package static func effective(_ loaded: LoadedSettings) -> String {
        var text = ""
        for section in SettingTable.sections {
            text += "\(text.isEmpty ? "" : "\n")[\(section.name)]\n"
            for setting in SettingTable.settings(of: section.name) {
                let origin = loaded.origin(of: setting)
                text += "\(setting.key) = \(setting.show(loaded.settings))"
                text += origin == .builtIn ? "\n" : "  # \(origin)\n"
            }
        }
        return text
    }

    private static func note(_ setting: Setting) -> String {
        setting.kind + (setting.reloads ? "" : "; takes a restart")
    }

    /// Lines of at most `width` columns, each with its newline.
    private static func wrapped(_ text: String, prefix: String) -> String {
        var lines: [String] = []
        var line = prefix
        for word in text.split(separator: " ") {
            if line.count + word.count > width && line != prefix {
                lines.append(line)
                line = prefix
            }
            line += (line == prefix ? "" : " ") + word
        }
        return (lines + [line]).map { $0 + "\n" }.joined()
    }

    private static let pageHead = """
        # Settings

        This page is made from the same table that reads the file; a test holds the two together.

        aircheck works without any file. What it reads, later ones winning:

        1. what is built in;
        2. `aircheck.toml`: the file named by `--config` or `AIRCHECK_CONFIG`, else
           `$XDG_CONFIG_HOME/aircheck/aircheck.toml`, else `/etc/aircheck/aircheck.toml`; then the `*.toml` files of the
           folder `aircheck.d` beside it, in the order of their names;
        3. the environment: `AIRCHECK_SERVER_PORT` for `server.port`, and so on. Lists are separated by commas;
        4. flags of the command.

        A key that does not exist, a value of the wrong kind or out of range is an error with file, line, column and key;
        the service then does not start, and a reload keeps what was in force. `aircheck config check` reports every
        mistake at once, `aircheck config show` prints what is in force and where each value came from. What the web page
        and the command line change is kept in the database, never written into these files.

        Durations are texts such as `"250ms"`, `"30s"`, `"15m"`, `"1h30m"`, `"2d"`; sizes are texts such as `"512 KiB"`,
        `"2 GiB"`, or whole numbers of bytes.

        ## Folders

        | what | setting | under systemd | else |
        |---|---|---|---|
        | database, backups | `paths.data` | `$STATE_DIRECTORY` | `$XDG_DATA_HOME/aircheck` (`~/.local/share/aircheck`) |
        | recordings | `paths.recordings` | `$STATE_DIRECTORY/recordings` | `aircheck` in the Music folder |
        | cache | `paths.cache` | `$CACHE_DIRECTORY` | `$XDG_CACHE_HOME/aircheck` (`~/.cache/aircheck`) |
        | control socket | `server.socket` | `$RUNTIME_DIRECTORY/control.sock` | `$XDG_RUNTIME_DIR/aircheck/control.sock` |

        One service uses a data folder at a time; a second one says so and ends.

        """
}
