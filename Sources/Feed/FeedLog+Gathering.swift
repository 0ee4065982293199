import Platform
import StreamFormats

/// What has been heard for a while is kept in few large pieces: a chunk of a quarter of a second costs a tenth of its
/// sound in bookkeeping, and hundreds of stations keep a minute each.
extension FeedLog {
    /// What is younger stays as it came: bursts and cuts begin there.
    static let freshNanoseconds: Int64 = 10_000_000_000
    /// A piece is no longer than this, in sound and in bytes: a place in the window is found to within one.
    static let pieceNanoseconds: Int64 = 1_000_000_000
    static let pieceBytes = 16 << 10

    /// Joins the oldest chunks that are still as they came, once enough of them are old and every reader is past them.
    mutating func gather() {
        while let piece = nextPiece() {
            // A piece of one chunk, or an event that is no audio, is passed over.
            if piece.count > 1, let joined = join(piece) {
                events.replace(piece, with: .audio(joined))
                let gone = piece.count - 1
                for id in readers.keys { readers[id]?.next -= gone }
            }
            firstLoose = piece.lowerBound + 1
        }
    }

    /// The next events that belong together; nil while some of them are fresh or still to be read by somebody.
    private func nextPiece() -> Range<Int>? {
        let begin = max(firstLoose, events.start)
        guard let first = events[begin] else { return nil }
        guard case .audio(let chunk) = first else { return begin..<begin + 1 }
        let limit = chunk.start.nanoseconds + Self.pieceNanoseconds
        guard position.nanoseconds - limit >= Self.freshNanoseconds else { return nil }
        let read = readers.values.lazy.map(\.next).min() ?? events.end
        var (end, bytes) = (begin + 1, chunk.bytes.count)
        while case .audio(let next)? = events[end], next.end.nanoseconds <= limit,
            bytes + next.bytes.count <= Self.pieceBytes, next.format == chunk.format
        {
            bytes += next.bytes.count
            end += 1
        }
        return end <= read ? begin..<end : nil
    }

    /// One chunk of several; it came when the last of them came.
    private func join(_ sequences: Range<Int>) -> Chunk? {
        let chunks = sequences.compactMap { sequence -> Chunk? in
            if case .audio(let chunk)? = events[sequence] { chunk } else { nil }
        }
        guard let first = chunks.first, let last = chunks.last else { return nil }
        var run = FrameRun()
        run.bytes.reserveCapacity(chunks.reduce(0) { $0 + $1.bytes.count })
        run.frames.reserveCapacity(chunks.reduce(0) { $0 + $1.run.frames.count })
        for chunk in chunks {
            run.bytes += chunk.run.bytes
            run.frames += chunk.run.frames
        }
        return Chunk(
            run: run, format: first.format, start: first.start, end: last.end, arrival: last.arrival,
            wall: last.wall)
    }
}
