internal import Platform

/// Learns how late a station's titles come, or how early, from the silences that were found beside them.
struct OffsetLearner: Sendable, Hashable {
    /// As many silences make an offset credible.
    static let enough = 3
    private static let memory = 21

    /// Seconds from the metadata to the music, newest last.
    private(set) var seen: [Double] = []

    init(_ seen: [Double] = []) { self.seen = seen.suffix(Self.memory) }

    mutating func saw(_ offset: Double) {
        seen.append(offset)
        if seen.count > Self.memory { seen.removeFirst() }
    }

    /// Where the music is expected, in seconds from its metadata; nil while what was seen says little.
    /// - Parameter lag: half a metadata interval: a title waits for the next block, so it comes anywhere within one.
    func offset(lag: Double) -> Double? {
        guard seen.count >= Self.enough, let least = seen.min(), let most = seen.max() else { return nil }
        // All of it is what the wait for a block explains: this station's titles are exact.
        if least >= -2 * lag - Self.noise, most <= Self.noise { return -lag }
        // Within one interval all places are alike, and then the middle of the ends says more than the median.
        if most - least <= 2 * lag + Self.noise { return (least + most) / 2 }
        let sorted = seen.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// How far from there most of what was seen lay.
    func spread(lag: Double) -> Double? {
        guard let offset = offset(lag: lag) else { return nil }
        let distances = seen.map { abs($0 - offset) }.sorted()
        return distances[distances.count * 3 / 4]
    }

    /// Silences have no sharp end.
    private static let noise = 0.15
}

/// What has been learned of all stations, shared by their recordings.
package final class StationOffsets: Sendable {
    private let learners: Lock<[String: OffsetLearner]>
    private let learned: @Sendable (_ station: String, _ offsets: [Double]) -> Void

    /// - Parameters:
    ///   - known: what an earlier run has learned, as `learned` was told it.
    ///   - learned: told after every silence, to be kept.
    package init(
        known: [String: [Double]] = [:], learned: @escaping @Sendable (String, [Double]) -> Void = { _, _ in }
    ) {
        learners = Lock(known.mapValues { OffsetLearner($0) })
        self.learned = learned
    }

    /// Seconds from a station's titles to their music, with nothing known of its metadata interval; nil while silences have
    /// said little.
    package func offset(of station: String) -> Double? { learner(of: station).offset(lag: 0) }

    /// How many silences were seen of a station.
    package func count(of station: String) -> Int { learner(of: station).seen.count }

    func learner(of station: String) -> OffsetLearner { learners.withLock { $0[station] ?? OffsetLearner() } }

    func saw(_ offset: Double, at station: String) {
        let seen = learners.withLock { learners -> [Double] in
            learners[station, default: OffsetLearner()].saw(offset)
            return learners[station]?.seen ?? []
        }
        learned(station, seen)
    }
}
