internal import Feed
internal import Platform

/// What the keeper thread of the volume does for a session: whatever may take long.
extension RecordingSession {
    /// Has what was written begin its way to the disk, and waits for nothing.
    func beginKeeping() {
        for file in shared.withLock({ $0.unsynced }) { file.beginSynchronizing() }
    }

    /// Makes what was written survive a power cut, and brings the sidecar up to date.
    func keep(journal: any RecordingJournal) {
        let due = shared.withLock { state -> Shared in
            defer {
                state.unsynced = []
                state.unsyncedFolder = nil
                state.sidecarIsStale = false
                state.isKnown = state.isKnown || state.sidecar != nil
            }
            return state
        }
        do throws(SystemError) {
            for file in due.unsynced { try file.synchronize() }
            try due.unsyncedFolder?.synchronize()
        } catch {
            // Linux has forgotten the pages by now: a second try would lie. The writer goes on in another file.
            shared.withLock { $0.syncFailure = error }
        }
        finishTracks()
        log?.keeper.enforce(running: due.status.facts)
        if due.sidecarIsStale {
            keepFacts(
                due.status.facts, at: due.sidecar, number: due.tellings, durably: false, journal: journal)
        }
    }

    /// - Parameter tries: how often the sidecar is tried, a short while apart.
    /// - Returns: whether the sidecar says so now.
    @discardableResult
    private func keepFacts(
        _ facts: RecordingFacts, at place: Place?, number: Int, durably: Bool, journal: any RecordingJournal,
        tries: Int = 1
    ) -> Bool {
        journal.keep(facts)
        guard let place else { return true }
        for turn in 1...max(tries, 1) {
            do throws(SystemError) {
                try SidecarFile(folder: place.folder).write(
                    facts, named: place.name, durably: durably, turn: sidecarTurn.number(number))
                return true
            } catch {
                guard turn == tries else { Pause.seconds(Self.pauseSeconds); continue }
                Log.warning(
                    "recording", "the sidecar could not be written",
                    ["recording": id.text, "error": error.description])
                shared.withLock { $0.sidecarIsStale = true }
            }
        }
        return false
    }

    private static let pauseSeconds = 0.1

    /// Ends the recording: the rest is written, the files closed, synchronised and given their names.
    /// - Returns: what it has become; the caller tells.
    func finish(journal: any RecordingJournal) -> RecordingFacts {
        stopReading()
        giveUpRest(writeRest())
        endTracks()
        finishTracks()
        var facts = shared.withLock { $0.status.facts }
        fill(&facts)
        facts.openTracks = []
        if work.whole.written.isEmpty && facts.tracks.allSatisfy({ $0.name == nil }) {
            facts.state = .failed
            facts.reason = facts.reason ?? "ended before any audio came"
            if isLater { return facts }
        } else {
            facts.state = .finished
            FileCloser.close(work.whole, &facts, picture: wholePicture)
        }
        settle(facts, journal: journal)
        return facts
    }

    /// Keeps what the recording has become.
    /// - Returns: whether the sidecar says so now.
    @discardableResult
    func settle(_ facts: RecordingFacts, journal: any RecordingJournal) -> Bool {
        let (place, number) = shared.withLock { state in
            state.status = RecordingStatus(facts: facts)
            return (state.sidecar, state.tellings)
        }
        // The last word on a recording is worth a wait for room.
        return keepFacts(
            facts, at: place, number: number, durably: true, journal: journal,
            tries: Int(settings.lastTrySeconds / Self.pauseSeconds))
    }

    /// - Returns: why not all could be written, or nil.
    private func writeRest() -> SystemError? {
        let end = time.now.advanced(bySeconds: settings.lastTrySeconds)
        while true {
            var news: [WholeWriter.News] = []
            do throws(SystemError) {
                try work.whole.write(news: &news)
                try work.tracks?.write()
                return work.whole.end()
            } catch {
                guard time.now < end else { return error }
                if error.trouble == .broken { leaveFile(because: error.description) }
                Pause.seconds(settings.retrySeconds / 4)
            }
        }
    }

    private func giveUpRest(_ failure: SystemError?) {
        guard let failure else { return }
        let held = max(work.whole.heldSeconds, work.tracks?.heldSeconds ?? 0)
        Log.error(
            "recording", "the end of the recording could not be written",
            [
                "recording": id.text, "lost": "\(held)", "error": failure.description,
            ])
        if let gap = letGo(beyond: 0, cause: failure.trouble == .full ? .diskFull : .diskError) {
            tell(.gap(id, gap))
        }
        _ = work.whole.end()
    }
}
