internal import StreamFormats

/// The newest part of a track's file, remembered so that the file can still be cut there.
///
/// Each entry knows how the file was before it went in: cutting means to go back to that, and to add what of the entry
/// comes before the cut.
struct TrackTape: Sendable {
    struct Entry: Sendable {
        var run: FrameRun
        var format: AudioFormat
        /// Nanoseconds of the recording before this entry.
        var start: Int64
        var end: Int64
        /// The file without this entry.
        var formBefore: FileForm
        var sizeBefore: Int64
    }

    private(set) var entries: [Entry] = []

    var start: Int64? { entries.first?.start }

    mutating func append(_ entry: Entry) { entries.append(entry) }

    /// Forgets what ends before `place`.
    mutating func forget(before place: Int64) {
        guard let keep = entries.firstIndex(where: { $0.end > place }), keep >= 32 else { return }
        entries.removeFirst(keep)
    }

    /// All frames that touch the span, with the place of the first; only of one format, the last one's.
    func frames(from start: Int64, to end: Int64) -> (run: FrameRun, format: AudioFormat, start: Int64)? {
        let touched = entries.filter { $0.end > start && $0.start < end }
        guard let format = touched.last?.format else { return nil }
        var run = FrameRun()
        var first: Int64?
        for entry in touched where entry.format == format {
            first = first ?? entry.start
            run.bytes += entry.run.bytes
            run.frames += entry.run.frames
        }
        return first.map { (run, format, $0) }
    }

    /// A place between two frames.
    struct Boundary: Sendable, Hashable {
        var entry: Int
        /// How many frames of the entry come before it.
        var frame: Int
        /// Nanoseconds of the recording.
        var place: Int64
    }

    /// Frames to each side among which the best one to begin with is chosen.
    private static let choice = 2

    /// Where to cut near a place: between two frames, at one that leans little on those before it.
    func boundary(at place: Int64) -> Boundary? {
        guard let found = nearestBoundary(at: place) else { return nil }
        // Between two entries: that is the beginning of the second, whose format counts.
        guard found.frame == entries[found.entry].run.frames.count, found.entry + 1 < entries.count else {
            return found
        }
        return Boundary(entry: found.entry + 1, frame: 0, place: entries[found.entry + 1].start)
    }

    private func nearestBoundary(at place: Int64) -> Boundary? {
        guard let index = entries.lastIndex(where: { $0.start <= place }) else { return nil }
        let entry = entries[index]
        let starts = starts(of: entry)
        guard let nearest = starts.indices.min(by: { abs(starts[$0] - place) < abs(starts[$1] - place) })
        else { return nil }
        let lean = lean(of: entry)
        let range = max(0, nearest - Self.choice)...min(starts.count - 2, nearest + Self.choice)
        guard nearest < starts.count - 1,
            let best = range.min(by: { (lean[$0], abs($0 - nearest)) < (lean[$1], abs($1 - nearest)) })
        else { return Boundary(entry: index, frame: nearest, place: starts[nearest]) }
        return Boundary(entry: index, frame: best, place: starts[best])
    }

    /// Where each frame of an entry begins, and where the last ends.
    private func starts(of entry: Entry) -> [Int64] {
        let rate = Int64(max(entry.format.sampleRate, 1))
        var samples: Int64 = 0
        var starts = entry.run.frames.map { frame in
            defer { samples += Int64(frame.samples) }
            return entry.start + samples * 1_000_000_000 / rate
        }
        starts.append(entry.end)
        return starts
    }

    /// For each frame how many bytes of its sound are in those before it: only layer III has such.
    private func lean(of entry: Entry) -> [Int] {
        var start = 0
        return entry.run.frames.map { frame in
            let end = min(start + Int(frame.length), entry.run.bytes.count)
            defer { start = end }
            guard entry.format.codec == .mp3 else { return 0 }
            return MPEGAudioHeader.mainDataBegin(entry.run.bytes[start..<end].span) ?? 0
        }
    }
}
