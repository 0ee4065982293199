/// Keeping what is heard.
enum RecordCommands {
    static let all: [CommandSpec] = [RecordCommand.spec] + RecordingsCommands.all + ScheduleCommands.all
}
