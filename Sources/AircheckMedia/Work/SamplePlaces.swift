/// Where samples came from: so that what an encoder puts out later is known by its place in the audio that went in.
struct SamplePlaces {
    private struct Mark {
        var sample: Int64
        var position: Int64
    }

    private let rate: Int64
    private var marks: [Mark] = []

    /// - Parameter rate: of the samples, Hz.
    init(rate: Int64) { self.rate = rate }

    /// The sample with this number, and those after it, come from `position` (nanoseconds) on. Numbers only grow.
    mutating func mark(sample: Int64, position: Int64) {
        // A frame that gave no sound says nothing of where the next ones come from.
        if marks.last?.sample == sample { marks.removeLast() }
        marks.append(Mark(sample: sample, position: position))
    }

    /// Where a sample came from. Forgets what lies before it: ask in rising order.
    mutating func position(of sample: Int64) -> Int64 {
        guard let index = marks.lastIndex(where: { $0.sample <= sample }) else {
            return marks.first?.position ?? 0
        }
        marks.removeFirst(index)
        return marks[0].position &+ (sample - marks[0].sample) * 1_000_000_000 / rate
    }
}
