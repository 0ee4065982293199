internal import Catalogue
internal import Configuration
internal import Platform

/// The catalogue of the station files, for commands that run without a service.
enum LocalCatalogue {
    /// Reads the files. A file that is wrong is told on standard error and left out.
    static func open(_ invocation: Invocation) throws -> StationCatalogue {
        let folders = try SettingsFile.folders(invocation)
        let catalogue = try StationCatalogue(folders: folders.stationFolders(program: Program.path))
        if !invocation.quiet {
            for problem in catalogue.problems {
                Terminal.note("warning: \(TerminalText.escaped(problem.description))")
            }
        }
        return catalogue
    }
}
