internal import Catalogue
internal import JSONText
internal import Platform

/// Stations from other programs, and for them.
enum StationExchange {
    /// What is read of a file at most, in bytes.
    private static let limit = StationImport.longest

    static func export(_ invocation: Invocation) throws {
        let word = invocation.text("format") ?? "toml"
        guard let format = StationFormat(rawValue: word) else {
            throw invocation.usage(
                "--format \(word): write \(StationFormat.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        if let client = try ServiceClient.find(invocation) {
            let path = "/api/v1/stations/export?format=\(word)&" + StationListing.parameters(invocation, "")
            return Terminal.print(try client.text(path))
        }
        let found = try LocalCatalogue.open(invocation).snapshot.all(StationListing.query(invocation, ""))
        Terminal.print(StationExport.text(found.map(\.entry), as: format))
    }

    static func importFile(_ invocation: Invocation) throws {
        let path = try invocation.required(0)
        let (found, text) = try read(path)
        for refused in found.refused { Terminal.note("left out: \(TerminalText.escaped(refused))") }
        if invocation.has("dry-run") {
            for entry in found.entries {
                Terminal.print(
                    TerminalText.escaped(
                        "\(entry.id)  \(entry.station.name)  \(entry.station.urls.first ?? "")"))
            }
            return
        }
        let answer = try ServiceClient.require(invocation).send(
            "POST", "/api/v1/stations/import", ["text": .string(text), "name": .string(path)], timeout: 300)
        if invocation.json { return Terminal.print(answer) }
        let (added, known) = (answer["added"]?.array?.count ?? 0, answer["known"]?.int ?? 0)
        if !invocation.quiet {
            Terminal.note("\(CountText.text(added, "station")) added, \(known) were there already")
        }
    }

    /// What is in a file, and its text for the service: its own, or where that is no UTF-8 what was read of it.
    private static func read(_ path: String) throws -> (StationImport, text: String) {
        do {
            let bytes = try Files.read(path, limit: limit)
            let found = try StationImport.read(bytes, name: path)
            let text = String(validating: bytes, as: UTF8.self)
            return (found, text ?? StationExport.text(found.identified, as: .toml))
        } catch let error as SystemError {
            throw CommandFailure(.noInput, error.description)
        } catch let error as CatalogueError {
            throw CommandFailure(.badData, error.description)
        }
    }
}
