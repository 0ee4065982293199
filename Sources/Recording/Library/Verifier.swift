internal import Platform

/// What looking through a recording again has found.
package struct VerifyReport: Sendable, Hashable {
    package enum Finding: Sendable, Hashable {
        /// Every frame is what was written.
        case sound
        /// The file is not there.
        case missing
        /// So many frames are missing at the end.
        case short(frames: Int64)
        /// There are so many more than were written.
        case longer(frames: Int64)
        /// Frames differ from what was written; the first of them lies between these seconds of the file.
        case damaged(from: Double, to: Double)
        /// It could not be read; the text is the kernel's.
        case unreadable(String)
    }

    package struct File: Sendable, Hashable {
        package var name: String
        package var finding: Finding
        package var frames: Int64
        package var seconds: Double
    }

    package var files: [File]

    package var isSound: Bool { files.allSatisfy { $0.finding == .sound } }
}

/// Proves that the files of a recording hold, frame for frame, what was written.
struct Verifier {
    let disk: any Disk
    var progress: ProgressReport = { _ in }

    /// Reads every file from front to back. Blocks.
    /// - Throws: what `progress` throws.
    func verify(_ facts: RecordingFacts) throws(SystemError) -> VerifyReport {
        let all = max(facts.seconds, 1)
        var done = 0.0
        var files: [VerifyReport.File] = []
        for part in facts.parts {
            files.append(
                try verify(part, in: facts.folder) { seconds throws(SystemError) in
                    try progress(min((done + seconds) / all, 1))
                })
            done += part.seconds
        }
        for track in facts.tracks {
            try progress(min(done / all, 1))
            if let file = verify(track, of: facts) { files.append(file) }
        }
        return VerifyReport(files: files)
    }

    /// A track's file against the hash of its frames; nil for one that has no file or no hash.
    private func verify(_ track: RecordedTrack, of facts: RecordingFacts) -> VerifyReport.File? {
        guard let name = track.name, let hash = track.hash, let root = facts.trackFolder else { return nil }
        var report = VerifyReport.File(name: name, finding: .sound, frames: 0, seconds: 0)
        do throws(SystemError) {
            let folder = try disk.folder(root, below: track.folders, creating: false)
            let ledger = try FileScan(folder.open(name, forWriting: false)).ledger
            (report.frames, report.seconds) = (ledger.frames, ledger.seconds)
            if ledger.frames != track.frames {
                let more = ledger.frames - track.frames
                report.finding = more < 0 ? .short(frames: -more) : .longer(frames: more)
            } else if ledger.hash != hash {
                report.finding = .damaged(from: 0, to: ledger.seconds)
            }
        } catch {
            report.finding = error.code == DiskCode.missing ? .missing : .unreadable(error.description)
        }
        return report
    }

    private func verify(
        _ part: RecordingPart, in path: String, progress: (Double) throws(SystemError) -> Void
    ) throws(SystemError) -> VerifyReport.File {
        try progress(0)
        var report = VerifyReport.File(name: part.name, finding: .sound, frames: 0, seconds: 0)
        do throws(SystemError) {
            let folder = try disk.folder(path, below: [], creating: false)
            let file = try folder.open(part.name, forWriting: false)
            if let expected = part.fileHash {
                let hash = try FileHash.of(file)
                report.finding = hash == expected ? .sound : .damaged(from: 0, to: part.seconds)
                (report.frames, report.seconds) = (part.frames, part.seconds)
            } else {
                var seconds = 0.0
                let ledger = try FileScan(file) { run, format throws(SystemError) in
                    seconds += Double(run.samples) / Double(max(format.sampleRate, 1))
                    try progress(seconds)
                }.ledger
                (report.frames, report.seconds) = (ledger.frames, ledger.seconds)
                report.finding = finding(ledger, part)
            }
        } catch  where error.code == DiskCode.cancelled {
            throw error
        } catch {
            report.finding = error.code == DiskCode.missing ? .missing : .unreadable(error.description)
        }
        return report
    }

    private func finding(_ ledger: FrameLedger, _ part: RecordingPart) -> VerifyReport.Finding {
        let common = zip(ledger.checkpoints, part.checkpoints).prefix { $0 == $1 }.count
        let isDamaged = common < min(ledger.checkpoints.count, part.checkpoints.count)
        if ledger.frames == part.frames, ledger.hash == part.hash { return .sound }
        if !isDamaged, ledger.frames < part.frames { return .short(frames: part.frames - ledger.frames) }
        if !isDamaged, ledger.frames > part.frames, part.checkpoints.count == common {
            return .longer(frames: ledger.frames - part.frames)
        }
        let step =
            part.frames > 0 ? part.seconds / Double(part.frames) * Double(FrameLedger.checkpointFrames) : 0
        return .damaged(from: Double(common) * step, to: min(Double(common + 1) * step, part.seconds))
    }
}

/// A hash of a whole file, by the same rule as that of its frames: one block after another.
enum FileHash {
    private static let blockLength = 256 << 10

    static func of(_ file: any DiskFile) throws(SystemError) -> UInt64 {
        var hash = FrameLedger.seed
        var place: Int64 = 0
        while true {
            let block = try file.read(blockLength, at: place)
            if block.isEmpty { return hash }
            hash = block.withUnsafeBytes { FrameLedger.mix(hash, $0) }
            place += Int64(block.count)
        }
    }
}
