package import MediaHelper
internal import Platform
package import StreamFormats

/// Decodes a few seconds of frames and says what they sound like. Blocks; on a thread of the recorder's.
package protocol SoundSource: Sendable {
    /// The sound of `run`, its last sample at the end of the last frame. The first frames may give nothing.
    func shape(format: AudioFormat, run: FrameRun) throws -> SoundShape
}

/// The media helper as a source of sound.
package struct DecodedSound: SoundSource {
    let worker: MediaWorker

    package init(_ worker: MediaWorker) { self.worker = worker }

    package func shape(format: AudioFormat, run: FrameRun) throws -> SoundShape {
        let sound = try worker.decode(format: format, frames: run)
        return SoundShape(samples: sound.samples, rate: sound.sampleRate)
    }
}

/// What is to be found out about one change of the title.
struct CutQuestion: Sendable {
    let number: Int
    let station: String
    /// Seconds of the recording at which the metadata came.
    let at: Double
    /// Seconds that the metadata lags on the whole, for want of something learned.
    let lag: Double
    let rules: TrackRules
    let format: AudioFormat
    let run: FrameRun
    /// Seconds of the recording at which `run` ends.
    let end: Double

    /// The window that must be at hand.
    static func window(at seconds: Double, offset: Double, rules: TrackRules) -> ClosedRange<Double> {
        let middle = seconds + offset
        // A second more in front: decoders need a start, and contrasts something to compare with.
        return (middle - rules.searchSeconds - 1)...(middle + rules.searchSeconds + 1)
    }
}

/// Answers questions one after another, on a thread of its own: decoding is slow beside writing.
final class Cutter: Sendable {
    private struct State {
        var questions: [(CutQuestion, @Sendable (Int, FoundCut) -> Void)] = []
        var isStopping = false
    }

    private let sound: (any SoundSource)?
    private let offsets: StationOffsets
    private let state = Monitor(State())
    private let thread = Lock<WorkerThread?>(nil)

    /// The sound's greatest change is believed within the time that one metadata interval leaves open; at least, and at
    /// most, within so much.
    private static let toleranceLimits = 0.3...1.0

    init(sound: (any SoundSource)?, offsets: StationOffsets) {
        self.sound = sound
        self.offsets = offsets
    }

    /// Where the music is expected after its title, seconds: as the station's entry says, as was learned, or by the lag.
    func offset(of station: String, lag: Double, rules: TrackRules) -> Double {
        rules.titleOffset ?? offsets.learner(of: station).offset(lag: lag) ?? -lag
    }

    /// What silences have shown of a station; nil while they say little.
    func learned(of station: String, lag: Double) -> Double? {
        offsets.learner(of: station).offset(lag: lag)
    }

    func ask(_ question: CutQuestion, answer: @escaping @Sendable (Int, FoundCut) -> Void) {
        thread.withLock { thread in
            if thread == nil { thread = WorkerThread(name: "cutter") { self.work() } }
        }
        state.change { $0.questions.append((question, answer)) }
    }

    func stop() {
        state.change { $0.isStopping = true }
        thread.withLock { $0 }?.join()
    }

    private func work() {
        while true {
            let next = state.wait { state -> (CutQuestion, @Sendable (Int, FoundCut) -> Void)?? in
                if !state.questions.isEmpty { return .some(state.questions.removeFirst()) }
                return state.isStopping ? .some(nil) : nil
            }
            guard let (question, answer) = next else { return }
            answer(question.number, find(question))
        }
    }

    /// Blocks while the sound is decoded.
    func find(_ question: CutQuestion) -> FoundCut {
        let learner = offsets.learner(of: question.station)
        let offset = question.rules.titleOffset ?? learner.offset(lag: question.lag)
        let expected = question.at + (offset ?? -question.lag)
        let fallback = FoundCut(seconds: expected, way: .metadata, confidence: 0.2, onset: expected)
        guard let sound else { return fallback }
        let shape: SoundShape
        do { shape = try sound.shape(format: question.format, run: question.run) } catch {
            Log.warning(
                "recording", "the sound around a title could not be decoded; it is cut at the metadata",
                [
                    "station": question.station, "error": "\(error)",
                ])
            return fallback
        }
        // Decoders swallow the beginning, never the end.
        let zero = question.end - shape.seconds
        let spread = learner.spread(lag: question.lag) ?? 0
        let finder = CutFinder(
            expected: expected - zero,
            tolerance: min(
                max(spread, question.lag, Self.toleranceLimits.lowerBound), Self.toleranceLimits.upperBound),

            reach: offset == nil
                ? question.rules.searchSeconds : min(question.rules.searchSeconds, 2 * spread + 3))
        var cut = finder.find(in: shape)
        cut.seconds += zero
        cut.onset += zero
        if cut.way == .silence { offsets.saw(cut.onset - question.at, at: question.station) }
        return cut
    }
}
