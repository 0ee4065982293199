package import Feed
internal import Platform
internal import StreamFormats

/// Reads what a window holds on the disk, oldest first, up to the last second or so. One thread at a time; blocks.
package final class WindowReader: @unchecked Sendable {
    // Sendable because it has one user at a time, as said above.
    private static let blockLength = 128 << 10

    private let folder: any DiskFolder
    private var segments: [WindowSegment]
    private let start: WindowStore.Start
    private var file: (any DiskFile)?
    private var place: Int64 = 0
    private var pending: [UInt8] = []
    private var format: AudioFormat?
    private var isPlaced = false
    /// Valid at the place where reading begins, and told first.
    private var preface: [FeedEvent] = []
    /// One past the last audio given. Means something to the feed only where it was written by this run of the program.
    package private(set) var position: StreamPosition?
    /// When the last audio given came in.
    private var wall: WallTime?
    private let run: Int64
    /// A hole in time longer than this, that no break of the feed explains, was nobody's listening.
    private static let holeSeconds = 5.0

    /// - Parameter run: of the program that reads.
    init(folder: any DiskFolder, segments: [WindowSegment], from start: WindowStore.Start, run: Int64) {
        self.folder = folder
        self.run = run
        self.segments = segments
        self.start = start
    }

    /// The next events, some hundred at most; empty at the end of what has been written so far.
    package func read() -> [FeedEvent] {
        var found: [FeedEvent] = []
        while found.isEmpty {
            if file == nil, !openNext() { return [] }
            if !fill() {
                // The last segment may still grow; a new one appears in the folder when it is full.
                guard hasNext() else { break }
                file = nil
                pending = []
            }
            for event in events() { take(event, &found) }
        }
        return found
    }

    private func openNext() -> Bool {
        while let segment = segments.first {
            segments.removeFirst()
            last = segment
            place = 0
            file = try? folder.open(segment.name, forWriting: false)
            if file != nil { return true }
        }
        return false
    }

    private var last: WindowSegment?

    private func hasNext() -> Bool {
        if !segments.isEmpty { return true }
        guard let last, let entries = try? folder.entries() else { return false }
        segments = entries.compactMap { WindowSegment(name: $0.name) }
            .filter { ($0.start, $0.run, $0.number) > (last.start, last.run, last.number) }
            .sorted { ($0.start, $0.run, $0.number) < ($1.start, $1.run, $1.number) }
        return !segments.isEmpty
    }

    /// - Returns: false where there is no more in this file for now.
    private func fill() -> Bool {
        guard let block = try? file?.read(Self.blockLength, at: place), !block.isEmpty else { return false }
        place += Int64(block.count)
        pending += block
        return true
    }

    /// The whole records of what has been read.
    private func events() -> [FeedEvent] {
        var found: [FeedEvent] = []
        var at = 0
        while pending.count - at >= WindowRecord.headLength {
            guard let length = WindowRecord.bodyLength(pending[at..<at + WindowRecord.headLength]) else {
                // Damage: the rest of this file cannot be understood.
                pending = []
                return found
            }
            let body = at + WindowRecord.headLength
            guard pending.count - body >= length else { break }
            if let event = WindowRecord.event(pending[at], pending[body..<body + length], format: &format) {
                found.append(event)
            }
            at = body + length
        }
        pending.removeFirst(at)
        return found
    }

    private func take(_ event: FeedEvent, _ found: inout [FeedEvent]) {
        guard !isPlaced else {
            if case .audio(let chunk) = event {
                if let hole = hole(before: chunk) { found.append(.gap(hole)) }
                (position, wall) = (chunk.end, chunk.wall)
            } else if case .gap(let gap) = event {
                wall = max(gap.to, wall ?? gap.to)
            }
            found.append(event)
            return
        }
        switch event {
        case .format: preface.removeAll { if case .format = $0 { true } else { false } }
        case .title: preface.removeAll { if case .title = $0 { true } else { false } }
        case .gap, .retitled: return
        case .audio(let chunk):
            guard isFirst(chunk) else { return }
            isPlaced = true
            (position, wall) = (chunk.end, chunk.wall)
            found += preface + [event]
            preface = []
            return
        }
        preface.append(event)
    }

    /// Where in the feed that which follows is to be read from.
    var feedStart: FeedStart {
        if last?.run == run, let position { return .position(position) }
        if case .position(let place) = start { return .position(place) }
        return .oldest
    }

    /// Whether the feed's audio lies before what was asked for; so it may be where the window held nothing of it.
    func isTooOld(_ chunk: Chunk) -> Bool { position == nil && !isFirst(chunk) }

    /// The time in which nothing was kept: nobody read the station, or the program did not run.
    func hole(before chunk: Chunk) -> Gap? {
        guard let wall else { return nil }
        let own = Double(chunk.end.nanoseconds - chunk.start.nanoseconds) / 1e9
        let missing = chunk.wall.secondsSince1970 - wall.secondsSince1970 - own
        guard missing > Self.holeSeconds else { return nil }
        return Gap(
            position: chunk.start, from: wall, to: chunk.wall, cause: .unknown, lostSeconds: missing)
    }

    private func isFirst(_ chunk: Chunk) -> Bool {
        switch start {
        case .wall(let wall): chunk.wall >= wall
        case .position(let place): chunk.end.nanoseconds > place.nanoseconds
        }
    }
}
