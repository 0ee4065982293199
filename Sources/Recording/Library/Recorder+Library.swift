package import Platform

/// What can be done with recordings that are over. All of it blocks: not on a reactor loop, not on the cooperative pool.
extension Recorder {
    /// Proves that the files hold what was written.
    package func verify(_ facts: RecordingFacts) -> VerifyReport { Verifier(disk: disk).verify(facts) }

    /// Takes a recording apart into tracks anew; nothing that is there is touched.
    /// - Returns: the tracks in order.
    package func recut(_ facts: RecordingFacts, into request: TrackRequest) throws(RecordingError)
        -> [RecordedTrack]
    {
        do throws(SystemError) {
            return try Recut(
                facts: facts, request: request, disk: disk, cutter: cutter, titleLag: facts.titleLag ?? 0
            )
            .run()
        } catch {
            throw .folder(request.folder, reason: error.description)
        }
    }

    /// Writes what a station had on the air between two moments to a new file, out of recordings that hold it.
    /// - Returns: nil where nothing of it is held.
    package func export(
        _ recordings: [RecordingFacts], from: WallTime, to: WallTime, target: RecordingRequest.Target,
        overwrite: Bool = false
    ) throws(RecordingError) -> RecordingFacts? {
        try SpanExport(disk: disk, tagBytes: settings.tagBytes).run(
            recordings, from: from, to: to, target: target, overwrite: overwrite, time: time)
    }

    /// Renames the files of a recording; the extension and the place stay.
    /// - Returns: the facts under the new name, kept in the journal.
    package func rename(_ facts: RecordingFacts, to name: String) throws(RecordingError) -> RecordingFacts {
        guard status(facts.id) == nil else { throw .other("a running recording cannot be renamed") }
        do throws(SystemError) {
            let renamed = try FileShelf(disk: disk).rename(facts, to: SafeName.component(name))
            journal.keep(renamed)
            return renamed
        } catch {
            throw .folder(facts.folder, reason: error.description)
        }
    }

    /// Deletes the files of a recording, with all that lies beside them. What is not there any more is no error.
    package func delete(_ facts: RecordingFacts) throws(RecordingError) {
        guard status(facts.id) == nil else { throw .other("a running recording cannot be deleted") }
        do throws(SystemError) { try FileShelf(disk: disk).delete(facts) } catch {
            throw .folder(facts.folder, reason: error.description)
        }
    }

    /// Marks a recording as one that retention never deletes, or takes the mark away.
    package func protect(_ facts: RecordingFacts, _ keep: Bool) -> RecordingFacts {
        var facts = facts
        facts.keep = keep
        FileShelf(disk: disk).writeSidecar(facts)
        journal.keep(facts)
        return facts
    }
}

/// The files of a recording as things that lie in a folder.
struct FileShelf {
    let disk: any Disk

    /// What may lie beside a file of ours under its name.
    private static let companions = [".json", ".cue"]

    func delete(_ facts: RecordingFacts) throws(SystemError) {
        if !facts.parts.isEmpty { try delete(facts.parts.map(\.name), in: facts.folder, below: []) }
        for track in facts.tracks {
            guard let name = track.name, let root = facts.trackFolder else { continue }
            try delete([name], in: root, below: track.folders)
        }
    }

    private func delete(_ names: [String], in root: String, below: [String]) throws(SystemError) {
        let folder = try disk.folder(root, below: below, creating: false)
        for name in names {
            let stem = Sidecar.stem(of: name)
            for victim in [name] + Self.companions.map({ stem + $0 }) where folder.contains(victim) {
                try folder.remove(victim)
            }
        }
        try folder.synchronize()
    }

    func rename(_ facts: RecordingFacts, to stem: String) throws(SystemError) -> RecordingFacts {
        var facts = facts
        let folder = try disk.folder(facts.folder, below: [], creating: false)
        let oldSidecar = facts.fileName.map(Sidecar.name)
        for index in facts.parts.indices {
            let old = facts.parts[index].name
            let oldStem = Sidecar.stem(of: old)
            let part = index == 0 ? stem : "\(stem) (part \(index + 1))"
            let name = try FileNaming.finish(old, as: part + old.dropFirst(oldStem.count), in: folder)
            facts.parts[index].name = name
            if folder.contains(oldStem + ".cue") {
                try folder.rename(oldStem + ".cue", to: Sidecar.stem(of: name) + ".cue", replacing: true)
            }
        }
        writeSidecar(facts)
        if let oldSidecar, oldSidecar != facts.fileName.map(Sidecar.name), folder.contains(oldSidecar) {
            try folder.remove(oldSidecar)
        }
        try folder.synchronize()
        return facts
    }

    func writeSidecar(_ facts: RecordingFacts) {
        guard let name = facts.fileName,
            let folder = try? disk.folder(facts.folder, below: [], creating: false)
        else {
            return
        }
        do throws(SystemError) {
            try SidecarFile(folder: folder).write(facts, named: Sidecar.name(for: name), durably: true)
        } catch {
            Log.warning(
                "recording", "the sidecar could not be written",
                ["recording": facts.id.text, "error": error.description])
        }
    }
}
