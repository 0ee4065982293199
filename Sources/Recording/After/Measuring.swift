internal import Platform

/// Measures the files of a recording, one after another.
struct Measuring {
    let disk: any Disk
    let tools: any FileTools
    var progress: ProgressReport = { _ in }

    /// Blocks, for a second per several minutes of audio.
    /// - Returns: loudness of the longest file, silences and waveform of all of them.
    func run(_ facts: RecordingFacts) throws -> SoundProfile {
        var whole = SoundProfile(
            loudness: RecordedLoudness(integrated: nil, range: nil, truePeak: nil), silences: [], peaks: [])
        var longest = 0.0
        for part in facts.parts where part.frames > 0 {
            let done = part.startSeconds / max(facts.seconds, 1)
            let folder = try disk.folder(facts.folder, below: [], creating: false)
            let found = try tools.profile(of: folder.open(part.name, forWriting: false)) {
                // It may have to end in the middle of a file: one of a day takes minutes.
                do { try progress(done); return false } catch { return true }
            }
            if part.seconds > longest {
                (longest, whole.loudness) = (part.seconds, found.loudness)
            }
            whole.silences += found.silences.map {
                RecordedSilence(start: $0.start + part.startSeconds, end: $0.end + part.startSeconds)
            }
            // A part's last tenth may be a piece of one: places must not shift.
            let before = Int(bounded: (part.startSeconds * 10).rounded())
            whole.peaks += [UInt8](repeating: 0, count: max(0, before - whole.peaks.count)) + found.peaks
            try progress((part.startSeconds + part.seconds) / max(facts.seconds, 1))
        }
        return whole
    }
}
