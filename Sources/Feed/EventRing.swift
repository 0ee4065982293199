import StreamFormats

/// Events under ever-growing sequence numbers; cheap at both ends.
struct EventRing: Sendable {
    private var slots: [FeedEvent] = []
    /// Slots before this one are spent and wait to be cut off together.
    private var head = 0
    /// Sequence number of the oldest event held.
    private(set) var start = 0

    /// One past the newest.
    var end: Int { start + slots.count - head }
    var firstEvent: FeedEvent? { head < slots.count ? slots[head] : nil }

    subscript(sequence: Int) -> FeedEvent? {
        guard sequence >= start, sequence < end else { return nil }
        return slots[head + sequence - start]
    }

    mutating func append(_ event: FeedEvent) { slots.append(event) }

    mutating func removeFirst() {
        guard head < slots.count else { return }
        // The event must go now, not when the slots are cut: it holds a chunk.
        slots[head] = .retitled([])
        head += 1
        start += 1
        if head >= 16 {
            slots.removeFirst(head)
            head = 0
        }
    }

    /// Puts other events in the place of some; those behind them move, and so do their numbers.
    mutating func replace(_ sequences: Range<Int>, with others: [FeedEvent]) {
        guard sequences.lowerBound >= start, sequences.upperBound <= end, !sequences.isEmpty else { return }
        let first = head + sequences.lowerBound - start
        slots.replaceSubrange(first..<first + sequences.count, with: others)
    }

    /// Sequence number of the oldest audio held.
    var firstAudio: Int? { first { _ in true } }

    /// The first audio event, oldest first, for which `holds` is true.
    func first(where holds: (Chunk) -> Bool) -> Int? {
        for index in head..<slots.count {
            if case .audio(let chunk) = slots[index], holds(chunk) { return start + index - head }
        }
        return nil
    }

    /// The last audio event, newest first, for which `holds` is true.
    func last(where holds: (Chunk) -> Bool) -> Int? {
        for index in (head..<slots.count).reversed() {
            if case .audio(let chunk) = slots[index], holds(chunk) { return start + index - head }
        }
        return nil
    }

    /// The position of the first audio at or after a sequence number.
    func position(at sequence: Int) -> StreamPosition? { firstChunk(at: sequence)?.start }

    /// The format of the first audio at or after a sequence number.
    func firstFormat(at sequence: Int) -> AudioFormat? { firstChunk(at: sequence)?.format }

    private func firstChunk(at sequence: Int) -> Chunk? {
        for index in max(head, head + sequence - start)..<max(slots.count, head + sequence - start) {
            if case .audio(let chunk) = slots[index] { return chunk }
        }
        return nil
    }
}
