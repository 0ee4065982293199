import Foundation

/// Mono samples, and what a test wants to know of them.
package struct Sound: Sendable {
    package var samples: [Float]
    package var rate: Int

    package init(samples: [Float], rate: Int) {
        self.samples = samples
        self.rate = rate
    }

    /// Little-endian 16-bit samples, of several channels the first.
    package init(signed16 bytes: some Collection<UInt8>, rate: Int, channels: Int = 1) {
        self.rate = rate
        let bytes = Array(bytes)
        samples = stride(from: 0, to: bytes.count - bytes.count % (2 * channels), by: 2 * channels).map {
            Float(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)) / 32768
        }
    }

    package var seconds: Double { Double(samples.count) / Double(rate) }

    /// The part between two times, clamped.
    package func part(from start: Double, to end: Double) -> Sound {
        let first = min(max(Int(start * Double(rate)), 0), samples.count)
        let last = min(max(Int(end * Double(rate)), first), samples.count)
        return Sound(samples: Array(samples[first..<last]), rate: rate)
    }

    package var rms: Double {
        guard !samples.isEmpty else { return 0 }
        return (samples.reduce(0.0) { $0 + Double($1 * $1) } / Double(samples.count)).squareRoot()
    }

    /// Amplitude of the tone of this frequency (Goertzel).
    package func amplitude(of hertz: Double) -> Double {
        guard !samples.isEmpty else { return 0 }
        let coefficient = 2 * cos(2 * .pi * hertz / Double(rate))
        var (before, last) = (0.0, 0.0)
        for sample in samples { (before, last) = (last, Double(sample) + coefficient * last - before) }
        let power = last * last + before * before - coefficient * last * before
        return 2 * max(power, 0).squareRoot() / Double(samples.count)
    }

    /// Frequency by rising zero crossings.
    package var frequency: Double {
        var crossings: [Double] = []
        for index in 1..<max(samples.count, 1) where samples[index - 1] < 0 && samples[index] >= 0 {
            crossings.append(Double(index) - Double(samples[index] / (samples[index] - samples[index - 1])))
        }
        guard let first = crossings.first, let last = crossings.last, last > first else { return 0 }
        return Double(crossings.count - 1) / (last - first) * Double(rate)
    }

    /// What most of it has, where a busy sound server has torn holes into it: the middle one of tenths of a second.
    package var usualFrequency: Double {
        let parts = stride(from: 0, to: seconds - 0.1, by: 0.1).map { part(from: $0, to: $0 + 0.1).frequency }
        return parts.isEmpty ? 0 : parts.sorted()[parts.count / 2]
    }

    /// RMS of each `step` seconds.
    package func envelope(step: Double = 0.005) -> [Double] {
        let size = max(Int(step * Double(rate)), 1)
        return stride(from: 0, to: samples.count - samples.count % size, by: size).map {
            Sound(samples: Array(samples[$0..<$0 + size]), rate: rate).rms
        }
    }

    /// The longest stretch quieter than `level`, in seconds.
    package func longestSilence(below level: Double, step: Double = 0.005) -> Double {
        var (longest, run) = (0, 0)
        for value in envelope(step: step) {
            run = value < level ? run + 1 : 0
            longest = max(longest, run)
        }
        return Double(longest) * step
    }

    /// Largest deviation of a sample from the sine of this frequency that its two neighbours make: a click shows.
    package func roughness(at hertz: Double) -> Double {
        guard samples.count > 2 else { return 0 }
        let coefficient = Float(2 * cos(2 * .pi * hertz / Double(rate)))
        var worst: Float = 0
        for index in 1..<(samples.count - 1) {
            worst = max(worst, abs(samples[index - 1] + samples[index + 1] - coefficient * samples[index]))
        }
        return Double(worst)
    }
}
