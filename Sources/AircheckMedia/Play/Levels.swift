internal import Glibc
internal import MediaHelper

/// Peak and root mean square since somebody last asked.
struct LevelMeter {
    private var peak = SIMD2<Float>.zero
    private var squares = SIMD2<Float>.zero
    private var count = 0

    mutating func add(_ block: UnsafeMutableBufferPointer<Float>) {
        var (peak, squares) = (peak, squares)
        for index in 0..<(block.count / 2) {
            let sample = SIMD2(block[2 * index], block[2 * index + 1])
            let size = sample.replacing(with: -sample, where: sample .< 0)
            peak.replace(with: size, where: size .> peak)
            squares += sample * sample
        }
        (self.peak, self.squares) = (peak, squares)
        count += block.count / 2
    }

    mutating func take() -> AudioLevels {
        defer { self = LevelMeter() }
        return AudioLevels(peak: peak, rms: (squares / Float(max(count, 1))).squareRoot())
    }
}

/// Keeps what gain and fades have made louder than full scale below it: down at once, up again within a second.
struct Limiter {
    private var gain: Float = 1
    /// How much of the way back to 1 it goes in a block of 10 ms.
    private static let release: Float = 0.01

    mutating func apply(to block: UnsafeMutableBufferPointer<Float>) {
        var peak: Float = 0
        for sample in block { peak = max(peak, abs(sample)) }
        guard gain < 1 || peak > 1 else { return }
        let from = gain
        gain = min(gain + Self.release, 1)
        if peak * gain > 1 { gain = 1 / peak }
        let step = (gain - from) / Float(max(block.count, 1))
        for index in block.indices {
            // On the way down the first samples may still be too loud.
            block[index] = min(max(block[index] * (from + step * Float(index)), -1), 1)
        }
    }
}

func decibelsToAmplitude(_ decibels: Double) -> Float { Float(pow(10, decibels / 20)) }

func quarterSine(_ part: Float) -> Float { part >= 1 ? 1 : sinf(part * .pi / 2) }

func amplitudeToDecibels(_ amplitude: Double) -> Double { 20 * log10(amplitude) }
