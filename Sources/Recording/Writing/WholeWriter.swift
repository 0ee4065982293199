internal import Feed
internal import Platform
internal import StreamFormats

/// Writes one recording to its file, and to another one when the disk breaks or the codec changes.
///
/// Without a place it writes nothing and only keeps the timeline. `take` only remembers; `write` does all that touches the disk. After a throw nothing is lost: the next `write` goes
/// on where this one stopped.
struct WholeWriter: Sendable {
    /// What goes in front of the first frames of a file, which are given.
    typealias HeadMaker = @Sendable (AudioFormat, FrameRun) -> FileHead

    /// What the caller should tell.
    enum News: Sendable {
        case started
        case title(RecordedTitle)
        case gap(RecordedGap)
        case newPart(name: String, reason: String)
        case retitled

        /// A file has been begun.
        var isFile: Bool {
            switch self {
            case .started, .newPart: true
            case .title, .gap, .retitled: false
            }
        }
    }

    private(set) var timeline = Timeline()
    private(set) var format: AudioFormat?
    /// Files that are complete.
    private(set) var parts: [RecordingPart] = []
    /// Files that are complete, open, waiting for their finish.
    private(set) var written: [GrowingFile] = []
    private(set) var file: GrowingFile?
    /// The format that the open file has taken last.
    private var fitting: AudioFormat?
    /// When an earlier run ended that this one goes on with; nil once the break is in the ledger.
    private var interruptedAt: WallTime?
    private var place: FilePlace?
    private var backlog = Backlog()
    private let makeHead: HeadMaker
    /// The picture for a file that is begun now.
    private let picture: @Sendable () -> TagFields.Picture?
    let isExact: Bool
    /// Bytes kept in the comments of an Ogg file for chapters.
    private let commentRoom: Int
    private var rescued: Rescued?

    /// Frames that a broken file did not take. Their place on the timeline has been counted already.
    private struct Rescued: Sendable {
        var format: AudioFormat
        var runs: [HeldRun]
        var reason: String
    }

    /// - Parameter isExact: one file as long as it can be, whatever the sample rate does.
    init(
        place: FilePlace?, isExact: Bool, continuing earlier: RecordingFacts? = nil, commentRoom: Int = 0,
        picture: @escaping @Sendable () -> TagFields.Picture? = { nil },
        makeHead: @escaping HeadMaker = { _, _ in .none }
    ) {
        if let earlier {
            timeline = Timeline(continuing: earlier)
            parts = earlier.parts
            interruptedAt = earlier.ended
        }
        self.place = place
        self.isExact = isExact
        self.commentRoom = commentRoom
        self.picture = picture
        self.makeHead = makeHead
    }

    var heldSeconds: Double { backlog.seconds + (file?.heldSeconds ?? 0) }
    var folder: (any DiskFolder)? { file?.folder ?? written.last?.folder }

    mutating func take(_ item: Backlog.Item) { backlog.append(item) }

    /// False where it only keeps the timeline of the tracks.
    var hasFile: Bool { place != nil }

    /// Lets the oldest audio go until at most `limit` seconds are held.
    mutating func drop(beyond limit: Double) -> Backlog.Loss? { backlog.drop(beyond: limit) }

    /// Writes down what the recording has lost, and lets go of it where it is still held.
    mutating func lose(_ loss: Backlog.Loss, cause: Gap.Cause, now: WallTime) -> RecordedGap {
        backlog.drop(loss.numbers)
        return timeline.add(cause: cause, from: loss.from, to: now, lostSeconds: loss.seconds)
    }

    mutating func write(news: inout [News]) throws(SystemError) {
        try openForRescued(news: &news)
        try file?.flush()
        while let item = backlog.first {
            if case .audio(let piece) = item { try open(for: piece, news: &news) }
            record(item, news: &news)
            backlog.removeFirst()
        }
        try file?.flush()
    }

    /// The cutter has found where a title really begins.
    mutating func place(titleAt seconds: Double, cut: Double) { timeline.place(titleAt: seconds, cut: cut) }

