import Foundation
import Store
import StreamFormats
import TestPrograms

@testable import Catalogue

extension TemporaryFolder {
    func database() throws -> Database {
        try Database.open(path("aircheck.db"), schemas: [StationCatalogue.schema])
    }
}

/// The top of the source tree.
let projectFolder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

/// A `[[station]]` table.
func table(_ id: String, _ name: String, more: String = "") -> String {
    "[[station]]\nid = \"\(id)\"\nname = \"\(name)\"\nurls = [\"http://radio.example/\(id)\"]\n\(more)\n"
}

func entry(_ id: String, _ name: String) -> StationEntry {
    StationEntry(Station(id: id, name: name, urls: ["http://radio.example/\(id)"]))
}
