internal import AircheckDaemon
internal import JSONText
internal import Platform

/// Running the service and looking after it.
enum OperateCommands {
    static let all: [CommandSpec] =
        [
            ServeCommand.spec,
            CommandSpec("status", "what the service is doing: stations, readers, listeners, recordings") {
                try StatusCommand.run($0)
            },
            DoctorCommand.spec,
            CommandSpec(
                "config check",
                "read the settings and the station files and say what is wrong, with line and key"
            ) { try ConfigCommand.check($0) },
            CommandSpec("config show", "print every setting as it is in force") {
                try ConfigCommand.show($0)
            },
            PairCommand.spec,
        ] + TokenCommands.all + [
            DemoStationCommand.spec,
            CommandSpec(
                "completions", "print the completion script of a shell",
                operands: [
                    .required("SHELL", "bash, zsh or fish", completion: .words(ShellCompletions.shells))
                ]
            ) { invocation in
                let shell = try invocation.required(0)
                guard let script = ShellCompletions.script(for: shell, CommandTable.commands) else {
                    throw invocation.usage("completions \(shell): write bash, zsh or fish")
                }
                Terminal.print(script)
            },
            CommandSpec("manual", "print the manual page: `aircheck manual | man -l -`") { _ in
                Terminal.print(ManualPage.roff(CommandTable.groups, version: Product.version))
            },
            CommandTable.version,
        ]
}
