/// Every command there is.
package enum CommandTable {
    package static let groups: [CommandGroup] = [
        CommandGroup(title: "Listen", commands: PlayerCommands.all),
        CommandGroup(title: "Record", commands: RecordCommands.all),
        CommandGroup(title: "Stations", commands: StationCommands.all),
        CommandGroup(title: "Share", commands: ShareCommands.all),
        CommandGroup(title: "Operate", commands: OperateCommands.all),
    ]

    package static var commands: [CommandSpec] { groups.flatMap(\.commands) }

    static let version = CommandSpec("version", "say which aircheck this is") { invocation in
        VersionCommand.run(invocation)
    }
}
