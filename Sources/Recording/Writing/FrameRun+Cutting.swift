internal import Feed
internal import StreamFormats

extension FrameRun {
    /// Some of the frames.
    func frames(_ range: Range<Int>) -> FrameRun {
        guard range != frames.indices else { return self }
        let start = frames[..<range.lowerBound].reduce(0) { $0 + Int($1.length) }
        let length = frames[range].reduce(0) { $0 + Int($1.length) }
        let end = min(start + length, bytes.count)
        return FrameRun(bytes: Array(bytes[min(start, end)..<end]), frames: Array(frames[range]))
    }

    /// The frames that end after `place`, and where the first of them begins. The run begins at `start`.
    func dropping(before place: StreamPosition, start: StreamPosition, rate: Int) -> (
        FrameRun, StreamPosition
    ) {
        var position = start
        var samples: Int64 = 0
        for (index, frame) in frames.enumerated() {
            samples += Int64(frame.samples)
            let end = StreamPosition(
                bytes: position.bytes + Int64(frame.length),
                nanoseconds: start.nanoseconds + samples * 1_000_000_000 / Int64(max(rate, 1)))
            if end.nanoseconds > place.nanoseconds { return (frames(index..<frames.count), position) }
            position = end
        }
        return (FrameRun(), position)
    }
}
