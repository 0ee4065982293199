/// Puts what a reader found in the order of the stream: frames gathered into runs, junk summed up, each title before the
/// first frame that starts at or after the place where it came.
struct FrameOutlet: Sendable {
    /// More titles than this between two frames are a flood; the oldest go.
    private static let titleLimit = 64

    private(set) var format: AudioFormat?
    /// What is handed over is copied to its exact size, because a feed holds hundreds of runs for a minute; this itself
    /// is given back after each push, because hundreds of connections wait for most of the time.
    private var run = FrameRun()
    private var junk = 0
    private var titles: [(place: Int64, title: RawTitle)] = []
    private var found: [StreamElement] = []

    /// So many bytes may become frames before the next `drain`: room for them is made once.
    mutating func expect(_ bytes: Int) { run.bytes.reserveCapacity(bytes) }

    /// From the next frame on. An equal format is no news.
    mutating func begin(_ format: AudioFormat) {
        guard format != self.format else { return }
        settle()
        self.format = format
        found.append(.format(format))
    }

    /// One whole frame, `start` being the stream offset of its first byte. `header` goes in front of it.
    mutating func emit(_ frame: ArraySlice<UInt8>, header: [UInt8] = [], samples: Int, start: Int64) {
        if junk > 0 { settle() }
        if let first = titles.first, first.place <= start { emitTitles(upTo: start) }
        run.bytes.append(contentsOf: header)
        run.bytes.append(contentsOf: frame)
        run.frames.append(
            FrameInfo(length: Int32(clamping: header.count + frame.count), samples: Int32(clamping: samples)))
    }

    mutating func skip(_ length: Int) {
        junk += length
    }

    mutating func push(title: RawTitle, at place: Int64) {
        if titles.count == Self.titleLimit { titles.removeFirst() }
        titles.append((place, title))
    }

    /// The offsets of the frames to come count from somewhere else: titles that wait are valid from the next frame.
    mutating func restartOffsets() {
        for index in titles.indices { titles[index].place = .min }
    }

    /// Hands over what is complete.
    mutating func drain(into elements: inout [StreamElement]) {
        settle()
        elements.append(contentsOf: found)
        found.removeAll(keepingCapacity: true)
        run = FrameRun()
    }

    /// Hands over everything, titles that no frame followed too.
    mutating func finish(into elements: inout [StreamElement]) {
        settle()
        emitTitles(upTo: .max)
        drain(into: &elements)
    }

    private mutating func emitTitles(upTo place: Int64) {
        settle()
        while let first = titles.first, first.place <= place {
            found.append(.title(first.title))
            titles.removeFirst()
        }
    }

    /// Frames gathered so far come before the junk: junk after them ends the run.
    private mutating func settle() {
        if !run.frames.isEmpty {
            found.append(.frames(FrameRun(bytes: Self.exact(run.bytes), frames: Self.exact(run.frames))))
            run.bytes.removeAll(keepingCapacity: true)
            run.frames.removeAll(keepingCapacity: true)
        }
        if junk > 0 {
            found.append(.junk(byteCount: junk))
            junk = 0
        }
    }

    private static func exact<Element>(_ elements: [Element]) -> [Element] {
        unsafe elements.withUnsafeBufferPointer { unsafe Array($0) }
    }
}
