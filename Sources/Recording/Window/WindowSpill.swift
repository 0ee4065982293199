internal import Feed
internal import Platform
internal import StreamFormats

/// Writes one station's window: a reader of its feed and a file of the last minute.
final class WindowSpill: Sendable {
    private struct State {
        var reader: FeedReader?
        var file: (any DiskFile)?
        var fileStart: StreamPosition?
        /// One past the last audio taken, so that nothing is written twice after a pause.
        var readTo: StreamPosition?
        var number = 0
        var armedSeconds: Double?
        /// Said again at the head of every file, so that each can be read alone.
        var format: FeedEvent?
        var title: FeedEvent?
        /// The file that is being written, and its titles.
        var segment: WindowSegment?
        var titles: [TitleMark] = []
    }

    /// Bytes it may lag behind the feed's memory: the burst of a station comes faster than it is written.
    private static let patience = 1 << 20

    let feed: Feed
    private let run: Int64
    private let root: String
    private let disk: any Disk
    private let segmentSeconds: Double
    private let titles: WindowTitles
    private let state = Lock(State())

    /// - Parameter titles: is told those of every file.
    init(
        feed: Feed, run: Int64, root: String, disk: any Disk, segmentSeconds: Double, titles: WindowTitles
    ) {
        self.titles = titles
        self.feed = feed
        self.run = run
        self.root = root
        self.disk = disk
        self.segmentSeconds = segmentSeconds
    }

    var station: String { feed.station.id }
    var armedSeconds: Double? { state.withLock { $0.armedSeconds } }

    func arm(seconds: Double?) { state.withLock { $0.armedSeconds = seconds } }

    /// On the store's thread alone. The lock only guards what others may ask meanwhile, so it is not held over the disk.
    func tick(hasRoom: Bool) {
        var work = state.withLock { $0 }
        join(&work)
        guard let reader = work.reader else { return keep(work) }
        var bytes: [UInt8] = []
        while true {
            let batch = reader.read()
            if batch.events.isEmpty { break }
            for event in batch.events { take(event, &work, &bytes, hasRoom) }
        }
        flush(&bytes, &work)
        sayTitles(work)
        leave(&work)
        keep(work)
    }

    private func sayTitles(_ work: State) {
        guard work.file != nil, let segment = work.segment else { return }
        titles.keep(work.titles, station: station, file: segment.name)
    }

    /// It may have been armed meanwhile.
    private func keep(_ work: State) {
        state.withLock { state in
            let armed = state.armedSeconds
            state = work
            state.armedSeconds = armed
        }
    }

    /// Reads along while somebody else does.
    private func join(_ work: inout State) {
        guard work.reader == nil, work.armedSeconds != nil || feed.readerCount > 0 else { return }
        // What the memory holds from before was not listened to by anybody, or is in the last file already.
        let start = work.readTo.map { FeedStart.position($0) } ?? .oldest
        work.reader = feed.open(name: "window", from: start, patience: Self.patience)
    }

    /// A reader keeps a station connected, so ours goes when it is the last.
    private func leave(_ work: inout State) {
        guard let reader = work.reader, work.armedSeconds == nil, feed.readerCount <= 1 else { return }
        reader.close()
        work.reader = nil
        work.file = nil
        work.fileStart = nil
    }

    private func take(_ event: FeedEvent, _ work: inout State, _ bytes: inout [UInt8], _ hasRoom: Bool) {
        switch event {
        case .format: work.format = event
        case .title(let mark):
            work.title = event
            if work.file != nil { work.titles.append(mark.inWindow) }
        case .gap, .retitled: break
        case .audio(let chunk):
            let length =
                work.fileStart.map { Double(chunk.start.nanoseconds - $0.nanoseconds) / 1e9 } ?? .infinity
            if length >= segmentSeconds {
                flush(&bytes, &work)
                sayTitles(work)
                begin(chunk, &work, &bytes, hasRoom)
            }
            work.readTo = chunk.end
        }
        if work.file != nil { WindowRecord.append(event, to: &bytes) }
    }

    private func begin(_ chunk: Chunk, _ work: inout State, _ bytes: inout [UInt8], _ hasRoom: Bool) {
        work.file = nil
        work.fileStart = nil
        guard hasRoom else { return }
        let segment = WindowSegment(run: run, start: chunk.wall, number: work.number)
        guard let folder = try? disk.folder(root, below: [station], creating: true),
            let file = try? folder.create(segment.name, replacing: true)
        else { return }
        work.number += 1
        work.file = file
        work.fileStart = chunk.start
        (work.segment, work.titles) = (segment, [])
        if case .title(let mark)? = work.title { work.titles = [mark.inWindow] }
        if let format = work.format { WindowRecord.append(format, to: &bytes) }
        if let title = work.title { WindowRecord.append(title, to: &bytes) }
    }

    /// What the disk does not take is not kept; the next file begins anew.
    private func flush(_ bytes: inout [UInt8], _ work: inout State) {
        defer { bytes = [] }
        guard let file = work.file, !bytes.isEmpty else { return }
        do throws(SystemError) { try file.write(bytes, at: try file.facts().size) } catch {
            work.file = nil
            work.fileStart = nil
        }
    }
}
