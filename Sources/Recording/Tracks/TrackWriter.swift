internal import Feed
internal import Platform
internal import StreamFormats

/// Writes a file per track. What comes goes into the running track at once, so that a crash costs no more than it does
/// in a whole recording; when a cut has been found, some seconds later, the file is cut back and the next one made.
struct TrackWriter: Sendable {
    /// Audio kept for cuts that may still come, at least.
    private static let memorySeconds = 30.0

    private struct Running: Sendable {
        var file: GrowingFile
        var track: RecordedTrack
    }

    let rules: TrackRules
    private let disk: any Disk
    private let request: TrackRequest
    let root: any DiskFolder
    private let station: String
    private let facts: RecordingFacts
    private let pictures: any PictureSource
    private var planner: TrackPlanner
    private var backlog = Backlog()
    private var samples = SampleClock()
    /// Seconds that the whole has and the tracks have not, before what is held.
    private var skipped = 0.0
    private var tape = TrackTape()
    private var running: Running?
    private var believed: [TrackPlanner.Change] = []
    private var asked: [Int: TrackPlanner.Change] = [:]
    private var nextQuestion = 1
    /// Files that have been made.
    private var made = 0
    private var started: WallTime?
    private var clock = ClockMap()
    private(set) var jobs: [TrackJob] = []
    /// The last titles, for another reading of their charset.
    private var heard: [TitleMark] = []
    private static let heardLimit = 100
    /// Frames that a broken file did not take.
    private var rescued: [HeldRun] = []
    private static let hourlyLimit = 240
    /// When the tracks of the last hour began.
    private var recent: [Double] = []
    private var certain: [(number: Int, cut: FoundCut)] = []
    /// The one track that was asked for is complete.
    private(set) var isDone = false
    /// Half of the metadata interval, seconds: titles are late by that in the middle.
    var titleLag = 0.0

    /// - Parameter root: the folder of `request`, open.
    init(
        _ request: TrackRequest, facts: RecordingFacts, root: any DiskFolder,
        disk: any Disk, pictures: any PictureSource = NoPictures()
    ) {
        self.pictures = pictures
        self.root = root
        self.request = request
        self.facts = facts
        self.disk = disk
        rules = request.rules
        station = facts.stationID
        // Of one song alone the piece before it is thrown away anyhow, and its own start is known.
        planner = TrackPlanner(rules: request.rules, joinsFirst: request.only == nil)
    }

    var file: GrowingFile? { running?.file }

    /// The running track as it stands.
    var openTrack: RecordedTrack? {
        guard let running else { return nil }
        var track = running.track
        track.name = running.file.name
        track.folders = openFolders(of: running.file)
        track.end = samples.seconds
        track.isIncomplete = true
        return track
    }

    /// Folders between the tracks' and that of a file.
    private func openFolders(of file: GrowingFile) -> [String] {
        let path = file.folder.path
        guard path.hasPrefix(root.path + "/") else { return [] }
        return path.dropFirst(root.path.count + 1).split(separator: "/").map(String.init)
    }
    var folder: (any DiskFolder)? { running?.file.folder }
    var heldSeconds: Double { backlog.seconds + (running?.file.heldSeconds ?? 0) }

    mutating func take(_ item: Backlog.Item) { backlog.append(item) }

    /// Lets the oldest audio go until at most `limit` seconds are held.
    mutating func drop(beyond limit: Double) -> Backlog.Loss? { backlog.drop(beyond: limit) }

    /// Lets go of what the recording has lost, as far as it is still held.
    mutating func lose(_ loss: Backlog.Loss) { backlog.drop(loss.numbers) }

    /// Lets go of what the whole has and the tracks' disk does not take. Their time goes on, so the running track ends in
    /// the hole, and what comes behind it goes into another file.
    mutating func skip(beyond limit: Double) {
        guard let loss = backlog.drop(beyond: limit) else { return }
        skipped += loss.seconds
    }

    /// Hands over the files that are complete.
    mutating func takeJobs() -> [TrackJob] {
        defer { jobs = [] }
        return jobs
    }

    // MARK: Writing

