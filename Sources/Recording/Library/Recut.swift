internal import Platform

/// Takes a finished recording apart into tracks, anew: with other rules, or with what has been learned since.
struct Recut {
    let facts: RecordingFacts
    let request: TrackRequest
    let disk: any Disk
    let cutter: Cutter
    /// As the recording's station had it.
    let titleLag: Double

    /// Writes the tracks. Blocks; decodes around every title.
    func run() throws(SystemError) -> [RecordedTrack] {
        let root = try disk.folder(request.folder, below: [], creating: false)
        var writer = TrackWriter(request, facts: facts, root: root, disk: disk)
        writer.titleLag = titleLag
        var done: [RecordedTrack] = []
        try StoredAudio(facts: facts, disk: disk).play { item throws(SystemError) in
            writer.take(item)
            try writer.write()
            try settle(&writer, isLast: false, &done)
        }
        try settle(&writer, isLast: true, &done)
        writer.endRunning(isIncomplete: true)
        for job in writer.takeJobs() { done.append(try job.finish()) }
        return done
    }

    private func settle(
        _ writer: inout TrackWriter, isLast: Bool, _ done: inout [RecordedTrack]
    ) throws(SystemError) {
        let offset = cutter.offset(of: facts.stationID, lag: titleLag)
        for question in writer.questions(offset: offset, isLast: isLast) {
            try writer.cut(question.number, cutter.find(question))
        }
        for certain in writer.takeCertain() { try writer.cut(certain.number, certain.cut) }
        try writer.write()
        for job in writer.takeJobs() { done.append(try job.finish()) }
    }
}

/// Takes a span out of finished recordings, by the clock on the wall.
struct SpanExport {
    let disk: any Disk
    let tagBytes: Int

    /// Writes what was on the air between two moments to one file; what is missing is a gap in its sidecar.
    /// - Parameter recordings: of one station; those that do not reach into the span are left out.
    /// - Returns: the facts of the new file; nil where nothing of the span is held.
    func run(
        _ recordings: [RecordingFacts], from: WallTime, to: WallTime, target: RecordingRequest.Target,
        overwrite: Bool,
        time: any TimeSource
    ) throws(RecordingError) -> RecordingFacts? {
        let sources = recordings.filter { $0.started < to && $0.ended > from }.sorted {
            $0.started < $1.started
        }
        guard let first = sources.first else { return nil }
        var facts = first
        facts.id = .new(station: first.stationID, wall: time.wall)
        facts.started = max(from, first.started)
        (facts.tracks, facts.trackFolder, facts.origin, facts.loudness) = ([], nil, first.id.text, nil)
        var values = NameValues(station: facts.stationName, stationID: facts.stationID, start: facts.started)
        values.show = facts.show
        let place = FilePlace(target, overwrite: overwrite, values: values, disk: disk)
        let tags = facts.tagFields()
        let reserve = tagBytes
        var writer = WholeWriter(place: place, isExact: target.isExact) { format, run in
            FileHead(format, first: run, tag: tags, reserve: reserve)
        }
        do throws(SystemError) {
            if place.isTaken(in: try disk.folder(place.rootPath, below: [], creating: false)) {
                throw SystemError(code: DiskCode.exists, while: "creating \(target.path)")
            }
            try copy(sources, from, to, &writer)
        } catch {
            if error.code == DiskCode.exists { throw .fileExists(target.path) }
            throw .folder(target.path, reason: error.description)
        }
        return finish(&writer, facts)
    }

    private func copy(
        _ sources: [RecordingFacts], _ from: WallTime, _ to: WallTime, _ writer: inout WholeWriter
    ) throws(SystemError) {
        var reached = from
        for source in sources {
            let begin = ClockMap.seconds(at: reached, in: source.clock, length: source.seconds) ?? 0
            let end = ClockMap.seconds(at: to, in: source.clock, length: source.seconds) ?? source.seconds
            guard begin < end else { continue }
            try StoredAudio(facts: source, disk: disk).play(from: begin, to: end) {
                item throws(SystemError) in
                writer.take(item)
                var news: [WholeWriter.News] = []
                try writer.write(news: &news)
            }
            reached = ClockMap.wall(at: end, in: source.clock) ?? reached
        }
    }

    private func finish(_ writer: inout WholeWriter, _ original: RecordingFacts) -> RecordingFacts? {
        _ = writer.end()
        guard let folder = writer.folder, let name = writer.written.first?.finalName else { return nil }
        var facts = original
        facts.state = .finished
        facts.folder = folder.path
        facts.parts = writer.parts
        facts.titles = writer.timeline.titles
        facts.gaps = writer.timeline.gaps
        facts.clock = writer.timeline.clock.anchors
        facts.started = facts.clock.first?.wall ?? facts.started
        facts.ended = writer.timeline.ended ?? facts.ended
        FileCloser.close(writer, &facts)
        try? SidecarFile(folder: folder).write(facts, named: Sidecar.name(for: name), durably: true)
        return facts
    }
}
