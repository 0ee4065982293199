internal import MediaHelper
internal import Platform

/// Renders at the pace of the clock: for files, pipes and nothing, and while there is no sound server.
struct PacedOutput {
    private let engine: PlayEngine
    private let time: any TimeSource
    private var start: MonotonicTime
    private var rendered: Int64 = 0
    private var block: [Float]

    /// Milliseconds rendered at once.
    private static let blockMilliseconds = 20
    /// Seconds that may be made up for after a stop of the machine; more is left out.
    private static let largestLag = 1.0

    init(engine: PlayEngine, time: any TimeSource) {
        self.engine = engine
        self.time = time
        start = time.now
        block = [Float](repeating: 0, count: engine.rate * Self.blockMilliseconds / 1000 * 2)
    }

    /// Starts counting from now: the time before went to somebody else.
    mutating func restart() {
        start = time.now
        rendered = 0
    }

    /// Renders all blocks that are due. Stops when `take` says false.
    mutating func renderDue(_ take: (UnsafeMutableBufferPointer<Float>) -> Bool) -> Bool {
        let due = Int64(time.now.seconds(since: start) * Double(engine.rate))
        let frames = Int64(block.count / 2)
        if Double(due - rendered) > Self.largestLag * Double(engine.rate) { rendered = due - frames }
        while rendered + frames <= due {
            rendered += frames
            let isTaken = block.withUnsafeMutableBufferPointer { [engine] buffer in
                engine.render(into: buffer)
                return take(buffer)
            }
            guard isTaken else { return false }
        }
        return true
    }
}
