package import Platform
package import StreamFormats

/// Reads the frames of a recording from a second on, in order; one that is being recorded is followed to its end.
///
/// It blocks, and belongs on a thread of its own.
package struct RecordingReader {
    private let disk: any Disk
    /// The recording while it is being made.
    private let running: () -> RecordingFacts?
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
        self.init(
            recorder.disk, from: start, running: { recorder.status(id)?.facts }, known: known,
            isWanted: isWanted)
    }

    init(
        _ disk: any Disk, from start: Double, running: @escaping () -> RecordingFacts?,
        known: @escaping () -> RecordingFacts?, isWanted: @escaping () -> Bool
    ) {
        self.disk = disk
        self.running = running
        self.start = start
        self.known = known
        self.isWanted = isWanted
    }

    /// - Parameter visit: is given each run of frames and the second of the recording at which it begins.
    package func run(_ visit: (FrameRun, AudioFormat, Double) -> Void) throws(SystemError) {
        var next = 0
        // What an earlier file has given is not given again.
        var given = -Double.infinity
        while isWanted() {
            // Asked for before its files, as the last of them must not be missed.
            let isGrowing = running() != nil
            guard let facts = known() else { return }
            let pieces = StoredAudio(facts: facts, disk: disk).pieces
            guard next < pieces.count else {
                // The next file of one that is being recorded may be about to begin.
                guard isGrowing else { return }
                sleep()
                continue
            }
            let end = next + 1 < pieces.count ? pieces[next + 1].start : .infinity
            if end > start {
                given = max(given, try read(pieces[next], of: facts, number: next, after: given, visit))
            }
            next += 1
        }
    }

    private func sleep() { _ = Semaphore().wait(seconds: Self.pause) }

    /// - Returns: the second at which the piece ends.
    private func read(
        _ piece: StoredAudio.Piece, of facts: RecordingFacts, number: Int, after given: Double,
        _ visit: (FrameRun, AudioFormat, Double) -> Void
    ) throws(SystemError) -> Double {
        let folder = try disk.folder(piece.folder, below: piece.folders, creating: false)
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
            if let wanted = wanted(run, format, at: began, after: given) {
                visit(wanted.run, format, wanted.seconds)
            }
        }
        return base + clock.seconds
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
            // A track has its name when it is finished: of files, only the last one of a whole grows.
            let isOpen = running().map { !$0.parts.isEmpty && $0.parts.count <= number + 1 } ?? false
            // Asked for after that, as what was written before the end must not be missed.
            if place < (try file.facts().size) { return true }
            guard isOpen else { return false }
            sleep()
        }
        return false
    }

    /// What of a run lies behind the start, and behind what has been given.
    private func wanted(_ run: FrameRun, _ format: AudioFormat, at began: Double, after given: Double)
        -> (run: FrameRun, seconds: Double)?
    {
        let rate = Double(max(format.sampleRate, 1))
        var seconds = began
        for (index, frame) in run.frames.enumerated() {
            let length = Double(frame.samples) / rate
            if seconds + length > start, seconds >= given - length / 2 {
                return (index == 0 ? run : run.frames(index..<run.frames.count), seconds)
            }
            seconds += length
        }
        return nil
    }
}
