/// Where the frames in a ring begin: growing places in a circle that grows until it is as long as the ring needs.
struct FrameIndex {
    private var places: ContiguousArray<Int64> = []
    private var first = 0
    private var count = 0

    /// Adds the next boundary; `place` is greater than all before.
    mutating func append(_ place: Int64) {
        if count == places.count { grow() }
        places[(first + count) & (places.count - 1)] = place
        count += 1
    }

    mutating func forget(before place: Int64) {
        while count > 0, self[0] < place {
            first = (first + 1) & (places.count - 1)
            count -= 1
        }
    }

    func first(atOrAfter place: Int64) -> Int64? {
        let index = lowerBound(of: place)
        return index < count ? self[index] : nil
    }

    func last(atOrBefore place: Int64) -> Int64? {
        let index = lowerBound(of: place)
        if index < count, self[index] == place { return place }
        return index > 0 ? self[index - 1] : nil
    }

    private subscript(index: Int) -> Int64 { places[(first + index) & (places.count - 1)] }

    /// The number of boundaries before `place`.
    private func lowerBound(of place: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func grow() {
        var larger = ContiguousArray<Int64>(repeating: 0, count: max(256, places.count * 2))
        for index in 0..<count { larger[index] = self[index] }
        places = larger
        first = 0
    }
}
