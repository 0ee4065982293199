internal import Glibc

enum Logarithm {
    static func base10(_ value: Float) -> Float { log10f(value) }
}

/// The energy of sound in log-spaced bands from 100 Hz to 10 kHz, by a Fourier transform of 1024 samples.
struct BandMeter {
    private static let size = 1024
    private static let lowest = 100.0
    private static let highest = 10_000.0

    private let hop: Int
    private let window: [Float]
    private let cosines: [Float]
    private let sines: [Float]
    /// First bin of each band, and one past the last.
    private let edges: [Int]

    init(rate: Int) {
        let size = Self.size
        hop = max(1, Int(Double(rate) * SoundShape.bandStep))
        window = (0..<size).map { 0.5 - 0.5 * cosf(2 * .pi * Float($0) / Float(size)) }
        cosines = (0..<size / 2).map { cosf(2 * .pi * Float($0) / Float(size)) }
        sines = (0..<size / 2).map { -sinf(2 * .pi * Float($0) / Float(size)) }
        let step = pow(Self.highest / Self.lowest, 1 / Double(SoundShape.bandCount))
        var edges = (0...SoundShape.bandCount).map { band in
            Int(Self.lowest * pow(step, Double(band)) * Double(size) / Double(max(rate, 1)))
        }
        // Every band has a bin of its own, and none lies beyond what the rate can carry.
        for index in edges.indices { edges[index] = min(max(edges[index], index + 1), size / 2) }
        self.edges = edges
    }

    func measure(_ samples: [Int16]) -> [Float] {
        let size = Self.size
        var real = [Float](repeating: 0, count: size)
        var imaginary = real
        var rows: [Float] = []
        rows.reserveCapacity(samples.count / hop * SoundShape.bandCount)
        var start = 0
        while start + hop <= samples.count {
            for index in 0..<size {
                let place = start + index
                real[index] = place < samples.count ? Float(samples[place]) / 32768 * window[index] : 0
                imaginary[index] = 0
            }
            transform(&real, &imaginary)
            appendBands(real, imaginary, to: &rows)
            start += hop
        }
        return rows
    }

    private func appendBands(_ real: [Float], _ imaginary: [Float], to rows: inout [Float]) {
        for band in 0..<SoundShape.bandCount {
            var power: Float = 0
            let end = max(edges[band + 1], edges[band] + 1)
            for bin in edges[band]..<min(end, Self.size / 2) {
                power += real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
            }
            rows.append(SoundShape.decibels(power / Float(Self.size)))
        }
    }

    /// In place, decimation in time.
    private func transform(_ real: inout [Float], _ imaginary: inout [Float]) {
        let size = Self.size
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { imaginary in
                var mirrored = 0
                for index in 1..<size {
                    var bit = size >> 1
                    while mirrored & bit != 0 {
                        mirrored ^= bit
                        bit >>= 1
                    }
                    mirrored |= bit
                    if index < mirrored { real.swapAt(index, mirrored) }
                }
                var length = 2
                while length <= size {
                    combine(real, imaginary, length: length)
                    length *= 2
                }
            }
        }
    }

    private func combine(
        _ real: UnsafeMutableBufferPointer<Float>, _ imaginary: UnsafeMutableBufferPointer<Float>, length: Int
    ) {
        let half = length / 2
        let stride = Self.size / length
        var start = 0
        while start < Self.size {
            for offset in 0..<half {
                let (even, odd) = (start + offset, start + offset + half)
                let (cosine, sine) = (cosines[offset * stride], sines[offset * stride])
                let turnedReal = real[odd] * cosine - imaginary[odd] * sine
                let turnedImaginary = real[odd] * sine + imaginary[odd] * cosine
                (real[odd], imaginary[odd]) = (real[even] - turnedReal, imaginary[even] - turnedImaginary)
                real[even] += turnedReal
                imaginary[even] += turnedImaginary
            }
            start += length
        }
    }
}
