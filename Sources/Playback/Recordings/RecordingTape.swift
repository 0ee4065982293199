internal import Platform

/// Reads a recording ahead of the player, on a thread of its own: a disk that sleeps must not stop the player.
///
/// The thread ends with the recording, when the tape is closed, or when it is let go of.
final class RecordingTape: Sendable {
    enum Piece {
        case sound(RecordedSound)
        /// Nothing yet; `wake` is called when there is.
        case notYet
        case end
        case trouble(String)
    }

    private struct State {
        var ready: [RecordedSound] = []
        var isClosed = false
        var isOver = false
        var trouble: String?
    }

    /// Runs that are held ready. A run is what one read of the file gives: seconds.
    private static let ahead = 2

    private final class Reel: Sendable {
        let state = Lock(State())
        let room = Semaphore()
        let wake: @Sendable () -> Void

        init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

        var isOpen: Bool { state.withLock { !$0.isClosed } }

        /// Keeps a run, and waits until there is room for another or nobody wants more.
        func put(_ sound: RecordedSound) {
            state.withLock { state in
                if !state.isClosed { state.ready.append(sound) }
            }
            wake()
            while state.withLock({ !$0.isClosed && $0.ready.count >= RecordingTape.ahead }) { room.wait() }
        }

        func end(_ trouble: String?) {
            state.withLock { ($0.isOver, $0.trouble) = (true, trouble) }
            wake()
        }
    }

    private let reel: Reel
    private let thread: WorkerThread

    init(
        _ source: any RecordingSource, _ id: String, from seconds: Double,
        wake: @escaping @Sendable () -> Void
    ) {
        let reel = Reel(wake: wake)
        self.reel = reel
        thread = WorkerThread(name: "tape") {
            do throws(RecordingTrouble) {
                try source.read(id, from: seconds, isWanted: { reel.isOpen }) { reel.put($0) }
                reel.end(nil)
            } catch {
                reel.end(error.reason)
            }
        }
    }

    deinit { close() }

    func close() {
        reel.state.withLock { ($0.isClosed, $0.ready) = (true, []) }
        reel.room.signal()
    }

    /// What comes next. Never blocks.
    func next() -> Piece {
        let piece = reel.state.withLock { state -> Piece in
            if !state.ready.isEmpty { return .sound(state.ready.removeFirst()) }
            guard state.isOver else { return .notYet }
            return state.trouble.map { .trouble($0) } ?? .end
        }
        if case .sound = piece { reel.room.signal() }
        return piece
    }
}
