internal import Feed
internal import Platform
internal import StreamFormats

/// What happened when, in the time of one recording: its titles, its gaps and its place on the wall clock.
struct Timeline: Sendable {
    /// A day of one title a minute has 1,440.
    static let titleLimit = 20_000

    private(set) var titles: [RecordedTitle] = []
    private(set) var gaps: [RecordedGap] = []
    private(set) var clock = ClockMap()
    private(set) var started: WallTime?
    private(set) var ended: WallTime?
    private var samples = SampleClock()

    /// Seconds recorded before, in a recording that goes on after an interruption.
    private var before = 0.0

    init() {}

    /// Goes on where an interrupted recording ended.
    init(continuing facts: RecordingFacts) {
        titles = facts.titles
        gaps = facts.gaps
        started = facts.started
        ended = facts.ended
        before = facts.seconds
        clock = ClockMap(anchors: facts.clock)
    }

    var seconds: Double { before + samples.seconds }

    mutating func add(_ piece: AudioPiece) {
        let start = seconds
        samples.add(samples: piece.run.samples, rate: piece.format.sampleRate)
        clock.arrived(endingAt: seconds, from: start, wall: piece.wall)
        started = started ?? piece.wall
        ended = piece.wall
    }

    /// - Returns: the title as it stands in the recording; nil where it says what is already on.
    mutating func add(_ mark: TitleMark, byte: Int64, part: Int) -> RecordedTitle? {
        guard titles.last?.text != mark.text, titles.count < Self.titleLimit else { return nil }
        var title = RecordedTitle(
            seconds: seconds, byte: byte, part: part, wall: mark.wall, text: mark.text, raw: mark.raw.text)
        title.feedPosition = mark.position
        // What was announced and never sounded is no title of this recording.
        if let last = titles.last, last.seconds == seconds { titles.removeLast() }
        titles.append(title)
        return title
    }

    /// A file begins here: the title that is about to sound begins at its first frame.
    mutating func fileBegins(atByte byte: Int64, part: Int) {
        guard let last = titles.indices.last, titles[last].seconds == seconds else { return }
        titles[last].byte = byte
        titles[last].part = part
    }

    mutating func add(_ gap: Gap) -> RecordedGap {
        add(cause: gap.cause, from: gap.from, to: gap.to, lostSeconds: gap.lostSeconds)
    }

    mutating func add(cause: Gap.Cause, from: WallTime, to: WallTime, lostSeconds: Double) -> RecordedGap {
        var gap = RecordedGap(seconds: seconds, from: from, to: to, cause: cause, lostSeconds: lostSeconds)
        // A disk that stays full loses a little at every tick: one gap, however long.
        if let last = gaps.last, last.cause == cause, last.seconds == seconds {
            gap.from = last.from
            gap.lostSeconds += last.lostSeconds
            gaps.removeLast()
        }
        gaps.append(gap)
        return gap
    }

    /// Our own cut for the title whose metadata came at `seconds`.
    mutating func place(titleAt seconds: Double, cut: Double) {
        for index in titles.indices where abs(titles[index].seconds - seconds) < 0.001 {
            titles[index].cutSeconds = cut
        }
    }

    /// The station's charset is known now: titles read differently.
    mutating func reread(_ marks: [TitleMark]) {
        for mark in marks {
            for index in titles.indices where titles[index].feedPosition == mark.position {
                titles[index].text = mark.text
            }
        }
    }
}
