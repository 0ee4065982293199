package import Platform
package import StreamFormats

/// Reads the frames of a recording from a second on, in order; one that is being recorded is followed to its end.
///
/// It blocks, and belongs on a thread of its own.
package struct RecordingReader {
    private let recorder: Recorder
    private let id: RecordingID
    private let start: Double
    private let known: () -> RecordingFacts?
    private let isWanted: () -> Bool

    /// Seconds between two looks at a file that grows.
    private static let pause = 0.1

    /// - Parameters:
    ///   - known: the recording as it is now.
    ///   - isWanted: whether anybody still wants it; asked before every block and while it waits.
    package init(
        _ recorder: Recorder, _ id: RecordingID, from start: Double, known: @escaping () -> RecordingFacts?,
        isWanted: @escaping () -> Bool
    ) {
        self.recorder = recorder
        self.id = id
        self.start = start
        self.known = known
        self.isWanted = isWanted
    }

    /// - Parameter visit: is given each run of frames and the second of the recording at which it begins.
    package func run(_ visit: (FrameRun, AudioFormat, Double) -> Void) throws(SystemError) {
        var next = 0
        while isWanted(), let facts = known() {
            let pieces = StoredAudio(facts: facts, disk: recorder.disk).pieces
            guard next < pieces.count else {
                // The next file of one that is being recorded may be about to begin.
                guard isGrowing else { return }
                sleep()
                continue
            }
            let end = next + 1 < pieces.count ? pieces[next + 1].start : .infinity
            if end > start { try read(pieces[next], of: facts, number: next, visit) }
            next += 1
        }
    }

    private var isGrowing: Bool { recorder.status(id) != nil }
    private func sleep() { _ = Semaphore().wait(seconds: Self.pause) }

    private func read(
        _ piece: StoredAudio.Piece, of facts: RecordingFacts, number: Int,
        _ visit: (FrameRun, AudioFormat, Double) -> Void
    ) throws(SystemError) {
        let folder = try recorder.disk.folder(piece.folder, below: piece.folders, creating: false)
        let file = try folder.open(piece.name, forWriting: false)
        var clock = SampleClock()
        var base = piece.start
        var course = FileScan.Course()
        course.begin = { audioOffset in
            guard let mark = mark(before: start, in: facts, part: number, after: audioOffset) else {
                return audioOffset
            }
            base = mark.seconds
            return mark.byte
        }
        course.wants = { place, size throws(SystemError) in try wants(place, size, file, number) }
        _ = try FileScan(file, course: course) { run, format in
            let began = base + clock.seconds
            clock.add(samples: run.samples, rate: format.sampleRate)
            if let wanted = wanted(run, format, at: began) { visit(wanted.run, format, wanted.seconds) }
        }
    }

    /// The last title of a file before a place: its byte is known, and what lies before need not be read.
    private func mark(before seconds: Double, in facts: RecordingFacts, part: Int, after audioOffset: Int64)
        -> RecordedTitle?
    {
        guard !facts.parts.isEmpty else { return nil }
        return facts.titles.last { $0.part == part && $0.seconds <= seconds && $0.byte > audioOffset }
    }

    private func wants(_ place: Int64, _ size: Int64, _ file: any DiskFile, _ number: Int)
        throws(SystemError) -> Bool
    {
        while isWanted() {
            if place < size { return true }
            let isOpen = recorder.status(id).map { $0.facts.parts.count <= number + 1 } ?? false
            // Asked for after that, as what was written before the end must not be missed.
            if place < (try file.facts().size) { return true }
            guard isOpen else { return false }
            sleep()
        }
        return false
    }

    /// What of a run lies behind the start.
    private func wanted(_ run: FrameRun, _ format: AudioFormat, at began: Double)
        -> (run: FrameRun, seconds: Double)?
    {
        let rate = Double(max(format.sampleRate, 1))
        var seconds = began
        for (index, frame) in run.frames.enumerated() {
            let length = Double(frame.samples) / rate
            if seconds + length > start {
                return (index == 0 ? run : run.frames(index..<run.frames.count), seconds)
            }
            seconds += length
        }
        return nil
    }
}
