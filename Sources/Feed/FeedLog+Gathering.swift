import Platform
import StreamFormats

/// What has been heard for a while is kept in few pieces of one size: a chunk of a quarter of a second costs a tenth of its
/// sound in bookkeeping, memory that is given back in all sizes is of little use to anybody, and hundreds of stations keep a
/// minute each.
extension FeedLog {
    /// What is younger stays as it came: bursts and cuts begin there.
    static let freshNanoseconds: Int64 = 4_000_000_000
    /// A piece is no longer than this, in sound and in bytes: a place in the window is found to within one.
    static let pieceNanoseconds: Int64 = 3_000_000_000
    /// As many bytes as fit eight pages of memory with what the array and the allocator put in front of them.
    static let pieceBytes = (32 << 10) - 64

    /// Joins the oldest chunks that are still as they came, once enough of them are old and every reader is past them.
    mutating func gather() {
        while let loose = nextPiece() {
            let made = pieces(of: loose)
            if !made.isEmpty {
                events.replace(loose, with: made.map { .audio($0) })
                let more = made.count - loose.count
                for index in readers.indices { readers.values[index].next += more }
            }
            firstLoose = loose.lowerBound + 1
        }
    }

    /// The next events that make a piece, the last of them perhaps only in part; nil while some of them are fresh or still
    /// to be read by somebody. An event that is no audio is a piece by itself.
    private func nextPiece() -> Range<Int>? {
        let begin = max(firstLoose, events.start)
        guard let first = events[begin] else { return nil }
        guard case .audio(let chunk) = first else { return begin..<begin + 1 }
        let old = position.nanoseconds - Self.freshNanoseconds
        guard chunk.start.nanoseconds + Self.pieceNanoseconds <= old else { return nil }
        var end = begin
        while case .audio(let next)? = events[end], next.format == chunk.format {
            guard next.end.nanoseconds <= old else { return nil }
            end += 1
            if Self.isFull(from: chunk.start, to: next.end) { break }
        }
        let isReadByAll = readers.indices.allSatisfy { readers.values[$0].next >= end }
        return isReadByAll && end <= events.end ? begin..<end : nil
    }

    private static func isFull(from start: StreamPosition, to end: StreamPosition) -> Bool {
        end.bytes - start.bytes >= Int64(pieceBytes)
            || end.nanoseconds - start.nanoseconds >= pieceNanoseconds
    }

    /// One piece of several chunks, and what did not go into it any more; nothing where one chunk is a piece already.
    private func pieces(of sequences: Range<Int>) -> [Chunk] {
        let chunks = sequences.compactMap { sequence -> Chunk? in
            if case .audio(let chunk)? = events[sequence] { chunk } else { nil }
        }
        guard let first = chunks.first, let last = chunks.last else { return [] }
        let fit = Self.framesThatFit(of: last, behind: first.start)
        let isSplit = fit < last.run.frames.count && (fit > 0 || chunks.count > 1)
        guard chunks.count > 1 || isSplit else { return [] }
        let (inside, rest) = last.split(afterFrames: isSplit ? fit : last.run.frames.count)
        let joined = Chunk(joining: chunks.dropLast() + [inside].compactMap { $0 })
        return [joined, rest].compactMap { $0 }
    }

    /// How many frames of a chunk end before a piece that began at `start` is full.
    private static func framesThatFit(of chunk: Chunk, behind start: StreamPosition) -> Int {
        let rate = Int64(max(chunk.format.sampleRate, 1))
        var (place, samples, count) = (chunk.start, Int64(0), 0)
        for frame in chunk.run.frames {
            samples += Int64(frame.samples)
            place.bytes += Int64(frame.length)
            place.nanoseconds = chunk.start.nanoseconds + samples * 1_000_000_000 / rate
            guard place.bytes - start.bytes <= Int64(pieceBytes),
                place.nanoseconds - start.nanoseconds <= pieceNanoseconds
            else { break }
            count += 1
        }
        return count
    }
}
