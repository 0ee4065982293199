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

    /// What had to go.
    struct Loss: Sendable {
        var seconds: Double
        /// The wall time from which they are missing.
        var from: WallTime
        /// Which of the audio that was ever given to this backlog.
        var numbers: Range<Int>
    }

    private struct Entry: Sendable {
        var item: Item
        /// How much audio came before, in pieces: two backlogs that are given the same can let go of the same.
        var number: Int
    }

    private var entries: [Entry] = []
    private var head = 0
    /// Pieces of audio that have been given so far.
    private var given = 0
    private(set) var seconds = 0.0
    private(set) var bytes = 0

    var first: Item? { head < entries.count ? entries[head].item : nil }
    var isEmpty: Bool { head == entries.count }

    mutating func append(_ item: Item) {
        entries.append(Entry(item: item, number: given))
        if case .audio = item { given += 1 }
        count(item, sign: 1)
    }

    mutating func removeFirst() {
        guard let item = first else { return }
        count(item, sign: -1)
        // The slot must let go of its audio now.
        entries[head].item = .retitled([])
        head += 1
        if head == entries.count || head >= 256 {
            entries.removeFirst(head)
            head = 0
        }
    }

    /// Lets the oldest audio go until at most `limit` seconds are held.
    mutating func drop(beyond limit: Double) -> Loss? {
        drop { backlog, _ in backlog.seconds > limit || backlog.bytes > Self.byteLimit }
    }

    /// Lets go of what another backlog has lost, as far as it is still here.
    mutating func drop(_ numbers: Range<Int>) {
        _ = drop { _, number in
            number < numbers.upperBound
        } unless: {
            $0 < numbers.lowerBound
        }
    }

    /// Lets audio go, from the oldest on. A disk that is full for a day must not leave a trace of every piece here.
    private mutating func drop(
        while mustGo: (Self, Int) -> Bool, unless stays: (Int) -> Bool = { _ in false }
    ) -> Loss? {
        var loss: Loss?
        var kept: [Entry] = []
        var index = head
        while index < entries.count, mustGo(self, entries[index].number) {
            let entry = entries[index]
            index += 1
            guard case .audio(let piece) = entry.item, !stays(entry.number) else {
                Self.keep(entry, in: &kept)
                continue
            }
            count(entry.item, sign: -1)
            loss = Loss(
                seconds: (loss?.seconds ?? 0) + piece.seconds, from: loss?.from ?? piece.wall,
                numbers: (loss?.numbers.lowerBound ?? entry.number)..<entry.number + 1)
        }
        entries.replaceSubrange(0..<index, with: kept)
        head = 0
        return loss
    }

    /// Of titles that nothing sounds under any more the last one counts.
    private static func keep(_ entry: Entry, in kept: inout [Entry]) {
        if case .title = entry.item, case .title? = kept.last?.item { kept.removeLast() }
        kept.append(entry)
    }

    private mutating func count(_ item: Item, sign: Int) {
        guard case .audio(let piece) = item else { return }
        seconds = max(0, seconds + Double(sign) * piece.seconds)
        bytes += sign * piece.run.bytes.count
    }
}
