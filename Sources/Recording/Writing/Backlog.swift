internal import Feed
internal import Platform
internal import StreamFormats

/// Audio on its way from the feed to a file: whole frames and where they come from.
struct AudioPiece: Sendable {
    var run: FrameRun
    var format: AudioFormat
    /// When its last byte came in.
    var wall: WallTime
    var feedStart: StreamPosition

    var seconds: Double { Double(run.samples) / Double(max(format.sampleRate, 1)) }
}

/// What a writer has been told and has not dealt with yet.
///
/// It stays empty while the disk is well. While the disk is full it keeps the newest audio, and counts what had to go.
struct Backlog: Sendable {
    enum Item: Sendable {
        case audio(AudioPiece)
        case title(TitleMark)
        case gap(Gap)
        case retitled([TitleMark])
    }

    /// More than this is never held, however short it plays.
    static let byteLimit = 16 << 20

    private var items: [Item] = []
    private var head = 0
    private(set) var seconds = 0.0
    private(set) var bytes = 0

    var first: Item? { head < items.count ? items[head] : nil }
    var isEmpty: Bool { head == items.count }

    mutating func append(_ item: Item) {
        items.append(item)
        count(item, sign: 1)
    }

    mutating func removeFirst() {
        guard let item = first else { return }
        count(item, sign: -1)
        // The slot must let go of its audio now.
        items[head] = .retitled([])
        head += 1
        if head == items.count || head >= 256 {
            items.removeFirst(head)
            head = 0
        }
    }

    /// Lets the oldest audio go until at most `limit` seconds are held.
    /// - Returns: seconds that went, and the wall time from which they are missing.
    mutating func drop(beyond limit: Double) -> (seconds: Double, from: WallTime)? {
        var lost: (seconds: Double, from: WallTime)?
        var index = head
        while seconds > limit || bytes > Self.byteLimit, index < items.count {
            if case .audio(let piece) = items[index] {
                count(items[index], sign: -1)
                lost = ((lost?.seconds ?? 0) + piece.seconds, lost?.from ?? piece.wall)
                items[index] = .retitled([])
            }
            index += 1
        }
        return lost
    }

    private mutating func count(_ item: Item, sign: Int) {
        guard case .audio(let piece) = item else { return }
        seconds = max(0, seconds + Double(sign) * piece.seconds)
        bytes += sign * piece.run.bytes.count
    }
}