    mutating func write() throws(SystemError) {
        try running?.file.flush()
        if skipped > 0 { endInHole() }
        while let item = backlog.first {
            switch item {
            case .audio(let piece): try add(piece)
            case .title(let mark):
                heard.append(mark)
                if heard.count > Self.heardLimit { heard.removeFirst() }
                if let address = mark.text.details.artwork {
                    pictures.look(for: .title(address: address, station: station))
                }
                planner.title(
                    mark.text, at: samples.seconds,
                    isExact: mark.raw.source == .ogg || mark.raw.source == .flac,
                    feedPosition: mark.position)
            case .retitled(let marks): reread(marks)
            case .gap: break
            }
            backlog.removeFirst()
        }
        try running?.file.flush()
    }

    private mutating func add(_ piece: AudioPiece) throws(SystemError) {
        if let running, !running.file.form.continues(with: piece.format, strictly: false) {
            try change(format: piece)
        }
        if running == nil { try open(piece) }
        let start = samples.nanoseconds
        let startSeconds = samples.seconds
        samples.add(samples: piece.run.samples, rate: piece.format.sampleRate)
        clock.arrived(endingAt: samples.seconds, from: startSeconds, wall: piece.wall)
        append(piece.run, piece.format, start: start, end: samples.nanoseconds)
        believe(planner.advance(to: samples.seconds))
        if let renaming = planner.takeRenaming() {
            running?.track.text = renaming.text
            running?.track.feedPosition = renaming.feedPosition
        }
        let oldest = min(
            samples.seconds - max(Self.memorySeconds, tapeMargin),
            (planner.earliestOpen ?? .infinity) - tapeMargin)
        let needed = min(oldest, (believed.first?.at ?? .infinity) - tapeMargin)
        let open = asked.values.map { $0.at - tapeMargin }.min() ?? .infinity
        tape.forget(before: Int64(min(needed, open) * 1e9))
    }

    /// Seconds of sound before a title that may still be looked into: twice the search, and how late titles come.
    private var tapeMargin: Double { 2 * rules.searchSeconds + max(0, titleLag) }

    /// A station whose titles never rest would fill the disk with files: beyond so many an hour all goes on in one.
    private mutating func believe(_ changes: [TrackPlanner.Change]) {
        for change in changes {
            recent.removeAll { $0 < change.at - 3600 }
            guard recent.count < Self.hourlyLimit else { continue }
            recent.append(change.at)
            believed.append(change)
        }
    }

    private mutating func append(_ run: FrameRun, _ format: AudioFormat, start: Int64, end: Int64) {
        guard var file = running?.file else { return }
        tape.append(
            TrackTape.Entry(
                run: run, format: format, start: start, end: end, formBefore: file.form,
                sizeBefore: file.nextByte))
        file.add(run, format)
        running?.file = file
    }

    /// The station's charset is known now: what is not named yet gets its right name.
    private mutating func reread(_ marks: [TitleMark]) {
        for mark in marks {
            guard let index = heard.firstIndex(where: { $0.position == mark.position }) else { continue }
            let old = heard[index].text
            heard[index].text = mark.text
            planner.reread(old, as: mark.text)
            if running?.track.text == old { running?.track.text = mark.text }
            for place in believed.indices where believed[place].text == old {
                believed[place].text = mark.text
            }
            for (number, change) in asked where change.text == old { asked[number]?.text = mark.text }
        }
    }

    private mutating func open(_ piece: AudioPiece) throws(SystemError) {
        started = started ?? piece.wall
        var track = RecordedTrack(
            text: planner.current ?? .none, start: samples.seconds, end: samples.seconds)
        track.isIncomplete = samples.nanoseconds == 0
        track.feedPosition = planner.currentPosition
        track.number = made + 1
        running = Running(file: try create(track, piece.format, first: piece.run), track: track)
        let saved = rescued
        rescued = []
        for held in saved {
            append(held.run, held.format, start: samples.nanoseconds, end: samples.nanoseconds)
        }
    }

    private mutating func create(
        _ track: RecordedTrack, _ format: AudioFormat, first: FrameRun
    ) throws(SystemError) -> GrowingFile {
        let (folders, stem) = request.template.path(values(of: track, format))
        let folder = try disk.folder(request.folder, below: folders, creating: true)
        let made = try FileNaming.create(stem, extension: format.fileExtension, in: folder)
        self.made = track.number
        _ = made.file.claim()
        let tags = tags(of: track)
        let head = FileHead(format, first: first, tag: tags, reserve: reserve(tags, track))
        return GrowingFile(
            folder: folder, file: made.file, name: made.name, finalName: made.finalName,
            form: FileForm(format: format, head: head, picture: tags.picture))
    }

