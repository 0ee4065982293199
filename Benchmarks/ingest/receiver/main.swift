Receiver.run(Array(CommandLine.arguments.dropFirst()))
