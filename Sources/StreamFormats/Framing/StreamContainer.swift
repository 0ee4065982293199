/// A container that frames come packed in, told by its first bytes.
enum StreamContainer: Sendable, Equatable {
    case ogg
    case flac
    case transportStream
    case mp4

    enum Reading {
        case container(StreamContainer)
        case none
        case needsMore
    }

    /// Bytes that one of them begins with.
    static let firstBytes: [Int] = [0x4F, 0x66, 0x47, 0x00]
    /// MPEG-TS packets that must stand in a row.
    private static let packetsInRow = 4
    static let packetLength = 188
    /// An MP4 box that a stream or a segment begins with is no longer.
    private static let longestFirstBox = 1 << 20

    /// True where one of the containers that music files have behind an ID3 tag begins.
    static func isMarker(_ window: borrowing ByteWindow, at index: Int) -> Bool {
        window.has("OggS\0", at: index) || window.has("fLaC\0\0\0\u{22}", at: index)
    }

    /// Looks for a container at `index`.
    static func read(_ window: borrowing ByteWindow, at index: Int, atEnd: Bool) -> Reading {
        switch window[index] {
        case 0x4F: text("OggS\0", .ogg, window, index, atEnd)
        case 0x66: text("fLaC\0\0\0\u{22}", .flac, window, index, atEnd)
        case 0x47: transportStream(window, at: index, atEnd: atEnd)
        case 0x00: box(window, at: index, atEnd: atEnd)
        default: .none
        }
    }

    private static func text(
        _ mark: StaticString, _ container: StreamContainer, _ window: borrowing ByteWindow, _ index: Int,
        _ atEnd: Bool
    ) -> Reading {
        if window.has(mark, at: index) { return .container(container) }
        return !atEnd && window.count - index < mark.utf8CodeUnitCount && window.mayHave(mark, at: index)
            ? .needsMore : .none
    }

    /// A row of sync bytes a packet apart; at the end of the input two will do.
    private static func transportStream(_ window: borrowing ByteWindow, at index: Int, atEnd: Bool) -> Reading
    {
        for packet in 0..<packetsInRow {
            let place = index + packet * packetLength
            guard place < window.count else {
                return atEnd ? (packet >= 2 ? .container(.transportStream) : .none) : .needsMore
            }
            guard window[place] == 0x47 else { return .none }
            guard place + 3 < window.count else { return atEnd ? .none : .needsMore }
            let isDamaged = window[place + 1] & 0x80 != 0 || window[place + 3] & 0x30 == 0
            if isDamaged { return .none }
        }
        return .container(.transportStream)
    }

    private static func box(_ window: borrowing ByteWindow, at index: Int, atEnd: Bool) -> Reading {
        guard index + 8 <= window.count else {
            return atEnd || (index + 1 < window.count && window[index + 1] > 0x10) ? .none : .needsMore
        }
        let size = window.big32(at: index)
        guard size >= 8, size <= longestFirstBox else { return .none }
        let isFirst =
            window.has("ftyp", at: index + 4) || window.has("styp", at: index + 4)
            || window.has("moov", at: index + 4)
            || window.has("moof", at: index + 4) || window.has("sidx", at: index + 4)
            || window.has("emsg", at: index + 4)
        return isFirst ? .container(.mp4) : .none
    }
}