    /// Room for a picture that may still come: audio never moves.
    private static let pictureRoom = 64 << 10

    private func reserve(_ tags: TagFields, _ track: RecordedTrack) -> Int {
        let usual = request.tagBytes
        guard usual > 0, tags.picture == nil else { return usual }
        let mayCome =
            pictures.look(for: .station(station))
            || (title(of: track) ?? heard.last)?.text.details.artwork != nil
        return mayCome ? usual + Self.pictureRoom : usual
    }

    private func title(of track: RecordedTrack) -> TitleMark? {
        track.feedPosition.flatMap { place in heard.last { $0.position == place } }
    }

    /// The one that came with its title, else the one whose address the title told, else the station's.
    private func picture(of track: RecordedTrack) -> TagFields.Picture? {
        let title = title(of: track)
        if let title, let picture = TagFields.Picture(in: title.raw) { return picture }
        if let address = title?.text.details.artwork,
            let picture = pictures.found(.title(address: address, station: station))
        {
            return picture
        }
        return pictures.found(.station(station))
    }

    private func values(of track: RecordedTrack, _ format: AudioFormat) -> NameValues {
        let wall = ClockMap.wall(at: track.start, in: clock.anchors) ?? started ?? facts.started
        var values = NameValues(
            station: facts.stationName, stationID: facts.stationID, start: wall, number: track.number)
        values.artist = track.text.artist
        values.title = track.text.title ?? track.text.text
        values.show = facts.show
        values.genre = facts.genre
        values.codec = format.codec
        return values
    }

    private func tags(of track: RecordedTrack) -> TagFields {
        var tags = TagFields()
        let wall = ClockMap.wall(at: track.start, in: clock.anchors) ?? started ?? facts.started
        tags.add("TIT2", track.text.title ?? track.text.text)
        tags.add("TPE1", track.text.artist)
        tags.add("TALB", facts.show ?? facts.stationName)
        tags.add("TRSN", facts.stationName)
        tags.add("TCON", facts.genre)
        tags.add("TDRC", String(LocalTime.iso(wall).dropLast()))
        tags.add("TRCK", String(track.number))
        tags.add("TSSE", "aircheck")
        tags.add("TXXX:AIRCHECK_ID", facts.id.text)
        if track.isIncomplete { tags.add("TXXX:AIRCHECK_INCOMPLETE", "1") }
        tags.picture = picture(of: track)
        return tags
    }

    // MARK: Cutting

    /// The questions whose sound is all there now. Each must be answered with `cut`.
    /// - Parameter isLast: no more sound will come.
    mutating func questions(offset: Double, isLast: Bool) -> [CutQuestion] {
        var ready: [CutQuestion] = []
        while let change = believed.first {
            let window = CutQuestion.window(at: change.at, offset: offset, rules: rules)
            guard isLast || samples.seconds >= window.upperBound else { break }
            believed.removeFirst()
            if change.isExact {
                asked[nextQuestion] = change
                let cut = FoundCut(seconds: change.at, way: .metadata, confidence: 1, onset: change.at)
                certain.append((nextQuestion, cut))
                nextQuestion += 1
                continue
            }
            let lower = max(window.lowerBound, running?.track.start ?? 0)
            guard let span = tape.frames(from: Int64(lower * 1e9), to: Int64(window.upperBound * 1e9)) else {
                continue
            }
            let rate = Double(max(span.format.sampleRate, 1))
            asked[nextQuestion] = change
            ready.append(
                CutQuestion(
                    number: nextQuestion, station: station, at: change.at, lag: titleLag, rules: rules,
                    format: span.format,
                    run: span.run,
                    end: Double(span.start) / 1e9 + Double(span.run.samples) / rate))
            nextQuestion += 1
        }
        return ready
    }

    /// Cuts that need no search; like answers they are to be given to `cut`.
    mutating func takeCertain() -> [(number: Int, cut: FoundCut)] {
        defer { certain = [] }
        return certain
    }

    /// True while answers are awaited.
    var isWaiting: Bool { !asked.isEmpty }

    /// Where the metadata of a question came, in seconds.
    func metadataPlace(_ number: Int) -> Double? { asked[number]?.at }

