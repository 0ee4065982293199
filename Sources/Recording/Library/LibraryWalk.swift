internal import Platform

/// Goes through a folder of recordings and the folders in it.
struct LibraryWalk {
    /// Deeper than any name template of ours makes folders.
    private static let depthLimit = 8

    let disk: any Disk

    /// The folder and those in it, each with what it holds. What cannot be opened is left out.
    /// - Parameter isDeep: looks into its folders too.
    func folders(in root: String, isDeep: Bool) -> [(folder: any DiskFolder, entries: [FolderEntry])] {
        var found: [(folder: any DiskFolder, entries: [FolderEntry])] = []
        collect(root, below: [], isDeep: isDeep, &found)
        return found
    }

    private func collect(
        _ root: String, below: [String], isDeep: Bool,
        _ found: inout [(folder: any DiskFolder, entries: [FolderEntry])]
    ) {
        guard let folder = try? disk.folder(root, below: below, creating: false),
            let entries = try? folder.entries()
        else { return }
        found.append((folder, entries))
        guard isDeep, below.count < Self.depthLimit else { return }
        for entry in entries where entry.kind == .folder {
            collect(root, below: below + [entry.name], isDeep: isDeep, &found)
        }
    }

    /// What the sidecars in the folder and the folders in it say. Reads all of them.
    func sidecars(in root: String) -> [RecordingFacts] {
        folders(in: root, isDeep: true).flatMap { folder, entries in
            entries.filter { $0.kind == .file && $0.name.hasSuffix(".json") }
                .compactMap { SidecarFile(folder: folder).read(named: $0.name) }
        }
    }
}
