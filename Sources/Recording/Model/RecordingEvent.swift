/// What a recorder tells whoever listens. Told on a thread of the recorder; the listener must return at once.
package enum RecordingEvent: Sendable {
    /// The first audio is on its way to the file.
    case started(RecordingFacts)
    case title(RecordingID, RecordedTitle)
    case gap(RecordingID, RecordedGap)
    /// The disk is full; audio is kept in memory for as long as `Recorder.Settings.heldSeconds`.
    case diskFull(RecordingID, reason: String)
    /// There is room again. `lostSeconds` is 0 when all of it had been kept.
    case resumed(RecordingID, lostSeconds: Double)
    /// The disk broke; the recording goes on in another file.
    case newPart(RecordingID, name: String, reason: String)
    /// A track is complete.
    case track(RecordingFacts, RecordedTrack)
    case finished(RecordingFacts)
    /// Measured after the end: the facts have loudness and silences now.
    case measured(RecordingFacts, waveform: [UInt8])
    /// The logger has deleted one of its files by rule.
    case deleted(Deletion)
    /// Ended without a file, or with one that could not be finished; `facts.reason` says why.
    case failed(RecordingFacts)
}

/// One recording at this moment.
package struct RecordingStatus: Sendable, Hashable {
    package var facts: RecordingFacts
    /// Seconds kept in memory because the disk does not take them.
    package var heldSeconds: Double
    /// Why nothing is being written just now: `no audio yet`, `disk full`.
    package var waitsFor: String?

    package init(facts: RecordingFacts, heldSeconds: Double = 0, waitsFor: String? = nil) {
        self.facts = facts
        self.heldSeconds = heldSeconds
        self.waitsFor = waitsFor
    }
}

/// Why a recording cannot be.
package enum RecordingError: Error, Sendable, CustomStringConvertible {
    /// The file is there and was not to be replaced.
    case fileExists(String)
    /// The folder cannot be used; the text is the kernel's.
    case folder(String, reason: String)
    case noSuchRecording(String)
    /// Neither a file nor tracks were asked for.
    case noTarget
    /// The recorder has been shut down.
    case closed
    case other(String)

    package var description: String {
        switch self {
        case .fileExists(let path): "\(path) exists; choose another name, or --overwrite to replace it"
        case .folder(let path, let reason): "cannot record into \(path): \(reason)"
        case .noSuchRecording(let id): "there is no recording \(id)"
        case .noTarget: "nothing to write: name a file or a folder"
        case .closed: "the recorder is shutting down"
        case .other(let text): text
        }
    }
}
