package import Feed
package import Platform

/// Keeps the last minutes of stations on the disk, so that a song can be kept from its start and a mount can be late.
///
/// A station that somebody plays or records is kept for a quarter of an hour; one that is armed is kept connected and for
/// as long as it says. Nothing here is precious: a crash costs the last second, and what is too old is deleted. One
/// thread of its own does all the writing; asking and reading may be done by any thread that may wait for a disk.
package final class WindowStore: Sendable {
    package struct Settings: Sendable {
        /// Seconds kept of a station that is not armed.
        package var seconds = 900.0
        /// Bytes kept of all stations; the oldest go first.
        package var bytes: Int64 = 2 << 30
        /// How often what has come is written. The feed's memory holds a minute, so nothing depends on it but what a
        /// crash costs.
        package var tickSeconds = 2.0
        /// How often what is too old is looked for.
        package var tidySeconds = 15.0
        /// Length of one file.
        package var segmentSeconds = 60.0
        /// With less free than this nothing is kept.
        package var floorBytes: Int64 = 512 << 20

        package init() {}
    }

    private struct State {
        var followed: [String: WindowSpill] = [:]
        var isStopping = false
    }

    private let root: String
    private let disk: any Disk
    private let settings: Settings
    private let time: any TimeSource
    private let run: Int64
    private let titles = WindowTitles()
    private let state = Monitor(State())
    private let thread = Lock<WorkerThread?>(nil)
    private let tidied: Lock<MonotonicTime?> = Lock(nil)

    /// - Parameter folder: must exist; a folder per station is made in it.
    package init(
        folder: String, settings: Settings = Settings(), disk: any Disk = RealDisk(),
        time: any TimeSource = SystemTime()
    ) {
        root = folder
        self.disk = disk
        self.settings = settings
        self.time = time
        run = time.wall.nanoseconds / 1_000_000
    }

    /// Starts the thread.
    package func start() {
        thread.withLock { $0 = WorkerThread(name: "window") { self.work() } }
    }

    /// Ends it; what has been written stays for the next start.
    package func stop() {
        state.change { $0.isStopping = true }
        thread.withLock { $0 }?.join()
    }

    // MARK: What is kept

    /// From now on what `feed` carries is kept while somebody reads it; always, and so long, where it is armed.
    /// - Parameter armedSeconds: nil for a station that is not armed.
    package func follow(_ feed: Feed, armedSeconds: Double?) {
        state.change { state in
            // A station that was removed and came back has another feed.
            let known = state.followed[feed.station.id].flatMap { $0.feed === feed ? $0 : nil }
            let spill =
                known
                ?? WindowSpill(
                    feed: feed, run: run, root: root, disk: disk, segmentSeconds: settings.segmentSeconds,
                    titles: titles)
            spill.arm(seconds: armedSeconds)
            state.followed[feed.station.id] = spill
        }
    }

    /// Forgets a station; what has been kept of it grows old.
    package func unfollow(station: String) {
        state.change { _ = $0.followed.removeValue(forKey: station) }
    }

    private func work() {
        while true {
            let spills = state.wait(atMost: settings.tickSeconds) { $0.isStopping ? true : nil }
            if spills == true { return }
            tick()
        }
    }

    /// One round: write what has come, delete what is too old. On the thread of the store, or a test's.
    func tick() {
        let spills = state.change { Array($0.followed.values) }
        let hasRoom = hasRoom
        for spill in spills { spill.tick(hasRoom: hasRoom) }
        guard isTidyDue else { return }
        tidy(armed: Dictionary(uniqueKeysWithValues: spills.map { ($0.station, $0.armedSeconds) }))
    }

    /// Looking through every folder costs more than writing, and what is too old is in no hurry.
    private var isTidyDue: Bool {
        let now = time.now
        return tidied.withLock { last in
            if let last, now.seconds(since: last) < settings.tidySeconds { return false }
            last = now
            return true
        }
    }

    private var hasRoom: Bool {
        guard settings.floorBytes > 0, let folder = try? disk.folder(root, below: [], creating: false),
            let free = try? folder.freeBytes()
        else { return true }
        return free > settings.floorBytes
    }

    // MARK: Deleting

    private struct Kept {
        var station: String
        var folder: any DiskFolder
        var segment: WindowSegment
        var bytes: Int64
    }

    private func tidy(armed: [String: Double?]) {
        var kept: [Kept] = []
        var unread = Self.readAtOnce
        for station in stations() {
            guard let folder = try? disk.folder(root, below: [station], creating: false) else { continue }
            let seconds = (armed[station] ?? nil) ?? settings.seconds
            let left = expire(segments(in: folder), of: station, in: folder, seconds: seconds)
            learnTitles(of: left, &unread)
            kept += left
        }
        var total = kept.reduce(0) { $0 + $1.bytes }
        for old in kept.sorted(by: { $0.segment.start < $1.segment.start }) where total > settings.bytes {
            try? old.folder.remove(old.segment.name)
            titles.forget(station: old.station, file: old.segment.name)
            total -= old.bytes
        }
    }

    /// Files of earlier runs whose titles are read in one round: who asks for titles soon after a start waits for the rest.
    private static let readAtOnce = 100

    private func learnTitles(of kept: [Kept], _ left: inout Int) {
        for file in kept.reversed() where left > 0 && file.segment.run != run {
            guard !titles.knows(station: file.station, file: file.segment.name) else { continue }
            _ = titles.titles(station: file.station, of: file.segment, in: file.folder, grows: false)
            left -= 1
        }
    }

    /// Deletes the segments whose every second is too old, and gives back the others. One that is being written never is:
    /// the one after it, by which its end is known, does not exist.
    private func expire(
        _ segments: [WindowSegment], of station: String, in folder: any DiskFolder, seconds: Double
    ) -> [Kept] {
        let oldest = time.wall.advanced(bySeconds: -seconds)
        var kept: [Kept] = []
        for (index, segment) in segments.enumerated() {
            let end =
                index + 1 < segments.count
                ? segments[index + 1].start
                : segment.start.advanced(
                    bySeconds: 2 * settings.segmentSeconds)
            if end < oldest {
                try? folder.remove(segment.name)
                titles.forget(station: station, file: segment.name)
            } else {
                let size = (try? folder.open(segment.name, forWriting: false).facts().size) ?? 0
                kept.append(Kept(station: station, folder: folder, segment: segment, bytes: size))
            }
        }
        return kept
    }

    private func stations() -> [String] {
        guard let folder = try? disk.folder(root, below: [], creating: false) else { return [] }
        return ((try? folder.entries()) ?? []).filter { $0.kind == .folder }.map(\.name)
    }

    private func segments(in folder: any DiskFolder) -> [WindowSegment] {
        ((try? folder.entries()) ?? []).compactMap { WindowSegment(name: $0.name) }.sorted {
            ($0.start, $0.run, $0.number) < ($1.start, $1.run, $1.number)
        }
    }

    // MARK: Reading

    /// Where a reader of the window begins.
    package enum Start: Sendable, Hashable {
        /// With what was on the air then, or what is held after it.
        case wall(WallTime)
        /// With the chunk that ends after this place of the present run's feed.
        case position(StreamPosition)
    }

    /// The wall time of the oldest audio held; nil where there is none. Blocks.
    package func oldest(of station: String) -> WallTime? {
        guard let folder = try? disk.folder(root, below: [station], creating: false) else { return nil }
        return segments(in: folder).first?.start
    }

    /// The titles held of a station, oldest first, as they were read when they came; the one that was on when the oldest
    /// audio came is the first. Their positions mean something in the run that they are of. Blocks, though mostly
    /// it need not read.
    package func titles(of station: String, since wall: WallTime = WallTime(nanoseconds: 0)) -> [TitleMark] {
        guard let folder = try? disk.folder(root, below: [station], creating: false) else { return [] }
        let segments = segments(in: folder)
        let first = segments.lastIndex { $0.start <= wall } ?? 0
        var found: [TitleMark] = []
        for segment in segments.dropFirst(first) {
            let own = titles.titles(
                station: station, of: segment, in: folder, grows: segment.run == run)
            for mark in own where found.last?.wall != mark.wall { found.append(mark) }
        }
        let on = found.lastIndex { $0.wall <= wall } ?? 0
        return Array(found.dropFirst(on))
    }

    /// Opens what is held of a station. Blocks.
    /// - Returns: nil where nothing is held from there on.
    package func open(station: String, from start: Start) -> WindowReader? {
        guard let folder = try? disk.folder(root, below: [station], creating: false) else { return nil }
        let segments = segments(in: folder)
        switch start {
        case .wall(let wall):
            guard !segments.isEmpty else { return nil }
            let first = segments.lastIndex { $0.start <= wall } ?? 0
            return WindowReader(folder: folder, segments: Array(segments[first...]), from: start, run: run)
        case .position:
            let own = segments.filter { $0.run == run }
            return own.isEmpty ? nil : WindowReader(folder: folder, segments: own, from: start, run: run)
        }
    }
}
