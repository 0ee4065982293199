internal import Platform
internal import StreamFormats

/// Where the files of one recording go: decided once, when its first audio is there.
struct FilePlace: Sendable {
    let disk: any Disk
    private let target: RecordingRequest.Target
    private let overwrite: Bool
    private var values: NameValues
    private var chosen: (folder: any DiskFolder, stem: String)?
    private var partCount = 0
    /// The round time that the file is named after, where it begins at one.
    private let nominalStart: WallTime?

    init(
        _ target: RecordingRequest.Target, overwrite: Bool, values: NameValues, disk: any Disk,
        nominalStart: WallTime? = nil
    ) {
        self.nominalStart = nominalStart
        self.target = target
        self.overwrite = overwrite
        self.values = values
        self.disk = disk
    }

    /// Another file beside those of an interrupted recording.
    init(
        continuing facts: RecordingFacts, target: RecordingRequest.Target, values: NameValues, disk: any Disk
    )
        throws(SystemError)
    {
        self.init(target, overwrite: false, values: values, disk: disk)
        chosen = (
            try disk.folder(facts.folder, below: [], creating: false),
            Sidecar.stem(of: facts.fileName ?? SafeName.untitled)
        )
        partCount = facts.parts.count
    }

    /// The folder that must be there before anything is recorded.
    var rootPath: String { target.folder }

    /// True where the file that was asked for is there and may not be replaced.
    func isTaken(in root: any DiskFolder) -> Bool {
        guard case .whole(let path) = target, !overwrite else { return false }
        return root.contains(Self.split(path).name)
    }

    /// True where the file that may be replaced is being written by another recording.
    func isBusy(in root: any DiskFolder) -> Bool {
        guard case .whole(let path) = target, overwrite,
            let file = try? root.open(Self.split(path).name, forWriting: true)
        else { return false }
        return !file.claim()
    }

    /// Makes the next file: the first, or another part after the disk broke or the codec changed.
    mutating func create(_ format: AudioFormat, started: WallTime) throws(SystemError) -> (
        folder: any DiskFolder, made: FileNaming.Made
    ) {
        values.start = nominal(started)
        values.codec = format.codec
        let (folder, made) = try makeSomewhere(format)
        // Whoever tidies up after a crash must see that this one is alive.
        _ = made.file.claim()
        partCount += 1
        return (folder, made)
    }

    /// A folder that has just been found empty may have been removed before the file was made in it.
    private mutating func makeSomewhere(
        _ format: AudioFormat
    ) throws(SystemError) -> (folder: any DiskFolder, made: FileNaming.Made) {
        let (folder, stem) = try choose()
        do {
            return (folder, try make(format, in: folder, stem: stem))
        } catch {
            guard error.code == DiskCode.missing, partCount == 0, case .library = target else { throw error }
            chosen = nil
            let (folder, stem) = try choose()
            return (folder, try make(format, in: folder, stem: stem))
        }
    }

    /// The round time that the file begins at; the time of its first sound where the station was silent then.
    private func nominal(_ started: WallTime) -> WallTime {
        guard let nominalStart, started < nominalStart.advanced(bySeconds: Self.nominalReach) else {
            return started
        }
        return nominalStart
    }

    /// Seconds after a round time within which a file's first sound belongs to it.
    private static let nominalReach = 60.0

    private mutating func choose() throws(SystemError) -> (folder: any DiskFolder, stem: String) {
        if let chosen { return chosen }
        let choice: (folder: any DiskFolder, stem: String)
        switch target {
        case .whole(let path):
            let (folder, name) = Self.split(path)
            choice = (try disk.folder(folder, below: [], creating: false), Sidecar.stem(of: name))
        case .library(let root, let template):
            let (folders, stem) = template.path(values)
            choice = (try disk.folder(root, below: folders, creating: true), stem)
        }
        chosen = choice
        return choice
    }

    private func make(
        _ format: AudioFormat, in folder: any DiskFolder, stem: String
    ) throws(SystemError) -> FileNaming.Made {
        let part = partCount == 0 ? stem : "\(stem) (part \(partCount + 1))"
        switch target {
        case .library:
            return try FileNaming.create(part, extension: format.fileExtension, in: folder)
        case .whole(let path):
            let name = Self.split(path).name
            // Of the others nobody has said that they may be replaced.
            if partCount > 0 {
                return try FileNaming.createWhole(
                    part, name.dropFirst(Sidecar.stem(of: name).count), in: folder)
            }
            let file =
                overwrite ? try Self.replace(name, in: folder) : try folder.create(name, replacing: false)
            return FileNaming.Made(file: file, name: name, finalName: name)
        }
    }

    /// Empties the file that is there, once it is known that nobody is writing to it.
    private static func replace(_ name: String, in folder: any DiskFolder) throws(SystemError) -> any DiskFile
    {
        guard folder.contains(name) else { return try folder.create(name, replacing: false) }
        let file = try folder.open(name, forWriting: true)
        guard file.claim() else {
            throw SystemError(
                code: DiskCode.busy, while: "replacing \(folder.path)/\(name), which is being recorded")
        }
        try file.truncate(to: 0)
        return file
    }

    /// The folder and the name of a path as a person wrote it.
    static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = String(path[..<slash])
        return (folder.isEmpty ? "/" : folder, String(path[path.index(after: slash)...]))
    }
}
