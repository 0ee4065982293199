internal import Platform

/// One file of a window: a minute or so of one station, named by when it begins.
///
/// `RUN-START-NUMBER.window`: the run of the program, the wall time of its first audio in milliseconds, and its number
/// within the run. Positions of a feed mean something within one run alone; wall times do for ever.
struct WindowSegment: Sendable, Hashable {
    static let suffix = ".window"

    var run: Int64
    var start: WallTime
    var number: Int

    var name: String { "\(run)-\(start.nanoseconds / 1_000_000)-\(number)\(Self.suffix)" }

    init(run: Int64, start: WallTime, number: Int) {
        self.run = run
        self.start = start
        self.number = number
    }

    /// Nil for a name that is not one of ours.
    init?(name: String) {
        guard name.hasSuffix(Self.suffix) else { return nil }
        let parts = name.dropLast(Self.suffix.count).split(separator: "-").map { Int64($0) }
        guard parts.count == 3, let run = parts[0], let start = parts[1], let number = parts[2],
            (0...Int64.max / 2_000_000).contains(start)
        else { return nil }
        self.init(run: run, start: WallTime(nanoseconds: start * 1_000_000), number: Int(clamping: number))
    }
}
