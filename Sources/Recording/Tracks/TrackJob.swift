internal import Platform
internal import StreamFormats

/// A track whose end is known: what the keeper thread makes of its file.
struct TrackJob: Sendable {
    /// Says in a name that the recording began or ended in the middle of the track.
    static let incompleteMark = " (incomplete)"

    let disk: any Disk
    let folder: any DiskFolder
    let file: any DiskFile
    /// The name while it was written.
    let name: String
    let root: String
    let rules: TrackRules
    /// Where it goes, and under what name.
    let folders: [String]
    let stem: String
    let form: FileForm
    /// Folders in which it was written.
    let openFolders: [String]
    let tags: TagFields
    /// Size to which the file goes back, and what is written behind that.
    let size: Int64
    let rest: [UInt8]
    var track: RecordedTrack

    /// As a crash before `finish` would leave it.
    var openTrack: RecordedTrack {
        var open = track
        open.name = name
        open.folders = openFolders
        return open
    }

    /// Cuts, tags and names the file.
    /// - Returns: the track as it turned out.
    func finish() throws(SystemError) -> RecordedTrack {
        var done = track
        try file.truncate(to: size)
        try file.write(rest, at: size)
        let scan = try FileScan(file)
        done.frames = scan.ledger.frames
        done.hash = scan.ledger.hash
        if let refusal = refusal(scan) {
            try folder.remove(name)
            done.refusal = refusal
            return done
        }
        try writeHead(scan)
        try file.synchronize()
        done.name = try rename(seconds: scan.ledger.seconds)
        if done.name == nil { done.refusal = "there is one already" }
        done.folders = folders
        return done
    }

    /// Deletes its file.
    func drop() throws(SystemError) { try folder.remove(name) }

    private func refusal(_ scan: FileScan) -> String? {
        if let refusal = track.refusal { return refusal }
        if scan.ledger.frames == 0 { return "empty" }
        return rules.refusal(
            title: track.text.text, seconds: scan.ledger.seconds, isComplete: !track.isIncomplete)
    }

    private func writeHead(_ scan: FileScan) throws(SystemError) {
        if let xing = scan.head.xing {
            let filled = xing.filled(
                frames: scan.ledger.frames, audioBytes: scan.ledger.bytes, index: scan.ledger.index)
            try file.write(filled, at: Int64(scan.head.tagLength))
        }
        guard scan.head.tagLength > 0 else { return }
        var tags = tags
        tags.add("TLEN", String(Int((scan.ledger.seconds * 1000).rounded())))
        if let bytes = ID3.tag(tags, length: scan.head.tagLength) { return try file.write(bytes, at: 0) }
        // A picture that came when the file had been begun.
        tags.picture = nil
        guard let bytes = ID3.tag(tags, length: scan.head.tagLength) else { return }
        try file.write(bytes, at: 0)
    }

    /// - Returns: nil where the rule for repeats did not keep it.
    private func rename(seconds: Double) throws(SystemError) -> String? {
        let ext = form.format.fileExtension
        let final = "\(stem).\(ext)"
        // Its title, and with it its folder, may have become known only when it had begun.
        let target = try disk.folder(root, below: folders, creating: true)
        if rules.repeats != .version, target.contains(final), !track.isIncomplete || rules.repeats == .skip {
            guard rules.repeats == .longest, try isLonger(seconds, than: final, in: target) else {
                try folder.remove(name)
                return nil
            }
            try folder.move(name, to: final, in: target, replacing: true)
            try synchronize(target)
            return final
        }
        let named = try FileNaming.finish(name, as: final, in: folder, movingTo: target)
        try synchronize(target)
        return named
    }

    /// After the move: the folder where the name is now first, or a power cut would leave it in none.
    private func synchronize(_ target: any DiskFolder) throws(SystemError) {
        try target.synchronize()
        if folders != openFolders { try folder.synchronize() }
    }

    private func isLonger(_ seconds: Double, than final: String, in folder: any DiskFolder)
        throws(SystemError) -> Bool
    {
        try seconds > FileScan(folder.open(final, forWriting: false)).ledger.seconds
    }
}
