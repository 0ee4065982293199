internal import Feed
internal import Platform
internal import StreamFormats

/// The audio of a finished recording, from its files: for cutting it again and for taking a span out of it.
struct StoredAudio {
    let facts: RecordingFacts
    let disk: any Disk

    /// A file and the second of the recording at which it begins.
    struct Piece {
        var folder: String
        var folders: [String]
        var name: String
        var start: Double
    }

    /// The whole where there is one, else the tracks one after another, which join without a lost frame; where they have
    /// padding they overlap.
    var pieces: [Piece] {
        if !facts.parts.isEmpty {
            return facts.parts.map {
                Piece(folder: facts.folder, folders: [], name: $0.name, start: $0.startSeconds)
            }
        }
        return facts.tracks.compactMap { track in
            track.name.map {
                Piece(
                    folder: facts.trackFolder ?? facts.folder, folders: track.folders, name: $0,
                    start: track.start)
            }
        }
    }

    /// Gives every title and every run of frames between two seconds of the recording, in order.
    /// - Parameter visit: throws to end it.
    func play(
        from start: Double = 0, to end: Double = .infinity, visit: (Backlog.Item) throws(SystemError) -> Void
    ) throws(SystemError) {
        var titles = marks(from: start, to: end)[...]
        // What an earlier file has given is not given again.
        var given = start
        for piece in pieces where piece.start < end {
            let folder = try disk.folder(piece.folder, below: piece.folders, creating: false)
            var clock = SampleClock()
            _ = try FileScan(folder.open(piece.name, forWriting: false)) {
                run, format throws(SystemError) in
                let began = piece.start + clock.seconds
                clock.add(samples: run.samples, rate: format.sampleRate)
                try play(run, format, at: began, from: given, to: end, &titles, visit)
            }
            given = max(given, piece.start + clock.seconds)
        }
    }

    private func play(
        _ run: FrameRun, _ format: AudioFormat, at began: Double, from start: Double, to end: Double,
        _ titles: inout ArraySlice<(seconds: Double, mark: TitleMark)>,
        _ visit: (Backlog.Item) throws(SystemError) -> Void
    ) throws(SystemError) {
        let frame = Double(run.frames.first?.samples ?? 0) / Double(max(format.sampleRate, 1))
        let first =
            run.frames.indices.first { began + Double($0) * frame >= start - frame / 2 } ?? run.frames.count
        let last =
            run.frames.indices.first { began + Double($0) * frame >= end - frame / 2 } ?? run.frames.count
        guard first < last else { return }
        // Titles stand between frames: the run is given in pieces around them.
        var place = first
        while let next = titles.first {
            let at =
                run.frames.indices.first { began + Double($0) * frame >= next.seconds - frame / 2 }
                ?? run.frames.count
            guard at < last else { break }
            if at > place {
                try visit(piece(run.frames(place..<at), format, at: began + Double(place) * frame))
            }
            place = max(place, at)
            try visit(.title(next.mark))
            titles.removeFirst()
        }
        if place < last {
            try visit(piece(run.frames(place..<last), format, at: began + Double(place) * frame))
        }
    }

    private func piece(_ run: FrameRun, _ format: AudioFormat, at seconds: Double) -> Backlog.Item {
        let length = Double(run.samples) / Double(max(format.sampleRate, 1))
        let wall = ClockMap.wall(at: seconds + length, in: facts.clock) ?? facts.started
        return .audio(AudioPiece(run: run, format: format, wall: wall, feedStart: StreamPosition()))
    }

    /// The titles of the span; the one that is on when it begins stands at its beginning.
    private func marks(from start: Double, to end: Double) -> [(seconds: Double, mark: TitleMark)] {
        var found = facts.titles.filter { $0.seconds > start && $0.seconds < end }.map {
            ($0.seconds, mark($0))
        }
        if let on = facts.titles.last(where: { $0.seconds <= start }) {
            found.insert((start, mark(on)), at: 0)
        }
        return found
    }

    private func mark(_ title: RecordedTitle) -> TitleMark {
        TitleMark(
            raw: RawTitle(source: .source, text: title.raw), text: title.text,
            position: StreamPosition(bytes: title.byte, nanoseconds: Nanoseconds.of(title.seconds)),
            wall: title.wall)
    }
}
