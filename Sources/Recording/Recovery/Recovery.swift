internal import Platform
internal import StreamFormats

/// Closes what a crash left open: every file gets its true length, its tags and its name, and is marked interrupted.
///
/// A file that is being written is locked by its writer, and left alone.
struct Recovery {
    let disk: any Disk
    let journal: any RecordingJournal
    let time: any TimeSource

    /// The state stands near the front of a sidecar: the rest need not be read to know it.
    private static let peekLength = 400

    /// What was found in a folder.
    struct Found {
        var closed: [RecordingFacts] = []
        /// Those of a library whose ADTS has not become M4A.
        var unconverted: [RecordingFacts] = []
    }

    /// Closes what lies in `root`.
    /// - Parameter isDeep: looks into its folders too.
    func close(in root: String, isDeep: Bool) -> Found {
        let folders = LibraryWalk(disk: disk).folders(in: root, isDeep: isDeep)
        let signs = OwnFiles(folders)
        var found = Found()
        for (folder, entries) in folders { found.unconverted += tidy(entries, in: folder, signs) }
        // Those that are known of first: a track's file may lie in another folder than what tells of it.
        var known = Set(
            journal.unfinished().flatMap { open in open.parts.map { "\(open.folder)/\($0.name)" } })
        for (folder, entries) in folders { closeKnown(entries, in: folder, &known, &found) }
        for (folder, entries) in folders { found.closed += adopt(entries, in: folder, known, signs) }
        return found
    }

    /// Tracks get their names back that a killed program gave others while it cut anew; a copy with a larger tag that it
    /// did not end goes, and so does an M4A. What another program is making is left alone.
    /// - Returns: the finished recordings whose M4A that was.
    private func tidy(
        _ entries: [FolderEntry], in folder: any DiskFolder, _ signs: OwnFiles
    ) -> [RecordingFacts] {
        var unconverted: [RecordingFacts] = []
        for entry in entries where entry.kind == .file {
            if let track = audioName(entry.name, without: TracksAside.suffix) {
                guard signs.isOurs(entry.name, as: track, in: folder) else { continue }
                putBack(entry.name, as: track, in: folder)
            } else if let copied = audioName(entry.name, without: SidecarFile.temporarySuffix) {
                guard signs.isOurs(entry.name, as: copied, in: folder) else { continue }
                _ = folder.removeLeft(entry.name)
            } else if let made = audioName(entry.name, without: FileNaming.partSuffix),
                made.hasSuffix(".m4a"), let facts = source(of: made, in: folder),
                folder.removeLeft(entry.name)
            {
                unconverted.append(facts)
            }
        }
        return unconverted
    }

    private func putBack(_ aside: String, as track: String, in folder: any DiskFolder) {
        guard let file = try? folder.claimed(aside) else { return }
        withExtendedLifetime(file) { try? folder.rename(aside, to: track, replacing: true) }
    }

    /// The finished recording that an M4A was being made of.
    private func source(of name: String, in folder: any DiskFolder) -> RecordingFacts? {
        let adts = Sidecar.stem(of: name) + ".aac"
        guard folder.contains(adts),
            let facts = SidecarFile(folder: folder).read(named: Sidecar.name(for: name)),
            facts.state == .finished || facts.state == .interrupted,
            facts.parts.contains(where: { $0.name == adts })
        else { return nil }
        return facts
    }

    private func audioName(_ name: String, without suffix: String) -> String? {
        guard name.hasSuffix(suffix) else { return nil }
        let inner = String(name.dropLast(suffix.count))
        let stem = Sidecar.stem(of: inner)
        return !stem.isEmpty && AudioExtension.all.contains(String(inner.dropFirst(stem.count + 1)))
            ? inner : nil
    }

