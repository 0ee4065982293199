internal import Platform

/// Takes a span out of finished recordings, by the clock on the wall.
struct SpanExport {
    /// So much of one recording.
    struct Piece {
        var facts: RecordingFacts
        /// Seconds of the recording.
        var begin: Double
        var end: Double
    }

    let disk: any Disk
    let tagBytes: Int
    var pictures: any PictureSource = NoPictures()
    var progress: ProgressReport = { _ in }

    /// The pieces that hold what was on the air between two moments, each second once.
    /// - Parameter recordings: of one station; those that do not reach into the span are left out.
    static func pieces(of recordings: [RecordingFacts], from: WallTime, to: WallTime) -> [Piece] {
        var reached = from
        var pieces: [Piece] = []
        for source in recordings.filter({ $0.started < to && $0.ended > from }).sorted(by: {
            $0.started < $1.started
        }) {
            let begin = place(of: reached, in: source)
            let end = place(of: to, in: source)
            // One that ended before what another one holds has nothing more to give.
            guard begin < end else { continue }
            pieces.append(Piece(facts: source, begin: begin, end: end))
            reached = max(reached, ClockMap.wall(at: end, in: source.clock) ?? reached)
        }
        return pieces
    }

    /// The second of a recording that was on the air then: its first for a time before it, its length for one after it.
    private static func place(of wall: WallTime, in source: RecordingFacts) -> Double {
        let length = source.endSeconds
        if wall <= (source.clock.first?.wall ?? source.started) { return 0 }
        return ClockMap.seconds(at: wall, in: source.clock, length: length) ?? length
    }

    /// Writes the pieces to one file, one after another; what is missing between them is a gap in its sidecar.
    /// - Returns: the facts of the new file; nil where the pieces hold nothing.
    func run(
        _ pieces: [Piece], target: RecordingRequest.Target, overwrite: Bool, time: any TimeSource
    ) throws(RecordingError) -> RecordingFacts? {
        guard let first = pieces.first else { return nil }
        let source = first.facts
        var facts = source
        facts.id = .new(station: source.stationID, wall: time.wall)
        facts.started = ClockMap.wall(at: first.begin, in: source.clock) ?? source.started
        (facts.tracks, facts.openTracks, facts.trackFolder, facts.slot) = ([], [], nil, nil)
        facts.silences = nil
        (facts.origin, facts.loudness, facts.keep, facts.reason) = (source.id.text, nil, false, nil)
        var values = NameValues(station: facts.stationName, stationID: facts.stationID, start: facts.started)
        values.show = facts.show
        let place = FilePlace(target, overwrite: overwrite, values: values, disk: disk)
        let tags = facts.tagFields()
        let reserve = tagBytes
        let (pictures, wish) = (pictures, PictureWish.station(source.stationID))
        pictures.look(for: wish)
        var writer = WholeWriter(
            place: place, isExact: target.isExact, picture: { pictures.found(wish) }
        ) { format, run in
            FileHead(format, first: run, tag: tags, reserve: reserve)
        }
        do throws(SystemError) {
            if place.isTaken(in: try disk.folder(place.rootPath, below: [], creating: false)) {
                throw SystemError(code: DiskCode.exists, while: "creating \(target.path)")
            }
            try copy(pieces, &writer)
        } catch {
            for file in writer.written + [writer.file].compactMap({ $0 }) {
                try? file.folder.remove(file.name)
                FileShelf(disk: disk).prune(file.folder.path, below: place.rootPath)
            }
            if error.code == DiskCode.exists { throw .fileExists(target.path) }
            throw .folder(target.path, reason: error.description)
        }
        return finish(&writer, facts)
    }

    private func copy(_ pieces: [Piece], _ writer: inout WholeWriter) throws(SystemError) {
        let all = max(pieces.reduce(0) { $0 + $1.end - $1.begin }, 1)
        var done = 0.0
        for piece in pieces {
            try StoredAudio(facts: piece.facts, disk: disk).play(from: piece.begin, to: piece.end) {
                item throws(SystemError) in
                if case .audio(let audio) = item { done += audio.seconds }
                writer.take(item)
                var news: [WholeWriter.News] = []
                try writer.write(news: &news)
                try progress(min(done / all, 1))
            }
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
        FileCloser.close(writer, &facts, picture: pictures.found(.station(facts.stationID)))
        try? SidecarFile(folder: folder).write(facts, named: Sidecar.name(for: name), durably: true)
        return facts
    }
}
