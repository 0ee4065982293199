internal import Configuration
internal import MediaHelper
internal import Platform

/// The settings as a command sees them: the file that `--config` names, or the usual ones.
enum SettingsFile {
    /// - Throws: `CommandFailure` with `.configuration`, naming every file, line and key that is wrong.
    static func load(
        _ invocation: Invocation, flags: [(name: String, value: String)] = []
    ) throws -> LoadedSettings {
        do {
            let loaded = try ConfigurationLoader(environment: Environment.all).load(
                file: invocation.text("config"), flags: flags)
            HelperBinary.choose(loaded.settings.paths.mediaHelper)
            return loaded
        } catch {
            throw CommandFailure(
                .configuration, "the settings are not right:\n\(error)",
                remedy: "`aircheck config check` looks at them again.")
        }
    }

    static func folders(_ invocation: Invocation) throws -> Folders {
        Folders(try load(invocation).settings, environment: Environment.all)
    }
}
