internal import Feed
internal import Platform
internal import StreamFormats

/// Says where a file of the logger ends: at the first frame that was on the air at or after a round time of day.
///
/// A pure value. Round times are those of local clocks: files of an hour begin at full hours, files of a day at
/// midnight, also on the days on which the clocks change.
struct SlotClock: Sendable {
    /// Shorter files would be more names than sound.
    static let shortest = 5
    private static let day = 86_400
    /// After its end a file waits so long for audio that still belongs to it.
    private static let graceSeconds = 10.0

    let seconds: Int
    /// The next round time; nil before the first audio.
    private(set) var end: WallTime?
    private let offset: @Sendable (WallTime) -> Int

    /// - Parameters:
    ///   - seconds: the length of a file, which `isUsable`.
    ///   - offset: seconds that local clocks are ahead of UTC at a moment.
    init(seconds: Int, offset: @escaping @Sendable (WallTime) -> Int = LocalTime.offset) {
        self.seconds = max(seconds, 1)
        self.offset = offset
    }

    /// True for lengths that every day is a whole number of.
    static func isUsable(_ seconds: Int) -> Bool {
        seconds >= shortest && seconds <= day && day % seconds == 0
    }

    /// The next round time after `moment`.
    func boundary(after moment: WallTime) -> WallTime {
        let local = CivilDay.floorQuotient(moment.nanoseconds, 1_000_000_000) + Int64(offset(moment))
        let next = (CivilDay.floorQuotient(local, Int64(seconds)) + 1) * Int64(seconds)
        // The clocks may change before it: it is to be round by the clocks of its own moment.
        let guess = next - Int64(offset(moment))
        let change = Int64(offset(Self.wall(guess)) - offset(moment))
        let real = Self.wall(guess - change)
        return change % Int64(seconds) == 0 || real <= moment ? Self.wall(guess) : real
    }

    private static func wall(_ seconds: Int64) -> WallTime { WallTime(nanoseconds: seconds &* 1_000_000_000) }

    /// Looks at audio before it is taken.
    /// - Returns: how many of its frames still belong to this file, where it ends with them; nil where it goes on.
    mutating func cut(_ piece: AudioPiece) -> Int? {
        let start = piece.wall.advanced(bySeconds: -piece.seconds)
        aim(from: start)
        guard let end, piece.wall > end else { return nil }
        let rate = Double(max(piece.format.sampleRate, 1))
        var place = 0.0
        for (index, frame) in piece.run.frames.enumerated() {
            if start.advanced(bySeconds: place) >= end { return index }
            place += Double(frame.samples) / rate
        }
        return nil
    }

    /// True where nothing more can come that belongs to this file.
    func isPast(_ wall: WallTime) -> Bool {
        end.map { wall > $0.advanced(bySeconds: Self.graceSeconds) } ?? false
    }

    /// The next file could not be begun: this one goes on to the round time after.
    mutating func goOn() { end = end.map(boundary(after:)) }

    /// Aims anew where a clock that was put back has led away from the round time that was aimed at.
    private mutating func aim(from start: WallTime) {
        if let end, end <= start.advanced(bySeconds: Double(2 * seconds)) { return }
        end = boundary(after: start)
    }
}
