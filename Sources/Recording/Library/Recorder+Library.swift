package import Platform

/// Hears how much of a long job is done, 0 to 1, and may end it by throwing.
package typealias ProgressReport = (Double) throws(SystemError) -> Void

/// What can be done with recordings that are over. All of it blocks: not on a reactor loop, not on the cooperative pool.
extension Recorder {
    /// Proves that the files hold what was written.
    /// - Throws: what `progress` throws, with ECANCELED.
    package func verify(
        _ facts: RecordingFacts, progress: @escaping ProgressReport = { _ in }
    ) throws(SystemError) -> VerifyReport {
        try Verifier(disk: disk, progress: progress).verify(facts)
    }

    /// Takes a recording apart into tracks anew. The whole stays as it is; tracks that there are give way to the new
    /// ones, and stay where those could not be made.
    ///
    /// Where there is no whole the old tracks are the only audio: rules that would leave some of it out are refused.
    /// - Returns: the facts with the new tracks, kept in the journal and the sidecar.
    package func recut(
        _ facts: RecordingFacts, into request: TrackRequest,
        progress: @escaping ProgressReport = { _ in }
    ) throws(RecordingError) -> RecordingFacts {
        guard status(facts.id) == nil else { throw .other("a running recording cannot be cut anew") }
        guard occupied.withLock({ $0.insert(facts.id).inserted }) else { throw Self.isOccupied }
        defer { occupied.withLock { _ = $0.remove(facts.id) } }
        guard let facts = journal.newest(facts) else { throw .noSuchRecording(facts.id.text) }
        var aside = TracksAside(facts, disk: disk)
        let made: Recut.Result
        do throws(SystemError) {
            try aside.take()
            made = try Recut(
                facts: aside.facts, request: request, disk: disk, cutter: cutter,
                titleLag: facts.titleLag ?? 0, pictures: pictures, progress: progress
            )
            .run()
        } catch {
            aside.putBack()
            throw .folder(request.folder, reason: error.description)
        }
        return try settle(facts, aside, made, request)
    }

    private func settle(
        _ facts: RecordingFacts, _ aside: TracksAside, _ made: Recut.Result, _ request: TrackRequest
    ) throws(RecordingError) -> RecordingFacts {
        let (before, after) = (facts.keptTracks, made.tracks.filter { $0.name != nil })
        if facts.parts.isEmpty, after.coveredSeconds < before.coveredSeconds - Self.frameSeconds {
            FileShelf(disk: disk).delete(after, in: request.folder)
            aside.putBack()
            throw .other(
                "these rules leave out audio that no other file holds: there is no whole of this recording")
        }
        aside.remove()
        var moved = facts
        moved.place(made.cuts)
        // Nobody renames or deletes a recording that a job works on.
        if moved.titles != facts.titles {
            ChapterMove(disk: disk, floorBytes: settings.floorBytes).run(&moved)
        }
        let new = amend(facts) { new in
            new.tracks = made.tracks
            new.trackFolder = request.folder
            new.place(made.cuts)
            new.parts = moved.parts
        }
        guard let new else { throw .noSuchRecording(facts.id.text) }
        return new
    }

    /// Two cuts of the same audio differ by less than that.
    private static let frameSeconds = 0.05

    private static let isOccupied = RecordingError.other(
        "a long job is working on this recording; try again when it is done")

    /// Changes what is known of a recording that is over: in the newest facts, for somebody may have renamed or marked it
    /// since `facts` were read.
    /// - Returns: the new facts, which the sidecar and the journal have; nil where it has been deleted.
    func amend(_ facts: RecordingFacts, _ change: (inout RecordingFacts) -> Void) -> RecordingFacts? {
        editing.withLock { _ in
            guard var newest = journal.newest(facts) else { return nil }
            change(&newest)
            FileShelf(disk: disk).writeSidecar(newest)
            journal.keep(newest)
            return newest
        }
    }

    /// Writes what a station had on the air between two moments to a new recording, out of those that hold it.
    /// - Returns: nil where nothing of it is held.
    package func export(
        _ recordings: [RecordingFacts], from: WallTime, to: WallTime, target: RecordingRequest.Target,
        overwrite: Bool = false, progress: @escaping ProgressReport = { _ in }
    ) throws(RecordingError) -> RecordingFacts? {
        try export(SpanExport.pieces(of: recordings, from: from, to: to), target, overwrite, progress)
    }