    /// The running track ends at `cut` and the next one begins there, each with its padding.
    mutating func cut(_ number: Int, _ cut: FoundCut) throws(SystemError) {
        // The end of a file is cut off it; so it must be in it.
        try running?.file.flush()
        guard let change = asked[number], let running else { return }
        let earliest = Int64(running.track.start * 1e9) + 1
        let place = max(Nanoseconds.of(cut.seconds), tape.start ?? 0, earliest)
        let padding = Nanoseconds.of(rules.paddingSeconds)
        guard let begin = tape.boundary(at: max(place - padding, tape.start ?? 0)),
            let end = padding == 0 ? begin : tape.boundary(at: place + padding)
        else { return }
        var next = RecordedTrack(text: change.text, start: Double(begin.place) / 1e9, end: samples.seconds)
        next.cut = cut
        next.feedPosition = change.feedPosition
        next.number = made + 1
        let entries = tape.entries
        let format = entries[begin.entry].format
        let file = try create(next, format, first: firstFrames(entries, from: begin))
        self.end(running, at: end, entries: entries)
        asked[number] = nil
        self.running = Running(file: file, track: next)
        refill(entries, from: begin)
    }

    private func firstFrames(_ entries: [TrackTape.Entry], from begin: TrackTape.Boundary) -> FrameRun {
        let run = entries[begin.entry].run
        return begin.frame < run.frames.count ? run.frames(begin.frame..<run.frames.count) : run
    }

    /// What lies behind the cut goes into the new file.
    private mutating func refill(_ entries: [TrackTape.Entry], from begin: TrackTape.Boundary) {
        tape = TrackTape()
        for (index, entry) in entries.enumerated() where index >= begin.entry {
            var (run, start) = (entry.run, entry.start)
            if index == begin.entry {
                run = entry.run.frames(begin.frame..<entry.run.frames.count)
                start = begin.place
            }
            if !run.frames.isEmpty { append(run, entry.format, start: start, end: entry.end) }
        }
    }

    private mutating func end(_ running: Running, at boundary: TrackTape.Boundary, entries: [TrackTape.Entry])
    {
        let entry = entries[boundary.entry]
        var form = entry.formBefore
        var rest: [UInt8] = []
        form.encode(entry.run.frames(0..<boundary.frame), entry.format, into: &rest)
        form.end(into: &rest)
        let end = Double(boundary.place) / 1e9
        hand(running, end: end, size: entry.sizeBefore, rest: rest, isIncomplete: false)
    }

    private mutating func hand(
        _ running: Running, end: Double, size: Int64, rest: [UInt8], isIncomplete: Bool
    ) {
        var track = running.track
        track.end = end
        track.isIncomplete = track.isIncomplete || isIncomplete
        if let only = request.only {
            if track.feedPosition == only { isDone = true } else { track.refusal = "not what was asked for" }
        }
        let (folders, stem) = request.template.path(values(of: track, running.file.form.format))
        let mark = track.isIncomplete ? TrackJob.incompleteMark : ""
        jobs.append(
            TrackJob(
                disk: disk, folder: running.file.folder, file: running.file.file, name: running.file.name,
                root: request.folder, rules: rules, folders: folders, stem: stem + mark,
                form: running.file.form, openFolders: openFolders(of: running.file),
                tags: tags(of: track), size: size, rest: rest, track: track))
    }

    /// Another codec: the track goes on in another file.
    private mutating func change(format piece: AudioPiece) throws(SystemError) {
        try running?.file.flush()
        endRunning(isIncomplete: true)
        tape = TrackTape()
        asked = [:]
        believed = []
    }

    private mutating func endInHole() {
        endRunning(isIncomplete: true)
        samples.skip(seconds: skipped)
        (skipped, tape, asked, believed) = (0, TrackTape(), [:], [])
    }

    /// The recording is over.
    mutating func endRunning(isIncomplete: Bool) {
        guard let running else { return }
        var rest: [UInt8] = []
        var form = running.file.form
        form.end(into: &rest)
        hand(running, end: samples.seconds, size: running.file.size, rest: rest, isIncomplete: isIncomplete)
        self.running = nil
    }

    /// The disk broke under the running file: it stays as it is, and another one goes on.
    mutating func leaveFile() {
        guard var running else { return }
        rescued = running.file.release()
        hand(running, end: samples.seconds, size: running.file.size, rest: [], isIncomplete: true)
        self.running = nil
        tape = TrackTape()
        asked = [:]
        believed = []
    }
}
