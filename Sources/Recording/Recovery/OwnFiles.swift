internal import Platform

/// Tells our files in a folder from those of others: by our mark in their tag, or by a sidecar of ours that names them.
final class OwnFiles {
    /// Longer tags are none of ours.
    private static let tagLimit = 4 << 20

    private let folders: [(folder: any DiskFolder, entries: [FolderEntry])]
    /// The paths that sidecars name. Read when it is asked for, which is rare: every sidecar has to be.
    private lazy var named = Set(folders.flatMap(paths))

    init(_ folders: [(folder: any DiskFolder, entries: [FolderEntry])]) { self.folders = folders }

    /// - Parameter finalName: the name that it has when nothing is being done with it.
    func isOurs(_ name: String, as finalName: String, in folder: any DiskFolder) -> Bool {
        hasMark(name, in: folder) || named.contains("\(folder.path)/\(finalName)")
    }

    /// Whether its tag says that we made it. Only MP3 has such a tag from its first byte on; others have a sidecar from the
    /// moment at which they were begun.
    func hasMark(_ name: String, in folder: any DiskFolder) -> Bool {
        guard let file = try? folder.open(name, forWriting: false),
            let start = try? file.read(ID3.headerLength, at: 0)
        else { return false }
        let length = ID3.length(ofTagAt: start)
        guard length > 0, length <= Self.tagLimit, let bytes = try? file.read(length, at: 0) else {
            return false
        }
        return ID3.read(bytes)?["TXXX:AIRCHECK_ID"] != nil
    }

    private func paths(_ folder: any DiskFolder, _ entries: [FolderEntry]) -> [String] {
        entries.filter { $0.kind == .file && $0.name.hasSuffix(".json") }.flatMap { entry -> [String] in
            guard let facts = SidecarFile(folder: folder).read(named: entry.name) else { return [] }
            return facts.parts.map { "\(folder.path)/\($0.name)" } + facts.keptTracks.map(facts.path)
        }
    }
}
