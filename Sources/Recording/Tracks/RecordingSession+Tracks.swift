internal import Platform

/// The tracks of a session: questions to the cutter, its answers, and files for the keeper.
extension RecordingSession {
    /// On the writer thread: writes what has come, cuts where the cutter has answered.
    func writeTracks(isLast: Bool) throws(SystemError) {
        guard work.tracks != nil else { return }
        // Read first: `work` may not be read while a part of it is being changed.
        let lag = titleLag
        work.tracks?.titleLag = lag
        try work.tracks?.write()
        try cutAnswered()
        let rules = work.tracks?.rules ?? TrackRules()
        let offset = cutter.offset(of: stationID, lag: lag, rules: rules)
        for question in work.tracks?.questions(offset: offset, isLast: isLast) ?? [] {
            cutter.ask(question) { [shared] number, cut in
                shared.withLock { $0.answers.append((number, cut)) }
            }
        }
        let certain = work.tracks?.takeCertain() ?? []
        if !certain.isEmpty {
            shared.withLock { $0.answers += certain }
            try cutAnswered()
        }
        handOver()
    }

    private func cutAnswered() throws(SystemError) {
        while let answer = shared.withLock({ $0.answers.first }) {
            let place = work.tracks?.metadataPlace(answer.number)
            try work.tracks?.cut(answer.number, answer.cut)
            shared.withLock { _ = $0.answers.removeFirst() }
            work.hasCut = true
            guard let place else { continue }
            work.whole.place(titleAt: place, cut: answer.cut.seconds)
            shared.withLock { $0.sidecarIsStale = true }
        }
        try work.tracks?.write()
    }

    /// What whoever tidies up after a crash must know, without waiting for the keeper: that there is this recording; that
    /// two files of tracks hold the same seconds until the keeper has cut the first.
    func tellAtOnce() {
        work.hasCut = false
        let (facts, place, number) = shared.withLock { state in
            state.tellings += 1
            return (state.status.facts, state.sidecar, state.tellings)
        }
        guard let place else { return }
        try? SidecarFile(folder: place.folder).writeAtOnce(
            facts, named: place.name, turn: sidecarTurn.number(number))
    }

    private func handOver() {
        guard let jobs = work.tracks?.takeJobs(), !jobs.isEmpty else { return }
        shared.withLock { $0.jobs += jobs }
    }

    /// On the keeper thread, at the end: waits for the cutter and closes the last track.
    func endTracks() {
        guard work.tracks != nil else { return }
        let end = time.now.advanced(bySeconds: settings.cutterSeconds)
        do throws(SystemError) {
            repeat {
                try writeTracks(isLast: true)
                if work.tracks?.isWaiting == true { Pause.seconds(0.02) }
            } while work.tracks?.isWaiting == true && time.now < end
        } catch {
            Log.error(
                "recording", "the end of the tracks could not be written",
                [
                    "recording": id.text, "error": error.description,
                ])
        }
        work.tracks?.endRunning(isIncomplete: true)
        handOver()
    }

    /// On the keeper thread: finishes the tracks that are complete.
    func finishTracks() {
        while let job = shared.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
            var track = job.track
            do throws(SystemError) { track = try job.finish() } catch {
                (track.name, track.folders) = (job.name, job.openFolders)
                track.refusal = error.description
                Log.error(
                    "recording", "a track could not be finished",
                    [
                        "recording": id.text, "file": job.name, "error": error.description,
                    ])
            }
            let facts = shared.withLock { state in
                state.status.facts.tracks.append(track)
                state.sidecarIsStale = true
                return state.status.facts
            }
            if track.name != nil { tell(.track(facts, track)) }
        }
    }
}
