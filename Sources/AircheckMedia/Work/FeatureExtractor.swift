internal import CAVCodec
internal import Glibc

/// Describes mono sound in steps of 10 ms: how loud it is, and how suddenly its spectrum grows.
enum FeatureExtractor {
    /// Samples a second that it looks at: the 8 kHz that these leave carry what makes a cut.
    static let rate = 16_000
    private static let step = rate / 100
    /// 32 ms, half overlapping three times.
    private static let windowBits: Int32 = 9
    private static let window = 1 << 9
    private static let bandCount = 24
    /// Hz of the lowest and the highest band's edge.
    private static let edges = (low: 60.0, high: 7800.0)

    static func extract(_ samples: [Float]) -> (energy: [Float], novelty: [Float]) {
        let count = samples.count / step
        return (energy(samples, count), novelty(samples, count))
    }

    private static func energy(_ samples: [Float], _ count: Int) -> [Float] {
        samples.withUnsafeBufferPointer { samples in
            (0..<count).map { index in
                var sum: Float = 0
                for place in (index * step)..<((index + 1) * step) { sum += samples[place] * samples[place] }
                return (sum / Float(step)).squareRoot()
            }
        }
    }

    /// Half-wave rectified rise of the log energy of each band from one step to the next, summed over the bands.
    private static func novelty(_ samples: [Float], _ count: Int) -> [Float] {
        guard let transform = av_rdft_init(windowBits, DFT_R2C) else {
            return [Float](repeating: 0, count: count)
        }
        defer { av_rdft_end(transform) }
        let shape = (0..<window).map { 0.5 - 0.5 * cosf(2 * .pi * Float($0) / Float(window)) }
        let bins = bandEdges
        var before: [Float]?
        // The memory must be aligned for the transform's vector instructions.
        return withUnsafeTemporaryAllocation(byteCount: window * 4, alignment: 64) { memory in
            let buffer = memory.bindMemory(to: Float.self)
            return (0..<count).map { index in
                // Centred on the step.
                let start = index * step + step / 2 - window / 2
                for place in 0..<window {
                    let source = start + place
                    buffer[place] = source >= 0 && source < samples.count ? samples[source] * shape[place] : 0
                }
                av_rdft_calc(transform, buffer.baseAddress)
                let now = bands(buffer, bins)
                defer { before = now }
                guard let before else { return 0 }
                return zip(now, before).reduce(0) { $0 + max($1.0 - $1.1, 0) }
            }
        }
    }

    private static func bands(_ spectrum: UnsafeMutableBufferPointer<Float>, _ edges: [Int]) -> [Float] {
        (0..<bandCount).map { band in
            var sum: Float = 0
            for bin in edges[band]..<edges[band + 1] {
                let (real, imaginary) = (spectrum[2 * bin], spectrum[2 * bin + 1])
                sum += real * real + imaginary * imaginary
            }
            // Compressed, with a floor at about -70 dB, so that noise in silence is no event.
            return logf(1 + sum * 10_000)
        }
    }

    /// First bin of each band, log-spaced, none empty.
    private static var bandEdges: [Int] {
        var bins: [Int] = []
        for index in 0...bandCount {
            let hertz = edges.low * pow(edges.high / edges.low, Double(index) / Double(bandCount))
            let bin = Int(hertz * Double(window) / Double(rate))
            bins.append(max(bin, (bins.last ?? 0) + 1))
        }
        return bins
    }
}
