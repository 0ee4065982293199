internal import Catalogue
internal import Configuration
internal import JSONText
internal import Platform

/// `aircheck config check|show`
enum ConfigCommand {
    static func check(_ invocation: Invocation) throws {
        let loaded = try SettingsFile.load(invocation)
        let files = loaded.files.isEmpty ? ["built-in defaults"] : loaded.files
        if !invocation.quiet { files.forEach { Terminal.print("settings: \($0): fine") } }
        try StationFilesCheck.run(invocation, loaded.settings)
    }

    static func show(_ invocation: Invocation) throws {
        let loaded = try SettingsFile.load(invocation)
        if invocation.json {
            return Terminal.print(
                .object(
                    SettingTable.settings.map { setting in
                        .init(
                            setting.name,
                            [
                                "value": .string(setting.show(loaded.settings)),
                                "from": .string(loaded.origin(of: setting).description),
                            ])
                    }))
        }
        Terminal.table(
            SettingTable.settings.map { setting in
                [setting.name, setting.show(loaded.settings), loaded.origin(of: setting).description]
            })
    }
}
