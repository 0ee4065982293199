internal import ControlAPI
internal import Household
internal import JSONText
internal import Platform
internal import Playback
internal import Recording

/// What becomes of a recording that the service plays: how far it is heard is kept, everybody is told, and when it is over
/// the first of the queue follows.
///
/// `moved` comes on the player's thread and returns at once; what writes to the database is done on a thread of its own.
final class RecordingDeck: Sendable {
    /// Plays a recording from a second on, where the one of the id that follows was heard to its end and nothing else has been
    /// asked for since; says so if it does. Any thread; returns at once.
    typealias Follow = @Sendable (PlayedRecording, Double, String, @escaping @Sendable () -> Void) -> Void

    private enum News {
        case moved(RecordingProgress)
        /// A recording of the queue has been put on.
        case begun(String)
    }

    private struct State {
        var waiting: [News] = []
        var isClosed = false
        /// Where the recording stood when that was last kept.
        var kept: RecordingProgress?
    }

    private let library: RecordingLibrary
    private let source: any RecordingSource
    private let shelf: Shelf
    private let upNext: UpNext
    private let events: EventHub
    private let follow: Lock<Follow?> = Lock(nil)
    private let state = Lock(State())
    private let bell = Semaphore()
    private let thread: Lock<WorkerThread?> = Lock(nil)

    /// Seconds of listening between two times of keeping the place.
    private static let keepEvery = 5.0

    init(library: RecordingLibrary, source: any RecordingSource, shelf: Shelf, events: EventHub) {
        (self.library, self.source, self.shelf, self.events) = (library, source, shelf, events)
        upNext = UpNext(shelf: shelf, events: events)
    }

    /// Begins to take news.
    func start(_ follow: @escaping Follow) {
        self.follow.withLock { $0 = follow }
        let worker = WorkerThread(name: "deck") { [weak self] in
            while let self, self.step() {}
        }
        thread.withLock { $0 = worker }
    }

    /// Keeps what is still to be kept, and ends.
    func stop() {
        state.withLock { $0.isClosed = true }
        bell.signal()
        thread.withLock { $0 }?.join()
        follow.withLock { $0 = nil }
    }

    /// The player's thread.
    func moved(_ progress: RecordingProgress) { take(.moved(progress)) }

    private func take(_ news: News) {
        state.withLock { $0.waiting.append(news) }
        bell.signal()
    }

    /// Waits for news and takes them. False at the end.
    private func step() -> Bool {
        bell.wait()
        let (news, isClosed) = state.withLock { state in
            defer { state.waiting = [] }
            return (state.waiting, state.isClosed)
        }
        for news in news {
            switch news {
            case .moved(let progress):
                events.publish("position", Self.json(progress))
                if isWorthKeeping(progress) { keep(progress) }
                if progress.hasEnded, !isClosed { playNext(after: progress.id) }
            case .begun(let id): upNext.forget(id)
            }
        }
        return !isClosed
    }

    private func isWorthKeeping(_ progress: RecordingProgress) -> Bool {
        guard let kept = state.withLock({ $0.kept }), kept.id == progress.id, kept.isMoving,
            progress.isMoving,
            !progress.hasEnded
        else { return true }
        return abs(progress.position - kept.position) >= Self.keepEvery
    }

    private func keep(_ progress: RecordingProgress) {
        state.withLock { $0.kept = progress }
        let id = RecordingID(progress.id)
        do {
            try library.setProgress(
                .init(
                    seconds: progress.hasEnded ? progress.length : progress.position,
                    isPlayed: progress.hasEnded), of: id)
        } catch {
            return Log.warning("player", "how far it was heard is not kept", ["error": "\(error)"])
        }
        events.publish(
            "listening",
            [
                "id": .string(id.text),
                "listening": ListeningRoutes.listening(id, library: library, shelf: shelf),
            ])
    }

    /// The first of the queue that is still there. It leaves the queue when it is played: until then somebody may have put
    /// something else on.
    private func playNext(after last: String) {
        var (gone, next): (Set<String>, PlayedRecording?) = ([], nil)
        for id in upNext.ids where next == nil {
            next = source.recording(id)
            if next == nil { gone.insert(id) }
        }
        upNext.keep { !gone.contains($0) }
        guard let next, let follow = follow.withLock({ $0 }) else { return }
        follow(next, resumePlace(of: next), last) { [weak self] in self?.take(.begun(next.id)) }
    }

    /// Where somebody left off; the beginning where nobody did, or where it was heard to the end.
    func resumePlace(of recording: PlayedRecording) -> Double {
        guard let progress = try? library.progress(of: RecordingID(recording.id)), !progress.isPlayed else {
            return 0
        }
        return progress.seconds < recording.length - 1 ? progress.seconds : 0
    }

    private static func json(_ progress: RecordingProgress) -> JSONValue {
        [
            "recording": .string(progress.id), "position": .number(progress.position),
            "seconds": .number(progress.length), "speed": .number(progress.speed),
            "state": .string(progress.hasEnded ? "stopped" : progress.isMoving ? "playing" : "paused"),
        ]
    }
}
