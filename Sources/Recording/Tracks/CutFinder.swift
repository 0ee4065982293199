/// Where a track should be cut, and how sure that is.
package struct FoundCut: Sendable, Hashable {
    package enum Way: String, Sendable, Hashable {
        /// Inside a silence.
        case silence
        /// Where the sound changes most.
        case change
        /// Where the metadata says, with the station's offset.
        case metadata
    }

    /// Seconds, on the clock of whoever asked.
    package var seconds: Double
    package var way: Way
    /// 0…1.
    package var confidence: Double
    /// Where the next track's sound begins: the end of the silence, else `seconds`.
    package var onset: Double

    package init(seconds: Double, way: Way, confidence: Double, onset: Double) {
        self.seconds = seconds
        self.way = way
        self.confidence = confidence
        self.onset = onset
    }
}

/// Finds the cut between two tracks in the sound around a change of the title: a silence wins; else the place where the
/// sound changes most, near where the title says; else that place itself. Never worse than the metadata.
struct CutFinder: Sendable {
    /// Where the cut is expected, in seconds of the shape.
    var expected: Double
    /// How far from there the sound's greatest change is believed without more ado.
    var tolerance: Double
    /// How far from there a silence is believed.
    var reach: Double

    /// A silence is this much below what is loud around it, and below this in any case.
    private static let silenceDepth: Float = 30
    private static let silenceCeiling: Float = -36
    private static let leastSilence = 0.2
    /// Farther away than this from where it is expected a silence must be deep and long: songs have rests.
    private static let nearSilence = 1.5
    private static let farDepth: Float = 42
    private static let farSilence = 0.35
    /// The cut lies so long before the end of a silence, at most: the next track begins at once, with its attack whole.
    private static let lead = 0.25
    /// What is compared before and after a place.
    private static let contrastSeconds = 2.0
    /// Below this a change is no change; the value is variance explained, a band.
    private static let leastContrast: Float = 0.8

    func find(in shape: SoundShape) -> FoundCut {
        silence(in: shape) ?? change(in: shape)
            ?? FoundCut(seconds: expected, way: .metadata, confidence: 0.2, onset: expected)
    }

    // MARK: Silence

    private struct Quiet {
        var start: Double
        var end: Double
        /// Mean level, dB.
        var depth: Float
        /// dB below what is loud around it.
        var contrast: Float
        var length: Double { end - start }
    }

    private func silence(in shape: SoundShape) -> FoundCut? {
        let quiet = quietRuns(in: shape).filter(isBelieved)
        guard let best = quiet.max(by: { worth($0) < worth($1) }) else { return nil }
        let middle = (best.start + best.end) / 2
        let others = quiet.filter { $0.start != best.start }.map(worth).max() ?? 0
        let confidence = max(0.5, min(1, 1 - 0.5 * others / max(worth(best), 0.001)))
        return FoundCut(
            seconds: max(middle, best.end - Self.lead), way: .silence, confidence: confidence, onset: best.end
        )
    }

    private func isBelieved(_ quiet: Quiet) -> Bool {
        let distance = distance(quiet)
        if distance <= Self.nearSilence { return true }
        return distance < reach && quiet.contrast >= Self.farDepth && quiet.length >= Self.farSilence
    }

    private func distance(_ quiet: Quiet) -> Double { max(0, quiet.start - expected, expected - quiet.end) }

    /// Long and deep silences are worth more, and near ones.
    private func worth(_ quiet: Quiet) -> Double {
        let nearness = 1 - 0.5 * min(1, distance(quiet) / max(reach, 0.1))
        return min(quiet.length, 1.5) * Double(-quiet.depth) / 60 * nearness
    }

    private func quietRuns(in shape: SoundShape) -> [Quiet] {
        let sorted = shape.level.sorted()
        guard let loud = sorted.isEmpty ? nil : sorted[sorted.count * 3 / 4] else { return [] }
        let limit = min(loud - Self.silenceDepth, Self.silenceCeiling)
        var runs: [Quiet] = []
        var start: Int?
        for index in 0...shape.level.count {
            let isQuiet = index < shape.level.count && shape.level[index] < limit
            if isQuiet {
                start = start ?? index
            } else if let first = start {
                start = nil
                let mean = shape.level[first..<index].reduce(0, +) / Float(index - first)
                let run = Quiet(
                    start: Double(first) * SoundShape.levelStep, end: Double(index) * SoundShape.levelStep,
                    depth: mean,
                    contrast: loud - mean)
                if run.length >= Self.leastSilence { runs.append(run) }
            }
        }
        return runs
    }

    // MARK: Change

    private func change(in shape: SoundShape) -> FoundCut? {
        let contrast = ContrastCurve(shape, seconds: Self.contrastSeconds)
        // Music changes within a song as much as between two: farther away only a silence is believed.
        guard let best = contrast.peak(from: expected - tolerance, to: expected + tolerance),
            best.value >= Self.leastContrast,
            let any = contrast.peak(from: expected - reach, to: expected + reach)
        else { return nil }
        let share = Double(best.value / max(any.value, best.value))
        return FoundCut(
            seconds: best.seconds, way: .change, confidence: 0.3 + 0.4 * share, onset: best.seconds)
    }
}

/// How much the sound after each place differs from the sound before it.
struct ContrastCurve {
    private var values: [Float] = []
    /// Differences below so many dB say nothing.
    private static let noise: Float = 9

    /// - Parameter seconds: of sound that are compared on both sides; less at the ends, down to a third.
    init(_ shape: SoundShape, seconds: Double) {
        let rows = shape.bandRows
        let reach = Int(seconds / SoundShape.bandStep)
        guard rows > 0 else { return }
        var sums = [Float](repeating: 0, count: rows + 1)
        var squares = sums
        values = [Float](repeating: 0, count: rows)
        for band in 0..<SoundShape.bandCount {
            for row in 0..<rows {
                let value = max(shape.bands[row * SoundShape.bandCount + band], -80)
                sums[row + 1] = sums[row] + value
                squares[row + 1] = squares[row] + value * value
            }
            for row in 0..<rows {
                let before = max(0, row - reach)..<row
                let after = row..<min(rows, row + reach)
                guard min(before.count, after.count) * 3 >= reach else { continue }
                let (left, right) = (Self.moments(before, sums, squares), Self.moments(after, sums, squares))
                let step = left.mean - right.mean
                values[row] += step * step / (left.variance + right.variance + Self.noise)
            }
        }
        for row in values.indices { values[row] /= Float(SoundShape.bandCount) }
    }

    private static func moments(_ rows: Range<Int>, _ sums: [Float], _ squares: [Float]) -> (
        mean: Float, variance: Float
    ) {
        let count = Float(rows.count)
        let mean = (sums[rows.upperBound] - sums[rows.lowerBound]) / count
        let square = (squares[rows.upperBound] - squares[rows.lowerBound]) / count
        return (mean, max(0, square - mean * mean))
    }

    func peak(from start: Double, to end: Double) -> (seconds: Double, value: Float)? {
        let first = max(0, Int(start / SoundShape.bandStep))
        let last = min(values.count, Int(end / SoundShape.bandStep) + 1)
        guard first < last, let best = (first..<last).max(by: { values[$0] < values[$1] }) else { return nil }
        return (Double(best) * SoundShape.bandStep, values[best])
    }
}
