/// Finds out where a new connection's frames go on after those that are held already. Pure; knows hashes alone.
///
/// A server that is asked again sends the last seconds again. The search lays the new frames over the old ones. It keeps
/// every line-up that is still possible, because frames repeat (silence is one frame over and over), and decides when no
/// longer one is open: the longest overlap that fits is the true one.
struct OverlapSearch: Sendable {
    enum Answer: Hashable, Sendable {
        /// Nothing can be said yet; keep the frames.
        case undecided
        /// All frames so far have been heard before, without doubt. They need not be kept.
        case old
        /// Frames from this one on (counted from the first that was pushed) are new and follow what is held.
        case joined(at: Int)
        /// The same, but they do not line up with the end of what is held.
        case parted(at: Int)
    }

    /// So many different frames in a row make a line-up certain.
    private static let certain = 4
    /// So many frames in a row that are nowhere to be found are new.
    private static let strange = 8
    /// After so many frames without certainty, silence that goes on and on, the likeliest is taken.
    private static let patience = 600
    /// A line-up that breaks so close before the end of what is held has found it: the last frames before a break may
    /// have been hurt.
    private static let slack = 3

    /// One way to lay the new frames over the old ones: the last new one lies on `place`, and `length` of them fit.
    private struct LineUp {
        var place: Int
        var length: Int
    }

    private let held: [UInt32]
    private var open: [LineUp] = []
    /// The longest line-up that reached the end, and the first frame after it.
    private var complete: (length: Int, next: Int, isCertain: Bool)?
    /// The furthest place that a certain line-up has come to, and the first new frame after it.
    private var reached: Int?
    private var certainEnd = 0
    private var variety = Variety()
    private var count = 0
    private var strangers = 0

    /// - Parameter held: hashes of what is held, oldest first.
    init(held: [UInt32]) { self.held = held }

    /// True where several different frames in a row were found again; false where a join rests on little.
    var isCertain: Bool { complete?.isCertain ?? (reached != nil) }

    /// Takes the next frame of the new connection.
    mutating func push(_ hash: UInt32) -> Answer {
        guard !held.isEmpty else { return .parted(at: 0) }
        variety.push(hash)
        defer { count += 1 }
        let wasComplete = complete != nil
        open = open.compactMap { lineUp in
            let place = lineUp.place + 1
            guard place < held.count, held[place] == hash else { return nil }
            return LineUp(place: place, length: lineUp.length + 1)
        }
        if open.isEmpty {
            if wasComplete, let complete { return .joined(at: complete.next) }
            begin(hash)
        }
        noteCertainty()
        noteCompletion()
        return answer()
    }

    /// No more frames come: what was found nowhere is new; what may be old is left out.
    var lastAnswer: Answer { strangers > 0 ? .parted(at: certainEnd) : .undecided }

    /// Starts line-ups wherever this frame is held; after a certain one only behind it.
    private mutating func begin(_ hash: UInt32) {
        for place in held.indices.dropFirst((reached ?? -1) + 1) where held[place] == hash {
            open.append(LineUp(place: place, length: 1))
        }
        strangers = open.isEmpty ? strangers + 1 : 0
    }

    private mutating func noteCertainty() {
        guard let needed = variety.depth else { return }
        for lineUp in open where lineUp.length >= needed && lineUp.place > reached ?? -1 {
            reached = lineUp.place
            certainEnd = count + 1
        }
    }

    private mutating func noteCompletion() {
        for lineUp in open where lineUp.place == held.count - 1 && lineUp.length > complete?.length ?? 0 {
            complete = (lineUp.length, count + 1, lineUp.length >= variety.depth ?? .max)
        }
        open.removeAll { $0.place == held.count - 1 }
    }

    private func answer() -> Answer {
        if open.isEmpty, let complete { return .joined(at: complete.next) }
        if count + 1 - certainEnd >= Self.patience {
            return complete.map { .joined(at: $0.next) } ?? .parted(at: certainEnd)
        }
        guard open.isEmpty else {
            return complete == nil && open.count == 1 && certainEnd == count + 1 ? .old : .undecided
        }
        if let reached, held.count - 1 - reached <= Self.slack { return .joined(at: certainEnd) }
        return strangers >= Self.strange ? .parted(at: certainEnd) : .undecided
    }
}

/// Knows how far back one must go to see several different frames. Two frames in turn are not variety: padded and
/// unpadded silence look like that.
private struct Variety {
    private static let wanted = 4
    /// The last different frames, latest first, each with the number of frames up to its last appearance.
    private var latest: [(hash: UInt32, seen: Int)] = []
    private var count = 0

    mutating func push(_ hash: UInt32) {
        count += 1
        latest.removeAll { $0.hash == hash }
        latest.insert((hash, count), at: 0)
        if latest.count > Self.wanted { latest.removeLast() }
    }

    /// So many of the last frames hold four different ones; nil when all of them together do not.
    var depth: Int? { latest.count < Self.wanted ? nil : count - latest[Self.wanted - 1].seen + 1 }
}