    /// - Parameter known: gets the paths of all files that an open sidecar tells of.
    private func closeKnown(
        _ entries: [FolderEntry], in folder: any DiskFolder, _ known: inout Set<String>, _ found: inout Found
    ) {
        for entry in entries where entry.kind == .file && entry.name.hasSuffix(".json") {
            guard isOpen(entry.name, in: folder),
                let facts = SidecarFile(folder: folder).read(named: entry.name)
            else {
                continue
            }
            for part in facts.parts { known.insert(folder.path + "/" + part.name) }
            for track in facts.openTracks {
                known.insert(
                    ([facts.trackFolder ?? folder.path] + track.folders + [track.name ?? ""]).joined(
                        separator: "/"))
            }
            guard let done = close(facts, in: folder, sidecar: entry.name) else { continue }
            found.closed.append(done)
            // One that `--whole` named is what it was asked to be.
            if facts.parts.contains(where: { $0.name.hasSuffix(FileNaming.partSuffix) }) {
                found.unconverted.append(done)
            }
        }
    }

    private func adopt(
        _ entries: [FolderEntry], in folder: any DiskFolder, _ known: Set<String>, _ signs: OwnFiles
    ) -> [RecordingFacts] {
        entries.filter { $0.kind == .file && !known.contains(folder.path + "/" + $0.name) }.compactMap {
            entry in
            guard let facts = adopted(entry.name, in: folder) else { return nil }
            guard signs.hasMark(entry.name, in: folder) else {
                // Other programs name their downloads like that, and nothing keeps us from one that runs.
                Log.info(
                    "recording", "a file that looks unfinished, and is not known to be ours, is left alone",
                    ["file": "\(folder.path)/\(entry.name)"])
                return nil
            }
            let sidecar = Sidecar.name(for: String(entry.name.dropLast(FileNaming.partSuffix.count)))
            return close(facts, in: folder, sidecar: sidecar)
        }
    }

    private func isOpen(_ sidecar: String, in folder: any DiskFolder) -> Bool {
        guard let file = try? folder.open(sidecar, forWriting: false),
            let start = try? file.read(Self.peekLength, at: 0)
        else { return false }
        return String(decoding: start, as: UTF8.self).contains("\"state\": \"recording\"")
    }

    /// A file of ours that nothing is known of.
    private func adopted(_ name: String, in folder: any DiskFolder) -> RecordingFacts? {
        guard let final = audioName(name, without: FileNaming.partSuffix),
            !folder.contains(Sidecar.name(for: final))
        else { return nil }
        let stem = Sidecar.stem(of: final)
        let wall = time.wall
        return RecordingFacts(
            id: .new(station: "recovered", wall: wall), state: .recording, stationID: "", stationName: stem,
            keep: false,
            started: wall, ended: wall, folder: folder.path,
            parts: [RecordingPart(name: name, startSeconds: 0)],
            titles: [], gaps: [], clock: [])
    }

    /// Closes one that the journal knows of, wherever it lies.
    func close(_ open: RecordingFacts) -> RecordingFacts? {
        guard let name = open.fileName, let folder = try? disk.folder(open.folder, below: [], creating: false)
        else {
            var facts = open
            facts.state = open.seconds > 0 ? .interrupted : .failed
            facts.reason = "its folder is not there any more"
            journal.keep(facts)
            return facts
        }
        let isPart = name.hasSuffix(FileNaming.partSuffix)
        let final = isPart ? String(name.dropLast(FileNaming.partSuffix.count)) : name
        return close(open, in: folder, sidecar: Sidecar.name(for: final))
    }