    private mutating func record(_ item: Backlog.Item, news: inout [News]) {
        switch item {
        case .audio(let piece):
            if place == nil { format = piece.format }
            timeline.add(piece)
            file?.add(piece.run, piece.format)
        case .title(let mark):
            if let title = timeline.add(mark, byte: file?.nextByte ?? 0, part: parts.count) {
                news.append(.title(title))
            }
        case .gap(let gap):
            // Before the first frame nothing is missing from this recording.
            if timeline.started != nil { news.append(.gap(timeline.add(gap))) }
        case .retitled(let marks):
            timeline.reread(marks)
            news.append(.retitled)
        }
    }

    /// Sees to it that a file is open that takes `piece`.
    private mutating func open(for piece: AudioPiece, news: inout [News]) throws(SystemError) {
        noteInterruption(piece, news: &news)
        guard place != nil else { return announce(&news) }
        // Nearly always, and without a copy of the file's state.
        if file != nil, piece.format == fitting { return }
        if let file, file.form.continues(with: piece.format, strictly: !isExact) {
            fitting = piece.format
            return
        }
        // What is held for the old file must be in it before the new one begins.
        try file?.end()
        closePart(isSuspect: false)
        // Nothing may have been held for a file that was left; it was left all the same.
        let reason = rescued?.reason ?? "the codec changed"
        try create(piece.format, first: piece.run, wall: piece.wall, because: reason, news: &news)
        rescued = nil
    }

    private mutating func noteInterruption(_ piece: AudioPiece, news: inout [News]) {
        guard let from = interruptedAt else { return }
        interruptedAt = nil
        let lost = max(0, piece.wall.secondsSince1970 - from.secondsSince1970)
        news.append(.gap(timeline.add(cause: .unknown, from: from, to: piece.wall, lostSeconds: lost)))
    }

    /// Without a file of its own it only keeps the timeline of the tracks.
    private func announce(_ news: inout [News]) {
        if timeline.started == nil { news.append(.started) }
    }

    private mutating func create(
        _ format: AudioFormat, first: FrameRun, wall: WallTime, because reason: String, news: inout [News]
    ) throws(SystemError) {
        guard let (folder, made) = try place?.create(format, started: timeline.started ?? wall) else {
            return
        }
        file = GrowingFile(
            folder: folder, file: made.file, name: made.name, finalName: made.finalName,
            form: FileForm(
                format: format, head: makeHead(format, first), commentRoom: commentRoom, picture: picture()))
        self.format = self.format ?? format
        fitting = format
        timeline.fileBegins(atByte: file?.nextByte ?? 0, part: parts.count)
        news.append(written.isEmpty ? .started : .newPart(name: made.finalName, reason: reason))
    }

    /// The disk broke under the file: it ends where it is known to be good, and what it did not take goes to the next.
    mutating func leaveFile(because reason: String) {
        guard var broken = file else { return }
        rescued = Rescued(format: broken.form.format, runs: broken.release(), reason: reason)
        file = broken
        closePart(isSuspect: true)
    }

    private mutating func openForRescued(news: inout [News]) throws(SystemError) {
        guard let saved = rescued, let first = saved.runs.first else { return }
        let wall = timeline.ended ?? WallTime(nanoseconds: 0)
        try create(saved.format, first: first.run, wall: wall, because: saved.reason, news: &news)
        for saved in saved.runs { file?.add(saved.run, saved.format) }
        rescued = nil
    }

    private mutating func closePart(isSuspect: Bool) {
        guard let file else { return }
        parts.append(part(of: file, isSuspect: isSuspect))
        written.append(file)
        self.file = nil
    }

    /// The parts with the one that is being written.
    var allParts: [RecordingPart] { parts + (file.map { [part(of: $0, isSuspect: false)] } ?? []) }

    private func part(of file: GrowingFile, isSuspect: Bool) -> RecordingPart {
        var part = RecordingPart(
            name: file.name, startSeconds: parts.last.map { $0.startSeconds + $0.seconds } ?? 0)
        part.seconds = file.ledger.seconds
        part.bytes = file.size
        part.audioOffset = file.audioOffset
        part.frames = file.ledger.frames
        part.hash = file.ledger.hash
        part.checkpoints = file.ledger.checkpoints
        part.isSuspect = isSuspect
        return part
    }

    /// Ends the last file. What the disk does not take is given up.
    mutating func end() -> SystemError? {
        var failure: SystemError?
        if file != nil {
            do { try file?.end() } catch {
                failure = error
                _ = file?.release()
            }
            closePart(isSuspect: false)
        }
        return failure
    }
}
