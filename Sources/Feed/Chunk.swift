package import Platform
package import StreamFormats

/// Whole frames of one format, as they arrived together. Shared by reference by everybody who reads the feed.
package final class Chunk: Sendable {
    package let bytes: [UInt8]
    package let format: AudioFormat
    package let start: StreamPosition
    package let end: StreamPosition
    /// When the last of the bytes came in, on both clocks.
    package let arrival: MonotonicTime
    package let wall: WallTime
    private let frames: FrameTable

    package init(
        run: FrameRun, format: AudioFormat, start: StreamPosition, end: StreamPosition,
        arrival: MonotonicTime, wall: WallTime
    ) {
        bytes = run.bytes
        frames = .asTheyCame(run.frames)
        self.format = format
        self.start = start
        self.end = end
        self.arrival = arrival
        self.wall = wall
    }

    /// The bytes and where each frame ends. Of audio that has been kept for a while the latter is worked out, so ask once.
    package var run: FrameRun { FrameRun(bytes: bytes, frames: frames.all) }

    /// One chunk of several that follow each other, in as little memory as will do. It came when the last of them came.
    init(joining chunks: [Chunk]) {
        precondition(!chunks.isEmpty, "a chunk is made of some")
        var bytes = PiecePool.shared.take(room: chunks.reduce(0) { $0 + $1.bytes.count })
        var frames: [FrameInfo] = []
        frames.reserveCapacity(chunks.reduce(0) { $0 + $1.frames.count })
        for chunk in chunks {
            bytes += chunk.bytes
            frames += chunk.frames.all
        }
        let (first, last) = (chunks[0], chunks[chunks.count - 1])
        self.bytes = bytes
        self.frames = FrameTable(packing: frames)
        format = first.format
        start = first.start
        end = last.end
        arrival = last.arrival
        wall = last.wall
    }

    deinit { PiecePool.shared.give(bytes) }

    /// The first so many frames, and the others; nil for none.
    func split(afterFrames count: Int) -> (before: Chunk?, after: Chunk?) {
        let all = frames.all
        guard count > 0 else { return (nil, self) }
        guard count < all.count else { return (self, nil) }
        let (head, tail) = (Array(all[..<count]), Array(all[count...]))
        let length = min(head.reduce(0) { $0 + Int($1.length) }, bytes.count)
        let samples = head.reduce(0) { $0 + Int64($1.samples) }
        let middle = StreamPosition(
            bytes: start.bytes + Int64(length),
            nanoseconds: min(
                start.nanoseconds + samples * 1_000_000_000 / Int64(max(format.sampleRate, 1)),
                end.nanoseconds))
        return (
            part(FrameRun(bytes: Array(bytes[..<length]), frames: head), start, middle),
            part(FrameRun(bytes: Array(bytes[length...]), frames: tail), middle, end)
        )
    }

    private func part(_ run: FrameRun, _ start: StreamPosition, _ end: StreamPosition) -> Chunk {
        Chunk(run: run, format: format, start: start, end: end, arrival: arrival, wall: wall)
    }
}

/// Where the frames of a chunk end and how long they sound.
private enum FrameTable: Sendable {
    case asTheyCame([FrameInfo])
    /// All of them sound equally long and none is long: a quarter of the memory.
    case alike(lengths: [UInt16], samples: Int32)

    init(packing frames: [FrameInfo]) {
        let samples = frames.first?.samples ?? 0
        let fits = frames.allSatisfy { $0.samples == samples && (0...Int32(UInt16.max)).contains($0.length) }
        self =
            fits
            ? .alike(lengths: frames.map { UInt16($0.length) }, samples: samples) : .asTheyCame(Array(frames))
    }

    var count: Int {
        switch self {
        case .asTheyCame(let frames): frames.count
        case .alike(let lengths, _): lengths.count
        }
    }

    var all: [FrameInfo] {
        switch self {
        case .asTheyCame(let frames): frames
        case .alike(let lengths, let samples):
            lengths.map { FrameInfo(length: Int32($0), samples: samples) }
        }
    }
}
