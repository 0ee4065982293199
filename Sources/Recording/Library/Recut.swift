internal import Platform

/// Takes a finished recording apart into tracks, anew: with other rules, or with what has been learned since.
struct Recut {
    /// What came of it.
    struct Result {
        var tracks: [RecordedTrack] = []
        /// Seconds at which a title's metadata came, and where the cut is.
        var cuts: [(at: Double, cut: Double)] = []
    }

    let facts: RecordingFacts
    let request: TrackRequest
    let disk: any Disk
    let cutter: Cutter
    /// As the recording's station had it.
    let titleLag: Double
    var pictures: any PictureSource = NoPictures()
    var progress: ProgressReport = { _ in }

    /// Writes the tracks. Blocks; decodes around every title.
    /// - Throws: and leaves no track of its own.
    func run() throws(SystemError) -> Result {
        var result = Result()
        let root = try disk.folder(request.folder, below: [], creating: false)
        var writer = TrackWriter(request, facts: facts, root: root, disk: disk, pictures: pictures)
        writer.titleLag = titleLag
        do throws(SystemError) { try run(&writer, &result) } catch {
            // What is running is a job of the writer's then, too.
            writer.endRunning(isIncomplete: true)
            for job in writer.takeJobs() { try? job.drop() }
            FileShelf(disk: disk).delete(result.tracks, in: request.folder)
            throw error
        }
        return result
    }

    private func run(_ writer: inout TrackWriter, _ result: inout Result) throws(SystemError) {
        let all = max(facts.audioSeconds, 1)
        var done = 0.0
        try StoredAudio(facts: facts, disk: disk).play { item throws(SystemError) in
            if case .audio(let piece) = item { done += piece.seconds }
            writer.take(item)
            try writer.write()
            try settle(&writer, isLast: false, &result)
            try progress(min(done / all, 1))
        }
        try settle(&writer, isLast: true, &result)
        writer.endRunning(isIncomplete: true)
        for job in writer.takeJobs() { result.tracks.append(try job.finish()) }
    }

    private func settle(
        _ writer: inout TrackWriter, isLast: Bool, _ result: inout Result
    ) throws(SystemError) {
        let offset = cutter.offset(of: facts.stationID, lag: titleLag, rules: request.rules)
        for question in writer.questions(offset: offset, isLast: isLast) {
            try cut(question.number, cutter.find(question), &writer, &result)
        }
        for certain in writer.takeCertain() { try cut(certain.number, certain.cut, &writer, &result) }
        try writer.write()
        for job in writer.takeJobs() { result.tracks.append(try job.finish()) }
    }

    private func cut(
        _ number: Int, _ cut: FoundCut, _ writer: inout TrackWriter, _ result: inout Result
    ) throws(SystemError) {
        if let place = writer.metadataPlace(number) { result.cuts.append((place, cut.seconds)) }
        try writer.cut(number, cut)
    }
}

extension FileShelf {
    /// Deletes the files of tracks; what is not there is no error.
    func delete(_ tracks: [RecordedTrack], in root: String) {
        for track in tracks {
            guard let name = track.name,
                let folder = try? disk.folder(root, below: track.folders, creating: false)
            else { continue }
            try? folder.remove(name)
        }
    }
}
