/// Notices that connections are dropped after the same time again and again: somebody else uses the account, or something
/// on the way ends what lasts too long. A plain value.
struct DropRhythm: Sendable {
    /// So many connections in a row make a rhythm.
    private static let enough = 4
    /// They end within so much of each other: a part of their length, and never less than so many seconds.
    private static let share = 0.1
    private static let slack = 1.0
    /// What lives for less than so many seconds is a refusal; what lives longer than that ends for reasons of its own.
    private static let lengths = 2.0...7200.0

    /// Seconds that the last connections lived, oldest first.
    private var lives: [Double] = []

    /// A connection that brought audio was dropped by the other side.
    mutating func dropped(after seconds: Double) {
        guard Self.lengths.contains(seconds) else {
            lives = []
            return
        }
        lives.append(seconds)
        if lives.count > Self.enough { lives.removeFirst() }
    }

    /// A connection outlived the rhythm by far.
    mutating func lasts(for seconds: Double) {
        if let every, seconds > every * 2 + Self.slack { lives = [] }
    }

    /// Seconds after which connections are dropped; nil where there is no rhythm.
    var every: Double? {
        guard lives.count == Self.enough, let least = lives.min(), let most = lives.max(),
            most - least <= max(Self.slack, most * Self.share)
        else { return nil }
        return lives.reduce(0, +) / Double(lives.count)
    }

    /// For people; nil where there is no rhythm.
    var notice: String? {
        every.map {
            "dropped after \(Int($0.rounded())) s each time: another program may use the same account, or something on "
                + "the way ends long connections"
        }
    }
}