    /// Closes one recording.
    /// - Returns: nil where it is being written by somebody.
    func close(_ open: RecordingFacts, in folder: any DiskFolder, sidecar: String) -> RecordingFacts? {
        var facts = open
        var files: [(file: any DiskFile, part: RecordingPart)] = []
        guard !TrackRecovery(disk: disk).isAlive(facts) else { return nil }
        for part in facts.parts {
            guard let (file, name) = file(of: part, in: folder) else { continue }
            guard file.claim() else { return nil }
            var part = part
            part.name = name
            files.append((file, part))
        }
        facts.state = .interrupted
        facts.parts = files.map(\.part)
        for index in files.indices { restore(files[index].file, part: index, in: folder, &facts) }
        facts.parts.removeAll { $0.frames == 0 }
        TrackRecovery(disk: disk).close(&facts)
        if facts.parts.isEmpty && facts.tracks.allSatisfy({ $0.name == nil }) {
            facts.state = .failed
            facts.reason = facts.reason ?? "the program ended before any audio was kept"
        }
        facts.ended = ClockMap.wall(at: facts.seconds, in: facts.clock) ?? facts.ended
        keep(facts, in: folder, sidecar: sidecar)
        return facts
    }

    /// It may have got its final name just before the crash.
    private func file(of part: RecordingPart, in folder: any DiskFolder) -> (any DiskFile, String)? {
        if let file = try? folder.open(part.name, forWriting: true) { return (file, part.name) }
        guard part.name.hasSuffix(FileNaming.partSuffix) else { return nil }
        let final = String(part.name.dropLast(FileNaming.partSuffix.count))
        return (try? folder.open(final, forWriting: true)).map { ($0, final) }
    }

    private func restore(
        _ file: any DiskFile, part index: Int, in folder: any DiskFolder, _ facts: inout RecordingFacts
    ) {
        do throws(SystemError) {
            let scan = try FileScan(file)
            guard scan.ledger.frames > 0 else { return try folder.remove(facts.parts[index].name) }
            if try file.facts().size > scan.end { try file.truncate(to: scan.end) }
            facts.format = scan.format ?? facts.format
            fill(&facts.parts[index], scan)
            let before = facts.parts[..<index].reduce(0) { $0 + $1.seconds }
            facts.parts[index].startSeconds = before
            try Finisher(facts: facts).finish(file, head: scan.head, part: index, ledger: scan.ledger)
            try file.synchronize()
            facts.parts[index].bytes = try file.facts().size
            facts.parts[index].name = try finalName(facts.parts[index].name, in: folder)
        } catch {
            facts.reason = error.description
            Log.error(
                "recording", "an interrupted recording could not be closed",
                [
                    "recording": facts.id.text, "error": error.description,
                ])
        }
    }

    private func fill(_ part: inout RecordingPart, _ scan: FileScan) {
        part.seconds = scan.ledger.seconds
        part.frames = scan.ledger.frames
        part.hash = scan.ledger.hash
        part.checkpoints = scan.ledger.checkpoints
        part.audioOffset = scan.audioOffset
        part.isSuspect = part.isSuspect || scan.strayBytes > 0
    }

    private func finalName(_ name: String, in folder: any DiskFolder) throws(SystemError) -> String {
        guard name.hasSuffix(FileNaming.partSuffix) else { return name }
        let final = String(name.dropLast(FileNaming.partSuffix.count))
        return try FileNaming.finish(name, as: final, in: folder)
    }

    private func keep(_ facts: RecordingFacts, in folder: any DiskFolder, sidecar: String) {
        journal.keep(facts)
        do throws(SystemError) {
            if facts.state == .failed {
                if folder.contains(sidecar) { try folder.remove(sidecar) }
            } else {
                try SidecarFile(folder: folder).write(facts, named: sidecar, durably: true)
            }
            try folder.synchronize()
        } catch {
            Log.warning(
                "recording", "the sidecar of an interrupted recording could not be written",
                [
                    "recording": facts.id.text, "error": error.description,
                ])
        }
        Log.info(
            "recording", "an interrupted recording was closed",
            [
                "recording": facts.id.text, "seconds": "\(facts.seconds)", "state": facts.state.rawValue,
            ])
    }
}

/// The extensions that our files have.
enum AudioExtension {
    static let all: Set<String> = ["mp1", "mp2", "mp3", "aac", "m4a", "ogg", "opus", "flac"]
}
