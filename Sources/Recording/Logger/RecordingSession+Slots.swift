internal import Feed
internal import Platform

/// A logger's way from one file to the next: the reader goes on, and with it whatever it has given already.
extension RecordingSession {
    /// What the last file of the logger has left to this one.
    /// - Returns: whether there was anything.
    func takeInherited(_ now: MonotonicTime) -> Bool {
        guard !work.inherited.isEmpty else { return false }
        let items = work.inherited
        work.inherited = []
        for item in items {
            if case .audio(let piece) = item { take(piece, now) } else { take(item) }
        }
        return true
    }

    /// The piece in two where this file ends within it. Whoever is being ended goes on to the end.
    func splitAtSlot(_ piece: AudioPiece) -> (AudioPiece, AudioPiece)? {
        guard work.carry == nil, !shared.withLock({ $0.endAsked }), let count = work.slot?.cut(piece) else {
            return nil
        }
        return piece.split(at: count)
    }

    /// Begins the next file where this one has reached its round time.
    /// - Returns: whether this one is over.
    func handOverSlot(_ now: MonotonicTime) -> Bool {
        // A station that is silent at the round time: nobody waits for its next sound to have the last file.
        if work.carry == nil, work.slot?.isPast(time.wall) == true { work.carry = [] }
        guard let carry = work.carry, let source = releaseSource() else { return work.carry != nil }
        let title = work.lastTitle.map { [Backlog.Item.title($0)] } ?? []
        let start = SlotStart(
            source: source, bell: bell, items: title + carry, begins: work.slot?.end ?? time.wall,
            limit: rest(now))
        if log?.next(start) == true { return true }
        // The two stay together then.
        keepSource(source)
        work.slot?.goOn()
        work.carry = nil
        for item in carry { take(item) }
        return false
    }

    /// What is left of the limit.
    private func rest(_ now: MonotonicTime) -> RecordingRequest.Limit {
        let limit = shared.withLock { $0.limit }
        guard case .seconds(let seconds) = limit, let first = work.firstAudio else { return limit }
        return .seconds(max(0, seconds - now.seconds(since: first)))
    }
}

extension AudioPiece {
    /// The first `count` frames and the rest, each with the time at which its last byte came.
    func split(at count: Int) -> (AudioPiece, AudioPiece) {
        var (head, tail) = (self, self)
        head.run = run.frames(0..<count)
        tail.run = run.frames(count..<run.frames.count)
        head.wall = wall.advanced(bySeconds: -tail.seconds)
        tail.feedStart = StreamPosition(
            bytes: feedStart.bytes + Int64(head.run.bytes.count),
            nanoseconds: feedStart.nanoseconds &+ Nanoseconds.of(head.seconds))
        return (head, tail)
    }
}
