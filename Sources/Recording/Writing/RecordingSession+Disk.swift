internal import Feed
internal import Platform

/// What a session writes, and what it does when the disk does not take it, on the writer thread.
extension RecordingSession {
    func write(_ now: MonotonicTime, isLast: Bool, news: inout [WholeWriter.News]) {
        if case .full(let retryAt, _) = work.mood, now < retryAt, !isLast { return holdBack() }
        do throws(SystemError) {
            if (work.whole.folder ?? work.tracks?.folder).map(isBelowFloor) == true {
                throw SystemError(code: DiskCode.noSpace, while: "keeping \(settings.floorBytes) bytes free")
            }
            // Where there are only tracks, the ledger does not run ahead of them.
            if !work.whole.hasFile { try work.tracks?.write() }
            try work.whole.write(news: &news)
            try writeTracks(isLast: false)
            if case .full = work.mood { recovered() }
        } catch {
            handle(error, now)
        }
    }

    private func isBelowFloor(_ folder: any DiskFolder) -> Bool {
        guard settings.floorBytes > 0, let free = try? folder.freeBytes() else { return false }
        return free < settings.floorBytes
    }

    private func handle(_ error: SystemError, _ now: MonotonicTime) {
        let wasWell = work.mood == .well
        if error.trouble == .broken { leaveFile(because: error.description) }
        let since: MonotonicTime = if case .full(_, let since) = work.mood { since } else { now }
        work.mood = .full(retryAt: now.advanced(bySeconds: settings.retrySeconds), since: since)
        if wasWell {
            Log.warning(
                "recording", "the disk does not take the audio; it is kept in memory",
                [
                    "recording": id.text, "error": error.description,
                ])
            tell(.diskFull(id, reason: error.description))
        }
        shared.withLock { $0.status.waitsFor = error.description }
        holdBack()
    }

    private func holdBack() {
        guard let gap = letGo(beyond: settings.heldSeconds, cause: .diskFull) else { return }
        if work.lostWhileFull == nil {
            Log.error(
                "recording", "audio is being lost: the disk has not taken any for too long",
                [
                    "recording": id.text, "held": "\(settings.heldSeconds)",
                ])
            shared.withLock { $0.sidecarIsStale = true }
        }
        work.lostWhileFull = gap
    }

    /// Lets the oldest audio go until at most so many seconds are held, of the whole and of the tracks the same.
    func letGo(beyond limit: Double, cause: Gap.Cause) -> RecordedGap? {
        let loss = work.whole.hasFile ? work.whole.drop(beyond: limit) : work.tracks?.drop(beyond: limit)
        if let loss { work.tracks?.lose(loss) }
        // Their folder may be on another disk than the whole, and full alone.
        if work.whole.hasFile { work.tracks?.skip(beyond: limit + Self.trackSlack) }
        return loss.map { work.whole.lose($0, cause: cause, now: time.wall) }
    }

    /// Tracks may lag behind the whole by this without a hole of their own.
    private static let trackSlack = 5.0

    private func recovered() {
        let lost = work.lostWhileFull?.lostSeconds ?? 0
        Log.info("recording", "the disk takes audio again", ["recording": id.text, "lost": "\(lost)"])
        if let gap = work.lostWhileFull { tell(.gap(id, gap)) }
        tell(.resumed(id, lostSeconds: lost))
        work.mood = .well
        work.lostWhileFull = nil
        shared.withLock { $0.status.waitsFor = nil }
    }

    /// Somebody may have deleted the file under us; then nothing that is written to it can be found again.
    func lookAtDisk(_ now: MonotonicTime) {
        guard now.seconds(since: work.lastLook) >= settings.lookSeconds, let file = work.whole.file else {
            return
        }
        work.lastLook = now
        guard let facts = try? file.file.facts(), facts.links == 0 else { return }
        leaveFile(because: "\(file.name) was deleted while it was being written")
    }

    /// The file is not to be trusted any more, and never to be synchronised again.
    func leaveFile(because reason: String) {
        work.whole.leaveFile(because: reason)
        work.tracks?.leaveFile()
        shared.withLock { $0.unsynced = [] }
    }
}