    /// Writes a span of one recording, in its seconds, to a new one.
    /// - Returns: nil where the recording does not reach there.
    package func export(
        _ recording: RecordingFacts, seconds: ClosedRange<Double>, target: RecordingRequest.Target,
        overwrite: Bool = false, progress: @escaping ProgressReport = { _ in }
    ) throws(RecordingError) -> RecordingFacts? {
        let end = min(seconds.upperBound, recording.audioSeconds)
        guard seconds.lowerBound < end else { return nil }
        let piece = SpanExport.Piece(facts: recording, begin: seconds.lowerBound, end: end)
        return try export([piece], target, overwrite, progress)
    }

    private func export(
        _ pieces: [SpanExport.Piece], _ target: RecordingRequest.Target, _ overwrite: Bool,
        _ progress: @escaping ProgressReport
    ) throws(RecordingError) -> RecordingFacts? {
        let export = SpanExport(
            disk: disk, tagBytes: settings.tagBytes, pictures: pictures, progress: progress)
        guard var made = try export.run(pieces, target: target, overwrite: overwrite, time: time) else {
            return nil
        }
        if let tools, !target.isExact, M4AFinish.concerns(made) {
            let picture = pictures.found(.station(made.stationID))
            let m4a = M4AFinish(
                disk: disk, tools: tools, floorBytes: settings.floorBytes, picture: picture)
            let needless = m4a.run(&made)
            FileShelf(disk: disk).writeSidecar(made)
            m4a.remove(needless, of: made)
        }
        do throws(SystemError) { try progress(1) } catch {
            // Whoever asked for it does not want it any more.
            try? FileShelf(disk: disk).delete(made)
            if case .library(let root, _) = target { FileShelf(disk: disk).prune(made.folder, below: root) }
            throw .other(error.description)
        }
        journal.keep(made)
        return made
    }

    /// Measures a recording anew.
    /// - Returns: the facts with what was found, kept in the journal and the sidecar, and the waveform.
    package func measure(
        _ facts: RecordingFacts, progress: @escaping ProgressReport = { _ in }
    ) throws(RecordingError) -> (facts: RecordingFacts, waveform: [UInt8]) {
        guard let tools else { throw .other("aircheck-media is not there, which measures sound") }
        guard !facts.parts.isEmpty else { throw .other("there is no whole of this recording to measure") }
        let profile: SoundProfile
        do { profile = try Measuring(disk: disk, tools: tools, progress: progress).run(facts) } catch {
            throw .other("\(error)")
        }
        let measured = amend(facts) { ($0.loudness, $0.silences) = (profile.loudness, profile.silences) }
        guard let measured else { throw .noSuchRecording(facts.id.text) }
        return (measured, profile.peaks)
    }

    /// Renames the files of a recording; the extension and the place stay.
    /// - Returns: the facts under the new name, kept in the journal.
    package func rename(_ facts: RecordingFacts, to name: String) throws(RecordingError) -> RecordingFacts {
        guard status(facts.id) == nil else { throw .other("a running recording cannot be renamed") }
        guard !occupied.withLock({ $0.contains(facts.id) }) else { throw Self.isOccupied }
        return try editing.withLock { _ throws(RecordingError) in
            guard let facts = journal.newest(facts) else { throw .noSuchRecording(facts.id.text) }
            do throws(SystemError) {
                let renamed = try FileShelf(disk: disk).rename(facts, to: SafeName.component(name))
                journal.keep(renamed)
                return renamed
            } catch {
                throw .folder(facts.folder, reason: error.description)
            }
        }
    }

    /// Deletes the files of a recording, with all that lies beside them, and the journal's knowledge of it. What is not
    /// there any more is no error.
    package func delete(_ facts: RecordingFacts) throws(RecordingError) {
        guard status(facts.id) == nil else { throw .other("a running recording cannot be deleted") }
        guard !occupied.withLock({ $0.contains(facts.id) }) else { throw Self.isOccupied }
        try editing.withLock { _ throws(RecordingError) in
            let facts = journal.newest(facts) ?? facts
            do throws(SystemError) { try FileShelf(disk: disk).delete(facts) } catch {
                throw .folder(facts.folder, reason: error.description)
            }
            do { try journal.forget(facts.id) } catch { throw .other("\(error)") }
        }
    }

    /// Marks a recording as one that retention never deletes, or takes the mark away.
    package func protect(_ facts: RecordingFacts, _ keep: Bool) -> RecordingFacts {
        amend(facts) { $0.keep = keep } ?? facts
    }
}

