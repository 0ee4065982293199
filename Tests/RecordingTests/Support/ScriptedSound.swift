import StreamFormats
import TestStations

@testable import Recording

/// What numbered frames are to sound like: songs of their own colour, joined by silences or not.
struct ScriptedSound: SoundSource {
    /// Seconds at which songs begin; each has another spectrum.
    var songs: [Double]
    /// Silences, in seconds of the programme.
    var silences: [ClosedRange<Double>]
    let source = NumberedFrames(.mp3)

    func shape(format: AudioFormat, run: FrameRun) throws -> SoundShape {
        let first = source.number(of: run.bytes, at: 0) ?? 0
        let start = Double(first) * source.secondsPerUnit
        let seconds = Double(run.frames.count) * source.secondsPerUnit
        let levels = Int(seconds / SoundShape.levelStep)
        let rows = Int(seconds / SoundShape.bandStep)
        return SoundShape(
            level: (0..<levels).map { level(at: start + Double($0) * SoundShape.levelStep) },
            bands: (0..<rows).flatMap { bands(at: start + Double($0) * SoundShape.bandStep) })
    }

    private func level(at seconds: Double) -> Float {
        if silences.contains(where: { $0.contains(seconds) }) { return -90 }
        // Music moves: six dB up and down, with a beat.
        return -20 + Float(Int(seconds * 10) % 5) - (Int(seconds * 100) % 50 < 4 ? 10 : 0)
    }

    private func bands(at seconds: Double) -> [Float] {
        let song = songs.lastIndex { $0 <= seconds } ?? 0
        return (0..<SoundShape.bandCount).map { band in
            let colour = Float((band &* 7 &+ song &* 11) % 16)
            return level(at: seconds) - 20 - colour - Float((Int(seconds * 40) &* 31 &+ band &* 17) % 7)
        }
    }
}
