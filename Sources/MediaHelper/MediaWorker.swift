package import Platform
package import StreamFormats

/// Decoding and measuring for the recorder, done in another process.
///
/// Every function blocks the calling thread until the answer is there, the process has died, or the time is up; a
/// process that is late is ended. Any thread. Jobs on frames share processes that stay a while, jobs on files have
/// one each. A descriptor that is handed over must be seekable and stays the caller's; its offset moves.
package final class MediaWorker: Sendable {
    /// Processes for frames that stay for the next question.
    private static let idleLimit = 2

    private let binary: String
    private let time: any TimeSource
    private let idle = Lock<[Box]>([])

    /// Holds a process, which cannot be copied, in an array.
    private final class Box: Sendable {
        let process: ChildProcess
        init(_ process: consuming ChildProcess) { self.process = process }
    }

    /// - Parameter binary: where `aircheck-media` is; see `HelperBinary.find`.
    package init(binary: String, time: any TimeSource = SystemTime()) {
        self.binary = binary
        self.time = time
    }

    // MARK: Frames

    /// Energy and novelty of every 10 ms of a span of frames. The first frames may give nothing, where they lean on
    /// predecessors: hand over a few more than needed.
    package func features(
        format: AudioFormat, frames: FrameRun, timeout: Double = 30
    ) throws(MediaError) -> FrameFeatures {
        for case .features(let found) in try ask(.features(format), format, frames, timeout) { return found }
        throw .refused("no answer")
    }

    /// The span as mono samples.
    package func decode(format: AudioFormat, frames: FrameRun, timeout: Double = 30) throws(MediaError)
        -> MonoSound
    {
        var sound = MonoSound(samples: [], sampleRate: format.sampleRate)
        for case .sound(let piece) in try ask(.decode(format), format, frames, timeout) {
            sound.samples += piece.samples
            sound.sampleRate = piece.sampleRate
        }
        return sound
    }

    private func ask(
        _ job: MediaJob, _ format: AudioFormat, _ frames: FrameRun, _ timeout: Double
    ) throws(MediaError) -> [HelperEvent] {
        var commands = [HelperCommand.job(job)]
        for piece in frames.pieces() { commands.append(.frames(id: 0, position: 0, run: piece)) }
        commands.append(.finish(id: 0))
        // An idle process may have left just now, which says nothing about the input: then a fresh one is asked.
        if let waiting = idle.withLock({ $0.popLast() }) {
            do { return try ask(commands, waiting, timeout) } catch .died {}
        }
        return try ask(commands, Box(try HelperLaunch(binary: binary, mode: .work).start()), timeout)
    }

    private func ask(_ commands: [HelperCommand], _ box: Box, _ timeout: Double) throws(MediaError)
        -> [HelperEvent]
    {
        var exchange = JobExchange(timeout: timeout, time: time)
        let events = try exchange.run(commands, on: box.process)
        idle.withLock { if $0.count < Self.idleLimit { $0.append(box) } }
        return events
    }

    // MARK: Files

    /// Measures a recording in one pass: length, and what is wanted of loudness, silence and waveform.
    /// - Parameter isUnwanted: asked a few times a second; once it says so the process is ended and `unwanted` thrown.
    package func analyse(
        file: Int32, _ wants: AnalysisWants, timeout: Double = 3600, isUnwanted: () -> Bool = { false }
    ) throws(MediaError) -> AudioAnalysis {
        for case .analysis(let found) in try ask(.analyse(wants), [file], timeout, isUnwanted) {
            return found
        }
        throw .refused("no answer")
    }

    /// EBU R128 loudness of a recording.
    package func loudness(file: Int32, timeout: Double = 3600) throws(MediaError) -> Loudness {
        try analyse(file: file, .loudness, timeout: timeout).loudness
            ?? Loudness(integrated: nil, range: nil, truePeak: nil)
    }

    /// Where a recording is silent for at least half a second.
    package func silence(file: Int32, timeout: Double = 3600) throws(MediaError) -> [SilentSpan] {
        try analyse(file: file, .silence, timeout: timeout).silences ?? []
    }

    /// The waveform of a recording.
    package func peaks(file: Int32, timeout: Double = 3600) throws(MediaError) -> Waveform {
        try analyse(file: file, .peaks, timeout: timeout).waveform ?? Waveform(peaks: [])
    }

    /// Copies the AAC of `source` into `target` as M4A, with chapters and tags, and reads it back to prove it: as many
    /// packets, as long. `target` must be empty, seekable and open for reading too.
    package func remux(
        from source: Int32, to target: Int32, chapters: [MediaChapter] = [], tags: [MediaTag] = [],
        timeout: Double = 3600
    ) throws(MediaError) -> RemuxResult {
        let job = MediaJob.remux(chapters: chapters, tags: tags)
        for case .remuxed(let result) in try ask(job, [source, target], timeout) { return result }
        throw .refused("no answer")
    }

    private func ask(
        _ job: MediaJob, _ files: [Int32], _ timeout: Double, _ isUnwanted: () -> Bool = { false }
    ) throws(MediaError) -> [HelperEvent] {
        let process = try HelperLaunch(binary: binary, mode: .work, descriptors: files).start()
        var exchange = JobExchange(timeout: timeout, time: time)
        return try exchange.run([.job(job)], on: process, isUnwanted: isUnwanted)
    }
}
