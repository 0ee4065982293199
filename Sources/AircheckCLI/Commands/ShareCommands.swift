/// Giving stations to others.
enum ShareCommands {
    static let all: [CommandSpec] = [RelayCommand.spec, AvahiCommand.spec]
}
