internal import Catalogue
internal import Configuration
internal import Platform

/// The station files' part of `config check`.
enum StationFilesCheck {
    static func run(_ invocation: Invocation, _ settings: Settings) throws {
        let folders = Folders(settings, environment: Environment.all).stationFolders(program: Program.path)
        let catalogue = try StationCatalogue(folders: folders)
        if !invocation.quiet {
            Terminal.print(
                "stations: \(catalogue.snapshot.stations.count) in \(folders.joined(separator: ", "))")
        }
        for problem in catalogue.problems { Terminal.print(TerminalText.escaped(problem.description)) }
        guard catalogue.problems.isEmpty else {
            throw CommandFailure(
                .configuration, "\(CountText.text(catalogue.problems.count, "problem")) in the station files")
        }
    }
}
