internal import Feed
internal import Platform

/// What others see of a session.
extension RecordingSession {
    /// Seconds after which others see how far it has come; what is news they see at once.
    private static let showSeconds = 1.0

    /// A title comes up to one metadata interval late: half of it in the middle. The station's own rule wins.
    var titleLag: Double {
        let told = feed.station.titles.offset
        if told != .zero {
            return -Double(told.components.seconds) - Double(told.components.attoseconds) / 1e18
        }
        guard let interval = feed.status.metaint, work.whole.timeline.seconds > 1 else { return 0 }
        let bytesPerSecond = Double(feed.position.bytes) / max(feed.position.seconds, 1)
        return bytesPerSecond > 0 ? min(Double(interval) / bytesPerSecond / 2, 3) : 0
    }

    /// It has a file that neither journal nor sidecar knows yet: that must not last until its turn.
    var isUnknown: Bool { shared.withLock { $0.sidecarIsStale && !$0.isKnown } }

    func publish(_ news: [WholeWriter.News], _ now: MonotonicTime) {
        let isShown =
            !news.isEmpty || work.tracks != nil || work.mood != .well
            || work.lastShown.map {
                now.seconds(since: $0) >= min(Self.showSeconds, settings.tickSeconds * 4)
            } ?? true
        if isShown { work.lastShown = now }
        shared.withLock { state in
            if isShown { show(in: &state) }
            for file in [work.whole.file?.file, work.tracks?.file?.file].compactMap({ $0 }) {
                if !state.unsynced.contains(where: { $0 === file }) { state.unsynced.append(file) }
                if state.status.waitsFor == "audio" { state.status.waitsFor = nil }
            }
            state.sidecar = state.sidecar ?? sidecarPlace
            if !news.isEmpty { state.sidecarIsStale = true }
            if news.contains(where: { if case .title = $0 { false } else { true } }) {
                state.unsyncedFolder = work.whole.folder
            }
        }
        for item in news { tell(item) }
    }

    private func show(in state: inout Shared) {
        fill(&state.status.facts)
        state.status.facts.openTracks =
            state.jobs.map(\.openTrack) + [work.tracks?.openTrack].compactMap { $0 }
        state.status.heldSeconds = work.whole.heldSeconds
    }

    /// A stranger's `NAME.json` is left alone.
    private var sidecarPlace: Place? {
        guard let file = work.whole.file else { return trackSidecarPlace }
        // A recording that goes on after an interruption has one already, named after its first file.
        let usual = Sidecar.name(for: work.whole.parts.first?.name ?? file.finalName)
        let isStrange =
            file.folder.contains(usual) && SidecarFile(folder: file.folder).read(named: usual) == nil
        return Place(folder: file.folder, name: isStrange ? file.finalName + ".json" : usual)
    }

    /// Tracks alone have one for all, named after the station and the time.
    private var trackSidecarPlace: Place? {
        guard let tracks = work.tracks, let file = tracks.file else { return nil }
        let started = LocalTime.text(work.whole.timeline.started ?? time.wall, pattern: "%Y-%m-%d %H-%M-%S")
        let stem = SafeName.component("\(feed.station.name) \(started)")
        let names = ["\(stem).json"] + (2...99).map { "\(stem) (\($0)).json" }
        return Place(
            folder: tracks.root, name: names.first { !tracks.root.contains($0) } ?? file.finalName + ".json")
    }

    private func tell(_ news: WholeWriter.News) {
        switch news {
        case .started: tell(.started(shared.withLock { $0.status.facts }))
        case .title(let title): tell(.title(id, title))
        case .gap(let gap): tell(.gap(id, gap))
        case .newPart(let name, let reason): tell(.newPart(id, name: name, reason: reason))
        case .retitled: break
        }
    }

    /// Brings the facts up to what has been written.
    func fill(_ facts: inout RecordingFacts) {
        facts.format = work.whole.format
        facts.parts = work.whole.allParts
        facts.titles = work.whole.timeline.titles
        facts.gaps = work.whole.timeline.gaps
        facts.clock = work.whole.timeline.clock.anchors
        facts.started = work.whole.timeline.started ?? facts.started
        facts.ended = work.whole.timeline.ended ?? facts.ended
        facts.folder = work.whole.folder?.path ?? facts.folder
        facts.titleLag = titleLag
        facts.learnedOffset = cutter.learned(of: facts.stationID, lag: titleLag)
        if facts.url == nil {
            let status = feed.status
            facts.url = status.url
            facts.genre = facts.genre ?? status.genre
            facts.homepage = facts.homepage ?? status.homepage
        }
    }
}
