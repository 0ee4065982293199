import Platform

/// When a station is tried again: so long after a round of tries that failed, and sooner where somebody asks for it. A plain
/// value; the pauses themselves are `BackOff`'s.
struct Retries: Sendable {
    /// Between a round of tries and one that somebody asks for; each that failed doubles it, because whoever asks may be a
    /// program that asks for ever. Seconds.
    private static let hurryPause = 3.0
    private static let longestHurryPause = 60.0

    private var backOff: BackOff
    private var began: MonotonicTime?
    /// Rounds since there was audio that somebody asked for; and whether the next one is such a round.
    private var hurried = 0
    private var isHurried = false
    /// The server has said when it wants to be asked again.
    private var isPutOff = false
    /// When the next round begins; nil where none is waited for.
    private(set) var due: MonotonicTime?

    /// - Parameter longest: the longest pause between two rounds, in seconds, but for a server's own wish.
    init(longest: Double) { backOff = BackOff(longest: longest) }

    /// A round of tries begins.
    mutating func begin(at now: MonotonicTime) {
        began = now
        if isHurried { hurried += 1 }
        (isHurried, isPutOff) = (false, false)
        due = nil
    }

    /// All tries of the round have failed.
    /// - Parameters:
    ///   - kind: of the most hopeful fault of the round.
    ///   - isPutOff: a server has said when to come back.
    ///   - sinceAudio, chance: as for `BackOff`.
    /// - Returns: false where nothing is to be waited for.
    mutating func failed(
        _ kind: Fault.Kind, isPutOff: Bool, sinceAudio: Double, chance: Double, at now: MonotonicTime
    ) -> Bool {
        self.isPutOff = isPutOff
        due = backOff.wait(after: kind, sinceAudio: sinceAudio, chance: chance).map(now.advanced(bySeconds:))
        return due != nil
    }

    /// Somebody wants to hear the station now: the next round comes now, or a moment after the last one, however many ask.
    /// The pauses grow as before, and a server that has said when to come back is asked again then.
    mutating func hurry(at now: MonotonicTime) {
        guard !isPutOff, let due, let began else { return }
        let pause = min(Self.longestHurryPause, Self.hurryPause * Double(1 << min(hurried, 6)))
        let soon = max(now, began.advanced(bySeconds: pause))
        guard soon < due else { return }
        isHurried = true
        self.due = soon
    }

    /// No round is waited for any more.
    mutating func cancel() { due = nil }

    /// Whatever failed before says nothing any more.
    mutating func forgive() {
        backOff.reset()
        hurried = 0
    }
}
