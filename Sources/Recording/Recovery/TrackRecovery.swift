internal import Platform
internal import StreamFormats

/// Closes the files of tracks that a crash left open.
struct TrackRecovery {
    let disk: any Disk

    /// True while somebody writes them.
    func isAlive(_ facts: RecordingFacts) -> Bool {
        facts.openTracks.contains { track in
            guard let file = try? open(track, facts)?.file else { return false }
            return !file.claim()
        }
    }

    /// Every open track becomes one of `tracks`; one that had ended is cut where it had.
    func close(_ facts: inout RecordingFacts) {
        let open = facts.openTracks
        facts.openTracks = []
        for track in open {
            do throws(SystemError) {
                if let closed = try close(track, facts) { facts.tracks.append(closed) }
            } catch {
                Log.error(
                    "recording", "the file of an interrupted track could not be closed",
                    ["recording": facts.id.text, "file": track.name ?? "", "error": error.description])
            }
        }
    }

    private func open(
        _ track: RecordedTrack, _ facts: RecordingFacts
    ) throws(SystemError) -> (folder: any DiskFolder, file: any DiskFile)? {
        guard let root = facts.trackFolder, let name = track.name, name.hasSuffix(FileNaming.partSuffix)
        else { return nil }
        let folder = try disk.folder(root, below: track.folders, creating: false)
        return folder.contains(name) ? (folder, try folder.open(name, forWriting: true)) : nil
    }

    private func close(_ open: RecordedTrack, _ facts: RecordingFacts) throws(SystemError) -> RecordedTrack? {
        guard let (folder, file) = try self.open(open, facts), let name = open.name else { return nil }
        var track = open
        // What had ended goes on in the next track's file: it is cut back to where it ends.
        var scan = try FileScan(file, seconds: open.isIncomplete ? .infinity : open.end - open.start)
        if scan.ledger.frames == 0 {
            try folder.remove(name)
            return nil
        }
        if try file.facts().size > scan.end {
            try file.truncate(to: scan.end)
            scan = try FileScan(file)
        }
        if let xing = scan.head.xing {
            let filled = xing.filled(
                frames: scan.ledger.frames, audioBytes: scan.ledger.bytes, index: scan.ledger.index)
            try file.write(filled, at: Int64(scan.head.tagLength))
        }
        try file.synchronize()
        track.end = track.start + scan.ledger.seconds
        (track.frames, track.hash) = (scan.ledger.frames, scan.ledger.hash)
        track.name = try FileNaming.finish(
            name, as: finalName(name, isIncomplete: open.isIncomplete), in: folder)
        try folder.synchronize()
        return track
    }

    private func finalName(_ name: String, isIncomplete: Bool) -> String {
        let final = String(name.dropLast(FileNaming.partSuffix.count))
        let stem = Sidecar.stem(of: final)
        return isIncomplete && !stem.hasSuffix(TrackJob.incompleteMark)
            ? stem + TrackJob.incompleteMark + final.dropFirst(stem.count) : final
    }
}
