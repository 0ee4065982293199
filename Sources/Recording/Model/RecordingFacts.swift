package import Feed
package import Platform
package import StreamFormats

/// All that is known of one recording: what its sidecar, its rows and the library say.
package struct RecordingFacts: Sendable, Hashable {
    package enum State: String, Sendable, Hashable {
        /// Waits for the first audio, or is being written.
        case recording
        /// Ended as it was meant to.
        case finished
        /// The program or the machine ended before it did.
        case interrupted
        /// Nothing was recorded; `reason` says why.
        case failed
    }

    package var id: RecordingID
    package var state: State
    package var reason: String?
    package var stationID: String
    package var stationName: String
    /// The address that was read, without credentials.
    package var url: String?
    package var homepage: String?
    package var genre: String?
    package var show: String?
    package var origin: String?
    package var keep: Bool
    /// It is one file of a logger's.
    package var slot: LoggerSlot?
    package var format: AudioFormat?
    /// Wall time of the first frame, of the last one so far.
    package var started: WallTime
    package var ended: WallTime
    /// The folder that holds the files.
    package var folder: String
    /// Usually one. A new one begins when the disk broke or the codec changed.
    package var parts: [RecordingPart]
    package var titles: [RecordedTitle]
    package var gaps: [RecordedGap]
    /// When each stretch of audio was heard on the wall.
    package var clock: [ClockAnchor]
    /// The files of single tracks, if such were asked for, in the folder `trackFolder`.
    package var tracks: [RecordedTrack] = []
    package var trackFolder: String?
    /// Tracks whose files are not finished: those that have ended, and the one that is running last.
    package var openTracks: [RecordedTrack] = []
    /// Measured after the end.
    package var loudness: RecordedLoudness?
    /// The station's titles come so many seconds after the music, as far as silences have shown.
    package var learnedOffset: Double?
    /// Half a metadata interval, seconds: how late titles are in the middle.
    package var titleLag: Double?
    /// Where nothing is heard for half a second and longer, measured after the end; nil while that is not known.
    package var silences: [RecordedSilence]?

    /// Seconds of audio in all parts.
    package var seconds: Double { parts.reduce(0) { $0 + $1.seconds } }
    /// Length of the whole, or of the tracks where there is no whole.
    package var audioSeconds: Double {
        parts.isEmpty ? keptTracks.coveredSeconds : seconds
    }
    /// Where the last audio that there is ends, in seconds of the recording.
    package var endSeconds: Double { parts.isEmpty ? keptTracks.map(\.end).max() ?? 0 : seconds }
    /// The tracks that have files, those that are being written too.
    package var keptTracks: [RecordedTrack] {
        (tracks + openTracks).filter { $0.name != nil && $0.refusal == nil }
    }
    /// Where the file lies, or the first track where there is no whole; nil while there is neither.
    package var path: String? {
        if let name = fileName { return folder.isEmpty ? name : "\(folder)/\(name)" }
        return keptTracks.first.map { path(of: $0) }
    }

    /// Where a track's file lies; empty where it has none.
    package func path(of track: RecordedTrack) -> String {
        guard let name = track.name, let root = trackFolder else { return "" }
        return ([root] + track.folders + [name]).joined(separator: "/")
    }
    package var bytes: Int64 { parts.reduce(0) { $0 + $1.bytes } }
    package var frames: Int64 { parts.reduce(0) { $0 + $1.frames } }
    /// The first part's name, which the others and the sidecar are named after.
    package var fileName: String? { parts.first?.name }
    /// Seconds of audio known to be missing.
    package var lostSeconds: Double { gaps.reduce(0) { $0 + $1.lostSeconds } }
}

/// One file of a recording.
package struct RecordingPart: Sendable, Hashable {
    package var name: String
    /// Seconds of the recording before this part.
    package var startSeconds: Double
    package var seconds: Double
    /// Size of the file, tags included.
    package var bytes: Int64
    /// Where the first frame begins.
    package var audioOffset: Int64
    package var frames: Int64
    /// Chained hash of all frames; see `FrameLedger`.
    package var hash: UInt64
    /// The chained hash after every so many frames, so that damage can be found and placed.
    package var checkpoints: [UInt64]
    /// Hash of the whole finished file where its frames cannot be read one by one (M4A).
    package var fileHash: UInt64?
    /// The disk failed while it was written: what lies behind the last synchronisation may be bad.
    package var isSuspect: Bool

    package init(name: String, startSeconds: Double) {
        self.name = name
        self.startSeconds = startSeconds
        seconds = 0
        bytes = 0
        audioOffset = 0
        frames = 0
        hash = FrameLedger.seed
        checkpoints = []
        isSuspect = false
    }
}

/// A title and where in the recording it begins.
package struct RecordedTitle: Sendable, Hashable {
    package var seconds: Double
    /// Byte of the part's file.
    package var byte: Int64
    package var part: Int
    package var wall: WallTime
    package var text: TitleText
    /// The bytes as they came, for another reading of the charset.
    package var raw: [UInt8]
    /// Where the cutter says that the music changed; `seconds` is where the metadata came.
    package var cutSeconds: Double?
    /// Place in the feed, by which a later reading of the charset finds it. Meaningless in another run.
    package var feedPosition: StreamPosition?

    package init(seconds: Double, byte: Int64, part: Int, wall: WallTime, text: TitleText, raw: [UInt8] = [])
    {
        self.seconds = seconds
        self.byte = byte
        self.part = part
        self.wall = wall
        self.text = text
        self.raw = raw
    }

    /// Where a chapter begins: at our own cut where there is one, else where the metadata came.
    package var chapterSeconds: Double { cutSeconds ?? seconds }
}

/// A break: something is missing before `seconds`, or was and has been healed.
package struct RecordedGap: Sendable, Hashable {
    package var seconds: Double
    package var from: WallTime
    package var to: WallTime
    package var cause: Gap.Cause
    package var lostSeconds: Double

    package init(seconds: Double, from: WallTime, to: WallTime, cause: Gap.Cause, lostSeconds: Double) {
        self.seconds = seconds
        self.from = from
        self.to = to
        self.cause = cause
        self.lostSeconds = lostSeconds
    }
}

/// Ties audio time to wall time, until the next anchor.
package struct ClockAnchor: Sendable, Hashable {
    package var seconds: Double
    package var wall: WallTime

    package init(seconds: Double, wall: WallTime) {
        self.seconds = seconds
        self.wall = wall
    }
}

/// A stretch in which nothing is heard, seconds of the recording.
package struct RecordedSilence: Sendable, Hashable {
    package var start: Double
    package var end: Double

    package init(start: Double, end: Double) {
        self.start = start
        self.end = end
    }
}

/// What measuring a file has found.
package struct SoundProfile: Sendable, Hashable {
    package var loudness: RecordedLoudness
    package var silences: [RecordedSilence]
    /// The loudest sample of every tenth of a second, 0 to 255 of full scale.
    package var peaks: [UInt8]

    package init(loudness: RecordedLoudness, silences: [RecordedSilence], peaks: [UInt8]) {
        self.loudness = loudness
        self.silences = silences
        self.peaks = peaks
    }
}

/// EBU R128.
package struct RecordedLoudness: Sendable, Hashable {
    /// LUFS.
    package var integrated: Double?
    /// LU.
    package var range: Double?
    /// dBTP.
    package var truePeak: Double?

    package init(integrated: Double?, range: Double?, truePeak: Double?) {
        self.integrated = integrated
        self.range = range
        self.truePeak = truePeak
    }
}
