/// What the cutter sees of a stretch of sound: how loud each moment is, and how its spectrum is made up.
package struct SoundShape: Sendable, Hashable {
    /// Seconds that one value of `level` stands for.
    package static let levelStep = 0.01
    /// Seconds that one value of `bands` stands for.
    package static let bandStep = 0.025
    package static let bandCount = 16
    /// What silence is counted as, dB.
    static let floor: Float = -100

    /// dB of full scale.
    package var level: [Float]
    /// dB in log-spaced bands, one row after another.
    package var bands: [Float]

    package init(level: [Float], bands: [Float]) {
        self.level = level
        self.bands = bands
    }

    package var seconds: Double { Double(level.count) * Self.levelStep }
    package var bandRows: Int { bands.count / Self.bandCount }

    /// Measures mono samples.
    package init(samples: [Int16], rate: Int) {
        level = Self.levels(samples, rate)
        bands = BandMeter(rate: rate).measure(samples)
    }

    private static func levels(_ samples: [Int16], _ rate: Int) -> [Float] {
        let length = max(1, Int(Double(rate) * levelStep))
        return samples.withUnsafeBufferPointer { samples in
            stride(from: 0, to: samples.count - samples.count % length, by: length).map { start in
                var sum: Float = 0
                for index in start..<start + length {
                    let value = Float(samples[index])
                    sum += value * value
                }
                return decibels(sum / Float(length) / (32768 * 32768))
            }
        }
    }

    static func decibels(_ power: Float) -> Float { power > 1e-10 ? 10 * Logarithm.base10(power) : floor }
}
