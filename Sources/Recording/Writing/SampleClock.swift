internal import Platform

/// Audio time, counted in whole samples so that days of odd frames do not drift. The rate may change.
package struct SampleClock: Sendable, Hashable {
    private var earlierNanoseconds: Int64 = 0
    private var samples: Int64 = 0
    private var rate: Int64 = 1

    package init() {}

    package var nanoseconds: Int64 {
        let (seconds, rest) = samples.quotientAndRemainder(dividingBy: rate)
        return earlierNanoseconds + seconds * 1_000_000_000 + rest * 1_000_000_000 / rate
    }

    package var seconds: Double { Double(nanoseconds) / 1e9 }

    /// Time goes on without samples.
    package mutating func skip(seconds: Double) { earlierNanoseconds += Nanoseconds.of(seconds) }

    package mutating func add(samples count: Int64, rate new: Int) {
        if Int64(new) != rate {
            earlierNanoseconds = nanoseconds
            samples = 0
            rate = Int64(max(new, 1))
        }
        samples += count
    }
}
