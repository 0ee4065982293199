internal import Feed
internal import MediaHelper
internal import Platform
internal import StreamFormats

/// One station on its way to the helper: its reader, its number there, and the titles along it.
struct TunedStream {
    let id: UInt32
    /// As it is now.
    var station: Station
    let feed: Feed
    let reader: FeedReader
    /// Titles from the one heard now on, in order.
    private var titles: [TitleMark] = []
    private(set) var format: AudioFormat?
    /// Where its sound begins, and the last place that was asked for, nanoseconds of audio time.
    private var begin: Int64?
    private var place: Int64?
    /// What was the title before its sound begins is of another connection.
    private var isRejoined = false

    /// Seconds from the beginning on within which a station says what it airs: two kilobytes a second with a metaint
    /// of 16,000 bytes.
    private static let introduction = 8.0

    init(id: UInt32, station: Station, feed: Feed, reader: FeedReader) {
        self.id = id
        self.station = station
        self.feed = feed
        self.reader = reader
    }

    /// Reads what has come, says to the helper what it must know, and remembers the titles.
    mutating func pump(gain: Double, _ send: (HelperCommand) -> Void) {
        while true {
            let batch = reader.read()
            if batch.events.isEmpty { return }
            for event in batch.events { pump(event, gain, send) }
        }
    }

    private mutating func pump(_ event: FeedEvent, _ gain: Double, _ send: (HelperCommand) -> Void) {
        switch event {
        case .format(let new, _):
            format = new
            send(.stream(id: id, format: new, gain: gain))
        case .audio(let chunk):
            var position = chunk.start.nanoseconds
            if begin == nil { begin = position }
            for piece in chunk.run.pieces() {
                send(.frames(id: id, position: position, run: piece))
                position &+= nanoseconds(of: piece, chunk.format)
            }
        case .title(let mark):
            titles.append(mark)
        case .retitled(let marks):
            for mark in marks {
                for index in titles.indices where titles[index].position == mark.position {
                    titles[index] = mark
                }
            }
        case .gap:
            if begin == nil { isRejoined = true }
        }
    }

    private func nanoseconds(of run: FrameRun, _ format: AudioFormat) -> Int64 {
        Nanoseconds.of(Double(run.samples) / Double(max(format.sampleRate, 1)))
    }

    /// The title valid at a place, in nanoseconds of audio time; those before it are forgotten.
    mutating func title(at position: Int64) -> TitleMark? {
        place = position
        if isRejoined, titles.count > 1, isIntroduction(titles[1]) { titles.removeFirst() }
        if let current = titles.lastIndex(where: { $0.position.nanoseconds <= position }), current > 0 {
            titles.removeFirst(current)
        }
        guard let first = titles.first else { return nil }
        return first.position.nanoseconds <= position || isIntroduction(first) ? first : nil
    }

    /// The title where it stands: at its beginning, or where it ran dry.
    mutating func title() -> TitleMark? { (place ?? begin).flatMap { title(at: $0) } }

    /// What a connection says first comes with its first metaint, and is what has been airing, not what begins: it holds from
    /// where the sound begins. Other ways of telling a title put it where it belongs.
    private func isIntroduction(_ mark: TitleMark) -> Bool {
        guard let begin, mark.raw.source == .icy else { return false }
        let after = mark.position.nanoseconds &- begin
        return (0...Nanoseconds.of(Self.introduction)).contains(after)
    }
}
