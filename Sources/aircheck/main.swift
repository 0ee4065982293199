import AircheckCLI
import Glibc
import Platform

// Before any thread: they inherit the signal mask.
Signals.takeOver()
exit(CommandLineTool.run(Array(CommandLine.arguments.dropFirst())))