extension RecordingFacts {
    /// Our own cuts for the titles whose metadata came at these seconds.
    fileprivate mutating func place(_ cuts: [(at: Double, cut: Double)]) {
        for (at, cut) in cuts {
            for index in titles.indices where abs(titles[index].seconds - at) < 0.05 {
                titles[index].cutSeconds = cut
            }
        }
    }
}

/// The files of a recording as things that lie in a folder.
struct FileShelf {
    let disk: any Disk

    func delete(_ facts: RecordingFacts) throws(SystemError) {
        if facts.parts.isEmpty, let (folder, name) = sidecar(of: facts) { try folder.remove(name) }
        if !facts.parts.isEmpty {
            try delete(facts.parts.map(\.name), of: facts, in: facts.folder, below: [])
        }
        for track in facts.tracks {
            guard let name = track.name, let root = facts.trackFolder else { continue }
            try delete([name], of: facts, in: root, below: track.folders)
        }
    }

    private func delete(
        _ names: [String], of facts: RecordingFacts, in root: String, below: [String]
    ) throws(SystemError) {
        let folder = try disk.folder(root, below: below, creating: false)
        for name in names {
            let cue = CueSheet.name(for: name)
            var victims = [name] + (CueSheet.isOurs(cue, in: folder) ? [cue] : [])
            // A stranger's `NAME.json` is left alone; then ours is `NAME.EXT.json`.
            victims += [Sidecar.name(for: name), name + ".json"].filter {
                SidecarFile(folder: folder).read(named: $0)?.id == facts.id
            }
            for victim in Set(victims) where folder.contains(victim) { try folder.remove(victim) }
        }
        try folder.synchronize()
    }

    /// Removes the folders that a recording lay in, up to `root`, as far as nothing is in them any more.
    func prune(_ path: String, below root: String) {
        guard path.hasPrefix(root + "/") else { return }
        var names = path.dropFirst(root.count + 1).split(separator: "/").map(String.init)
        while let name = names.popLast() {
            guard let folder = try? disk.folder(root, below: names, creating: false),
                (try? folder.removeFolder(name)) != nil
            else { return }
        }
    }

    func rename(_ facts: RecordingFacts, to stem: String) throws(SystemError) -> RecordingFacts {
        var facts = facts
        let folder = try disk.folder(facts.folder, below: [], creating: false)
        let oldSidecar = sidecar(of: facts)?.name
        for index in facts.parts.indices {
            let old = facts.parts[index].name
            let oldStem = Sidecar.stem(of: old)
            let part = index == 0 ? stem : "\(stem) (part \(index + 1))"
            let name = try FileNaming.finish(old, as: part + old.dropFirst(oldStem.count), in: folder)
            facts.parts[index].name = name
            if CueSheet.isOurs(CueSheet.name(for: old), in: folder) {
                try folder.remove(CueSheet.name(for: old))
                CueSheet.write(facts, part: index, in: folder)
            }
        }
        writeSidecar(facts)
        if let oldSidecar, oldSidecar != sidecar(of: facts)?.name,
            SidecarFile(folder: folder).read(named: oldSidecar)?.id == facts.id
        {
            try folder.remove(oldSidecar)
        }
        try folder.synchronize()
        return facts
    }

    func writeSidecar(_ facts: RecordingFacts) {
        guard let (folder, name) = sidecar(of: facts) else { return }
        do throws(SystemError) {
            try SidecarFile(folder: folder).write(facts, named: name, durably: true)
        } catch {
            Log.warning(
                "recording", "the sidecar could not be written",
                ["recording": facts.id.text, "error": error.description])
        }
    }

    /// Where the sidecar lies: beside the whole, else in the folder of the tracks, found by what it says.
    private func sidecar(of facts: RecordingFacts) -> (folder: any DiskFolder, name: String)? {
        if let name = facts.fileName {
            return (try? disk.folder(facts.folder, below: [], creating: false)).map { folder in
                let usual = Sidecar.name(for: name)
                let isStrange =
                    folder.contains(usual)
                    && SidecarFile(folder: folder).read(named: usual)?.id != facts.id
                // A stranger's is left alone.
                return (folder, isStrange ? name + ".json" : usual)
            }
        }
        guard let root = facts.trackFolder, let folder = try? disk.folder(root, below: [], creating: false),
            let entries = try? folder.entries()
        else { return nil }
        let names = entries.filter { $0.kind == .file && $0.name.hasSuffix(".json") }.map(\.name)
        return names.first { SidecarFile(folder: folder).read(named: $0)?.id == facts.id }.map {
            (folder, $0)
        }
    }
}
