internal import Feed
internal import MediaHelper
internal import Platform
internal import StreamFormats

/// Playing recordings: put on, held, sped up, and told where they stand.
extension PlayerCore {
    /// Seconds between two tellings of the place.
    private static let tellEvery = 1.0
    /// Milliseconds over which one place is faded into another.
    private static let jumpFade: UInt32 = 30
    /// Seconds read before a place.
    private static let leadIn = 0.06
    /// Seconds by which the place that everybody computes may be wrong.
    private static let tolerance = 0.25

    func put(_ recording: PlayedRecording, at place: Double, isHeld: Bool) {
        guard let recordings else {
            return perform(state.event(.unavailable(reason: "this player has no recordings")))
        }
        startHelper()
        setAside()
        lastStream &+= 1
        // A decoder that begins in the middle lacks two frames' predecessors, and they are not heard.
        let tape = RecordingTape(recordings, recording.id, from: max(place - Self.leadIn, 0)) { [mailbox] in
            mailbox.feedWoke()
        }
        deck = TunedRecording(
            id: lastStream, recording: recording, tape: tape, from: place, isHeld: isHeld, speed: status.speed
        )
        tell(.select(id: lastStream, fade: Self.jumpFade))
        joinDeadline = time.now.advanced(bySeconds: options.patience)
        idleDeadline = nil
        status.title = title(in: recording, at: place)
    }

    func hold(_ isHeld: Bool) {
        guard let id = deck?.id else { return }
        deck?.isHeld = isHeld
        tell(.hold(id: id, isHeld))
    }

    func set(speed: Double) {
        status.speed = speed
        deck?.speed = speed
        if let id = deck?.id { tell(.speed(id: id, speed)) }
        notePlace()
    }

    func pumpRecordings(_ helper: HelperProcess) {
        if let outcome = deck?.pump({ helper.send($0) }) {
            switch outcome {
            case .going: break
            case .empty: perform(state.event(.ended))
            case .trouble(let reason): perform(state.event(.unavailable(reason: reason)))
            }
        }
        _ = oldDeck?.pump { helper.send($0) }
    }

    func deckSounds() {
        forgetOld()
        joinDeadline = nil
        status.heardStation = nil
        perform(state.event(.sounding))
        notePlace()
    }

    /// The helper says what leaves the speaker.
    func moved(to position: Int64) {
        deck?.heard(at: position)
        guard let deck else { return }
        perform(state.event(.reached(deck.seconds)))
        status.title = title(in: deck.recording, at: deck.seconds)
        let now = time.wall
        if let shown = status.position(at: now), abs(shown - deck.seconds) > Self.tolerance {
            (status.place, status.placedAt) = (deck.seconds, now)
        }
        guard state.phase == .live, toldPlace.map({ time.now.seconds(since: $0) >= Self.tellEvery }) ?? true
        else { return }
        lookIfGrown(deck.recording)
        tellPlace()
    }

    private func lookIfGrown(_ recording: PlayedRecording) {
        guard state.recording?.isGrowing == true, let now = recordings?.recording(recording.id) else {
            return
        }
        perform(state.event(.grown(now)))
    }

    /// Something else than time has moved it: everybody counts from here.
    func notePlace() {
        guard state.recording != nil else { return }
        (status.place, status.placedAt) = (state.place, time.wall)
        tellPlace()
    }

    private func tellPlace() {
        guard let recording = state.recording else { return }
        toldPlace = time.now
        options.recordingMoved(
            RecordingProgress(
                id: recording.id, position: state.place, length: recording.length, speed: status.speed,
                isMoving: state.phase == .live, hasEnded: false))
    }

    func heardOut(_ recording: PlayedRecording) {
        leave(isHeardOut: true)
        heardOut = recording.id
        options.recordingMoved(
            RecordingProgress(
                id: recording.id, position: recording.length, length: recording.length, speed: status.speed,
                isMoving: false, hasEnded: true))
    }

    /// The chapter at a place, as a title.
    private func title(in recording: PlayedRecording, at seconds: Double) -> TitleMark? {
        guard let chapter = recording.chapter(at: seconds) else { return nil }
        if let now = status.title, now.text == chapter.text,
            now.position.nanoseconds == Nanoseconds.of(chapter.seconds)
        {
            return now
        }
        return TitleMark(
            raw: RawTitle(source: .source, text: Array(chapter.text.text.utf8)), text: chapter.text,
            position: StreamPosition(bytes: 0, nanoseconds: Nanoseconds.of(chapter.seconds)), wall: time.wall)
    }
}
