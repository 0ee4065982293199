package import StreamFormats

extension FrameRun {
    /// The run cut between frames so that no piece is longer than `limit` bytes, except for a single frame that is.
    package func pieces(limit: Int = WireFormat.pieceBytes) -> [FrameRun] {
        guard bytes.count > limit else { return frames.isEmpty ? [] : [self] }
        var pieces: [FrameRun] = []
        var (first, start, end) = (0, 0, 0)
        for (index, frame) in frames.enumerated() {
            let next = end + Int(frame.length)
            if next - start > limit, index > first {
                pieces.append(
                    FrameRun(bytes: Array(bytes[start..<end]), frames: Array(frames[first..<index])))
                (first, start) = (index, end)
            }
            end = next
        }
        pieces.append(FrameRun(bytes: Array(bytes[start..<end]), frames: Array(frames[first...])))
        return pieces
    }
}
