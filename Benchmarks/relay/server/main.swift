BenchServer.run(CommandLine.arguments)
