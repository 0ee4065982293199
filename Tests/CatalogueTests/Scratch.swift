import Foundation

@testable import Catalogue
import Store
import StreamFormats

/// A folder of its own for each test, gone with it.
final class Scratch: Sendable {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory.appendingPathComponent("aircheck-\(UUID().uuidString)")
            .path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        let file = path + "/" + name
        let folder = (file as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    func database() throws -> Database {
        try Database.open(path + "/aircheck.db", schemas: [StationCatalogue.schema])
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
