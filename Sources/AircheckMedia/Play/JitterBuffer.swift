internal import StreamFormats

/// Frames that have arrived and are not yet decoded: what makes up for a network that stumbles.
struct JitterBuffer {
    /// A frame that is up next, and where it begins in the feed's audio time.
    struct Frame {
        var bytes: ArraySlice<UInt8>
        var position: Int64
        var nanoseconds: Int64
    }

    private struct Piece {
        var run: FrameRun
        var position: Int64
    }

    /// Nanoseconds held.
    private(set) var duration: Int64 = 0
    private let rate: Int64
    private var pieces: [Piece] = []
    private var firstPiece = 0
    /// Where the next frame of the first piece is: its index, its first byte, the samples before it.
    private var cursor = (frame: 0, byte: 0, samples: Int64(0))

    /// Longest sound held, in nanoseconds. More can only come from a source that sends faster than time for minutes.
    private static let limit: Int64 = 120_000_000_000

    /// Where the first frame that was ever pushed begins; 0 before that.
    private(set) var start: Int64 = 0

    init(sampleRate: Int) { rate = Int64(max(sampleRate, 1)) }

    /// Adds frames that begin at `position`. False if the oldest had to go to make room.
    mutating func push(_ run: FrameRun, position: Int64) -> Bool {
        guard !run.frames.isEmpty else { return true }
        if pieces.isEmpty, duration == 0, firstPiece == 0 { start = position }
        pieces.append(Piece(run: run, position: position))
        duration += nanoseconds(run.samples)
        guard duration > Self.limit else { return true }
        while duration > Self.limit / 2, next() != nil {}
        return false
    }

    /// Takes the next frame.
    mutating func next() -> Frame? {
        while firstPiece < pieces.count {
            let piece = pieces[firstPiece]
            guard cursor.frame < piece.run.frames.count else {
                forgetFirst()
                continue
            }
            let info = piece.run.frames[cursor.frame]
            let end = min(cursor.byte + Int(info.length), piece.run.bytes.count)
            let start = nanoseconds(cursor.samples)
            let length = nanoseconds(cursor.samples + Int64(info.samples)) - start
            let frame = Frame(
                bytes: piece.run.bytes[cursor.byte..<end], position: piece.position + start,
                nanoseconds: length)
            cursor = (cursor.frame + 1, end, cursor.samples + Int64(info.samples))
            duration = max(duration - length, 0)
            return frame
        }
        duration = 0
        return nil
    }

    private mutating func forgetFirst() {
        cursor = (0, 0, 0)
        firstPiece += 1
        guard firstPiece >= 64 || firstPiece == pieces.count else {
            pieces[firstPiece - 1].run = FrameRun()
            return
        }
        pieces.removeFirst(firstPiece)
        firstPiece = 0
    }

    private func nanoseconds(_ samples: Int64) -> Int64 {
        let (seconds, rest) = samples.quotientAndRemainder(dividingBy: rate)
        return seconds * 1_000_000_000 + rest * 1_000_000_000 / rate
    }
}
