/// A gain on its way to another one, in a straight line, so that no change clicks.
struct Ramp {
    private(set) var value: Float
    private var target: Float
    private var left = 0

    init(_ value: Float) {
        self.value = value
        target = value
    }

    var isResting: Bool { left == 0 }
    var goal: Float { target }

    /// Begins to move; arrives after so many samples.
    mutating func move(to target: Float, over samples: Int) {
        self.target = target
        left = max(samples, 0)
        if left == 0 { value = target }
    }

    /// The gains at the start and the end of the next `count` samples.
    mutating func advance(_ count: Int) -> (from: Float, to: Float) {
        let from = value
        if count >= left {
            (value, left) = (target, 0)
        } else {
            value += (target - value) * Float(count) / Float(left)
            left -= count
        }
        return (from, value)
    }
}
