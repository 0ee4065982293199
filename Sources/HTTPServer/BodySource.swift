internal import CLinux
internal import Platform

/// Where the rest of an answer comes from, piece by piece, as the client takes it. Loop thread.
protocol BodySource: AnyObject {
    func nextPiece() -> BodyPiece
    /// The answer is over, one way or the other.
    func finished()
}

enum BodyPiece {
    case bytes([UInt8])
    /// Bytes of a file that the kernel sends by itself.
    case file(OpenFile, Range<Int64>)
    /// Nothing now. The source calls the connection when there is more, or is asked again after so many seconds.
    case wait(seconds: Double?)
    case end
}

/// A file whose length is known: the kernel sends it.
final class WholeFile: BodySource {
    private let file: OpenFile
    private var range: Range<Int64>
    /// Sent before other connections have their turn.
    private static let pieceLength: Int64 = 512 << 10

    init(_ file: OpenFile, _ range: Range<Int64>) {
        self.file = file
        self.range = range
    }

    func nextPiece() -> BodyPiece {
        guard !range.isEmpty else { return .end }
        let end = min(range.upperBound, range.lowerBound + Self.pieceLength)
        let piece = range.lowerBound..<end
        range = end..<range.upperBound
        // The next piece comes off the disk while this one is on its way.
        posix_fadvise(file.descriptor.number, off_t(end), off_t(Self.pieceLength), POSIX_FADV_WILLNEED)
        return .file(file, piece)
    }

    func finished() {}
}

/// A file that somebody still writes: sent as far as it goes, then followed until it is finished.
final class FollowedFile: BodySource {
    private let file: OpenFile
    private let growth: any GrowingFile
    private var offset: Int64 = 0
    private static let pieceLength = 64 << 10
    /// Seconds between two looks at a file that had nothing more; a recorder writes about as often.
    private static let pollSeconds = 0.25

    init(_ file: OpenFile, growth: any GrowingFile) {
        self.file = file
        self.growth = growth
    }

    func nextPiece() -> BodyPiece {
        // Asked for first: what it says is true of a read that comes after.
        let final = growth.finalSize
        var piece = [UInt8](repeating: 0, count: Self.pieceLength)
        if let final { piece.removeLast(max(0, piece.count - Int(clamping: max(0, final - offset)))) }
        let count = pread(file.descriptor.number, &piece, piece.count, off_t(offset))
        if count > 0 {
            offset += Int64(count)
            return .bytes(Array(piece.prefix(count)))
        }
        return final == nil && count == 0 ? .wait(seconds: Self.pollSeconds) : .end
    }

    func finished() {}
}
