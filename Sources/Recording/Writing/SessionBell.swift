internal import Platform

/// Tells the writer thread of a volume that there is something for a session to do. Any thread may ring.
///
/// The files of a logger share one: the reader that rings goes from file to file.
final class SessionBell: Sendable {
    private struct State {
        var hasRung = false
        var ring: (@Sendable () -> Void)?
    }

    private let state = Lock(State())

    /// Whom to call from now on.
    func connect(_ ring: @escaping @Sendable () -> Void) { state.withLock { $0.ring = ring } }

    /// Calls, unless it has been called and not been looked at since.
    func ring() {
        let ring = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.hasRung else { return nil }
            state.hasRung = true
            return state.ring
        }
        ring?()
    }

    var hasRung: Bool { state.withLock { $0.hasRung } }

    func silence() { state.withLock { $0.hasRung = false } }
}
