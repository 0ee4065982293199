internal import Platform

/// Holds a station's log to its rules: deletes its oldest files when they are too old, too many, too large, or when the
/// disk has too little room. One for a row of files; works on the keeper thread of the volume that they are written to.
///
/// It touches finished files of the same logger and no others, and none that is marked keep.
final class RetentionKeeper: Sendable {
    private struct State {
        var held: [RetentionRules.Held]?
        /// Files that could not be deleted: they are not tried again at every look.
        var stuck: Set<RecordingID> = []
        var lastLook: MonotonicTime?
        var isShort = false
        /// Room that the file system has not given back yet.
        var owed: Owed?
    }

    /// It is looked so often whether something has to go.
    private static let lookSeconds = 1.0

    /// Some file systems give the room of a file back long after it is gone.
    private struct Owed {
        var bytes: Int64
        /// What was free when the files were deleted: more than that, and the room is back.
        var free: Int64
        var until: MonotonicTime
    }

    /// So long it is counted as free what such a file system owes.
    private static let owedSeconds = 60.0

    private let log: LogRequest
    private let stationID: String
    /// The folder that the files are somewhere below.
    private let root: String
    private let disk: any Disk
    private let journal: any RecordingJournal
    private let time: any TimeSource
    private let tell: @Sendable (RecordingEvent) -> Void
    private let state = Lock(State())

    init(
        _ log: LogRequest, stationID: String, root: String, disk: any Disk, journal: any RecordingJournal,
        time: any TimeSource, tell: @escaping @Sendable (RecordingEvent) -> Void
    ) {
        self.log = log
        self.stationID = stationID
        self.root = root
        self.disk = disk
        self.journal = journal
        self.time = time
        self.tell = tell
    }

    /// A file is complete: it counts from now on.
    func add(_ facts: RecordingFacts) {
        guard !facts.keep, !facts.parts.isEmpty else { return }
        state.withLock { state in
            state.held?.removeAll { $0.id == facts.id }
            state.held?.append(Self.held(facts))
        }
    }

    /// Deletes what has to go. Blocks while files are deleted.
    func enforce(running facts: RecordingFacts) {
        guard !log.retention.isEmpty, isTime() else { return }
        let moment = RetentionRules.Moment(
            wall: time.wall, runningBytes: facts.bytes,
            freeBytes: log.retention.freeBytes.flatMap { _ in freeBytes() })
        guard !victims(at: moment).isEmpty else { return noteShort(moment) }
        // Somebody may have marked, renamed or deleted files since: what is there now decides.
        let stored = read()
        state.withLock { $0.held = nil }
        let victims = victims(stored, at: moment)
        let byID = Dictionary(stored.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for (file, rule) in victims {
            if let facts = byID[file.id] { delete(facts, rule) }
        }
        if let free = moment.freeBytes, !victims.isEmpty {
            owe(victims.reduce(0) { $0 &+ $1.file.bytes }, free: free)
        }
    }

    /// With what the file system owes. Nil where it is not known.
    private func freeBytes() -> Int64? {
        guard let free = try? disk.folder(root, below: [], creating: false).freeBytes() else { return nil }
        let now = time.now
        return state.withLock { state in
            if let owed = state.owed, now < owed.until, free <= owed.free { return free &+ owed.bytes }
            state.owed = nil
            return free
        }
    }

    private func owe(_ bytes: Int64, free: Int64) {
        let until = time.now.advanced(bySeconds: Self.owedSeconds)
        state.withLock { state in
            let earlier = state.owed?.bytes ?? 0
            state.owed = Owed(bytes: bytes &+ earlier, free: free &- earlier, until: until)
        }
    }

    private func isTime() -> Bool {
        let now = time.now
        return state.withLock { state in
            if let last = state.lastLook, now.seconds(since: last) < Self.lookSeconds { return false }
            state.lastLook = now
            return true
        }
    }

    private func victims(at moment: RetentionRules.Moment) -> [(
        file: RetentionRules.Held, rule: RetentionRules.Rule
    )] {
        let (known, stuck) = state.withLock { ($0.held, $0.stuck) }
        let held = known ?? read().map(Self.held)
        state.withLock { $0.held = held }
        return log.retention.victims(of: held.filter { !stuck.contains($0.id) }, at: moment)
    }

    private func victims(
        _ stored: [RecordingFacts], at moment: RetentionRules.Moment
    ) -> [(file: RetentionRules.Held, rule: RetentionRules.Rule)] {
        let stuck = state.withLock { $0.stuck }
        return log.retention.victims(
            of: stored.map(Self.held).filter { !stuck.contains($0.id) }, at: moment)
    }

    private static func held(_ facts: RecordingFacts) -> RetentionRules.Held {
        RetentionRules.Held(
            id: facts.id, started: facts.started, ended: facts.ended, bytes: facts.bytes)
    }

    /// The files of this log that may be deleted, oldest first.
    private func read() -> [RecordingFacts] {
        let all = journal.logged(station: stationID) ?? LibraryWalk(disk: disk).sidecars(in: root)
        return all.filter {
            $0.stationID == stationID && $0.slot?.seconds == log.slotSeconds && !$0.keep
                && $0.state != .recording
        }.sorted { $0.started < $1.started }
    }

    private func delete(_ facts: RecordingFacts, _ rule: RetentionRules.Rule) {
        do throws(SystemError) {
            try FileShelf(disk: disk).delete(facts)
            FileShelf(disk: disk).prune(facts.folder, below: root)
        } catch  where error.code == DiskCode.missing {
            // Its folder has gone already.
        } catch {
            state.withLock { _ = $0.stuck.insert(facts.id) }
            Log.error(
                "recording", "a file that has to go could not be deleted",
                ["recording": facts.id.text, "rule": rule.rawValue, "error": error.description])
            return
        }
        let deletion = Deletion(
            recording: facts.id, stationID: facts.stationID, started: facts.started, ended: facts.ended,
            bytes: facts.bytes, path: facts.fileName.map { "\(facts.folder)/\($0)" } ?? facts.folder,
            rule: rule, at: time.wall)
        Log.warning(
            "recording", "deleted by rule",
            ["recording": facts.id.text, "file": deletion.path, "rule": rule.rawValue])
        journal.deleted(deletion)
        tell(.deleted(deletion))
    }

    /// Says once that a rule cannot be kept because nothing is left that may be deleted.
    private func noteShort(_ moment: RetentionRules.Moment) {
        let isShort =
            log.retention.freeBytes.map { limit in moment.freeBytes.map { $0 < limit } ?? false } ?? false
        let isNew = state.withLock { state in
            defer { state.isShort = isShort }
            return isShort && !state.isShort && (state.held ?? []).isEmpty
        }
        guard isNew else { return }
        Log.error(
            "recording",
            "the disk has less room than the logger is to leave free, and nothing may be deleted",
            ["station": stationID])
    }
}
