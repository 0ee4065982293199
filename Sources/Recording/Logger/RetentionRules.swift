internal import Platform

/// How much of a station's log is held. A pure value: it says which files have to go, and why.
package struct RetentionRules: Sendable, Hashable {
    /// Which rule a file fell to.
    package enum Rule: String, Sendable, Hashable {
        case age, count, bytes, free
    }

    /// A file that is complete.
    struct Held: Sendable, Hashable {
        var id: RecordingID
        var started: WallTime
        var ended: WallTime
        var bytes: Int64
    }

    /// What a rule is measured by.
    struct Moment: Sendable, Hashable {
        var wall: WallTime
        /// Bytes of the file that is being written.
        var runningBytes: Int64
        /// Bytes that may still be written where the files are; nil where nobody knows.
        var freeBytes: Int64?
    }

    /// Older files go.
    package var ageSeconds: Double?
    /// At most so many files, the one that is being written included.
    package var count: Int?
    /// At most so many bytes, those of the file that is being written included.
    package var bytes: Int64?
    /// Files go until so many bytes are free.
    package var freeBytes: Int64?

    package init(ageSeconds: Double? = nil, count: Int? = nil, bytes: Int64? = nil, freeBytes: Int64? = nil) {
        self.ageSeconds = ageSeconds
        self.count = count
        self.bytes = bytes
        self.freeBytes = freeBytes
    }

    /// True where nothing is ever deleted.
    package var isEmpty: Bool { self == RetentionRules() }

    /// The files that have to go, the oldest first.
    /// - Parameter held: what may be deleted, oldest first; what is marked keep is not among it, and does not count.
    func victims(of held: [Held], at moment: Moment) -> [(file: Held, rule: Rule)] {
        var victims: [(Held, Rule)] = []
        var count = held.count + 1
        var bytes = held.reduce(moment.runningBytes) { $0 &+ $1.bytes }
        var free = moment.freeBytes
        for file in held {
            guard let rule = rule(for: file, count: count, bytes: bytes, free: free, at: moment.wall) else {
                break
            }
            victims.append((file, rule))
            count -= 1
            bytes -= file.bytes
            free = free.map { $0 &+ file.bytes }
        }
        return victims
    }

    private func rule(for file: Held, count: Int, bytes: Int64, free: Int64?, at wall: WallTime) -> Rule? {
        if let ageSeconds, file.ended < wall.advanced(bySeconds: -ageSeconds) { return .age }
        if let limit = self.count, count > limit { return .count }
        if let limit = self.bytes, bytes > limit { return .bytes }
        if let limit = freeBytes, let free, free < limit { return .free }
        return nil
    }
}
