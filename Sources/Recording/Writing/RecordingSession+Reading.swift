internal import Feed
internal import Platform
internal import StreamFormats

/// What a session takes from its feed, on the writer thread.
extension RecordingSession {
    /// More is not taken in one tick.
    private static let tickBytes = 8 << 20

    /// Moves what the feed has into the writer's backlog; of a long window on the disk, some at a time.
    /// - Returns: whether there was anything, and whether that was all.
    func readFeed(_ now: MonotonicTime) -> (took: Bool, isDrained: Bool) {
        var took = takeInherited(now)
        var bytes = 0
        while bytes < Self.tickBytes, work.carry == nil, let source {
            let batch = source.read()
            if batch.skippedSeconds > 0 {
                let wall = time.wall
                take(
                    .gap(
                        Gap(
                            position: feed.position, from: wall.advanced(bySeconds: -batch.skippedSeconds),
                            to: wall,
                            cause: .slowReader, lostSeconds: batch.skippedSeconds)))
            }
            for event in batch.events {
                if case .audio(let chunk) = event { bytes += chunk.bytes.count }
                take(event, now)
            }
            took = took || !batch.events.isEmpty
            if batch.events.isEmpty || batch.isAtEdge { return (took, true) }
        }
        return (took, false)
    }

    func take(_ item: Backlog.Item) {
        guard work.carry == nil else {
            work.carry?.append(item)
            return
        }
        noteTitle(item)
        work.whole.take(item)
        work.tracks?.take(item)
    }

    /// Remembers the title that is on: the next file of a logger begins with it.
    private func noteTitle(_ item: Backlog.Item) {
        switch item {
        case .title(let mark):
            work.lastTitle = mark
            work.streamPicture = work.streamPicture ?? TagFields.Picture(in: mark.raw)
        case .retitled(let marks):
            if let changed = marks.last(where: { $0.position == work.lastTitle?.position }) {
                work.lastTitle = changed
            }
        case .audio, .gap: break
        }
    }

    private func take(_ event: FeedEvent, _ now: MonotonicTime) {
        switch event {
        case .format: break
        case .audio(let chunk):
            guard let piece = piece(of: chunk) else { return }
            take(piece, now)
        case .title(let mark): take(.title(mark))
        case .gap(let gap): take(.gap(gap))
        case .retitled(let marks): take(.retitled(marks))
        }
    }

    func take(_ piece: AudioPiece, _ now: MonotonicTime) {
        work.firstAudio = work.firstAudio ?? now
        guard let (head, tail) = splitAtSlot(piece) else { return take(.audio(piece)) }
        if !head.run.frames.isEmpty { take(.audio(head)) }
        work.carry = [.audio(tail)]
    }

    /// The chunk without the frames that end before the place where the recording was to begin.
    private func piece(of chunk: Chunk) -> AudioPiece? {
        var piece = AudioPiece(run: chunk.run, format: chunk.format, wall: chunk.wall, feedStart: chunk.start)
        // What has been asked for the past ends where it was asked, though more has come since.
        if case .until(let end) = work.limit, chunk.wall > end { return nil }
        guard let place = work.trimBefore else { return piece }
        let (trimmed, start) = chunk.run.dropping(
            before: place, start: chunk.start, rate: chunk.format.sampleRate)
        if trimmed.frames.isEmpty { return nil }
        work.trimBefore = nil
        piece.run = trimmed
        piece.feedStart = start
        return piece
    }
}
