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
    /// One past the last audio given.
    package private(set) var position: StreamPosition?

    init(folder: any DiskFolder, segments: [WindowSegment], from start: WindowStore.Start) {
        self.folder = folder
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
            if case .audio(let chunk) = event { position = chunk.end }
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
            position = chunk.end
            found += preface + [event]
            preface = []
            return
        }
        preface.append(event)
    }

    private func isFirst(_ chunk: Chunk) -> Bool {
        switch start {
        case .wall(let wall): chunk.wall >= wall
        case .position(let place): chunk.end.nanoseconds > place.nanoseconds
        }
    }
}
