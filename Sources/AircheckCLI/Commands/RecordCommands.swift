/// Keeping what is heard.
enum RecordCommands {
    static let all: [CommandSpec] =
        [RecordCommand.spec] + KeepCommands.all + RecordingsCommands.all + RecordingWorkCommands.all
        + ScheduleCommands.all
}
