internal import MediaHelper
internal import Platform
internal import StreamFormats

/// What the player's thread is told, by anybody.
enum PlayerInput: Sendable {
    case command(PlayerState.Command)
    /// Hear this recording from a place on, where the one before, whose id follows, was the last thing asked for.
    case follow(PlayedRecording, from: Double, after: String, begun: @Sendable () -> Void)
    /// A recording, by its id, has been deleted.
    case gone(recording: String)
    case volume(Int)
    case mute(Bool)
    /// Stations are not what they were; by their ids.
    case stations([String: Station])
    case speed(Double)
    case sleep(Double?, fade: Double)
    /// Stop at this second of the recording that is on.
    case sleepAt(Double)
    /// Stop this station, growing quieter for so many seconds.
    case farewell(String, Double)
    /// A sink by its name; nil for the default one.
    case device(String?)
    /// Signal this once all that came before is done and shown.
    case settle(Semaphore)
    case helper(HelperProcess.Change)
    case event(HelperEvent)
    case close
}

/// The way to the player's thread: never full, as people and a helper's reports are slow, and never blocking.
final class PlayerMailbox: Sendable {
    /// Nil once nobody takes anything out any more.
    private let inputs = Lock<[PlayerInput]?>([])
    private let bell = Bell()

    func put(_ input: PlayerInput) { put([input]) }

    /// Several at once: nothing is shown in between.
    func put(_ several: [PlayerInput]) {
        let isTaken = inputs.withLock { inputs in
            inputs?.append(contentsOf: several)
            return inputs != nil
        }
        if isTaken { bell.ring() } else { Self.letGo(several) }
    }

    /// Nothing is taken out any more: whoever waits for it waits no longer.
    func close() { Self.letGo(inputs.withLock { $0.take() } ?? []) }

    static func letGo(_ inputs: [PlayerInput]) {
        for case .settle(let waiting) in inputs { waiting.signal() }
    }

    /// A feed has something to read.
    func feedWoke() { bell.ring() }

    /// What has come since last time, after waiting for at most so long.
    func take(waiting seconds: Double) -> [PlayerInput] {
        bell.wait(milliseconds: Int32(min(max(seconds, 0), 60) * 1000) + 1)
        return inputs.withLock { inputs in
            defer { if inputs != nil { inputs = [] } }
            return inputs ?? []
        }
    }
}

/// What the player shows to other threads.
final class PlayerShown: Sendable {
    private struct State {
        var status: PlayerStatus
        var meters = PlayerMeters()
        var helperPID: Int32 = 0
    }

    private let state: Lock<State>
    private let changed: @Sendable (PlayerStatus) -> Void

    init(since: WallTime, changed: @escaping @Sendable (PlayerStatus) -> Void) {
        state = Lock(State(status: PlayerStatus(since: since)))
        self.changed = changed
    }

    var status: PlayerStatus { state.withLock { $0.status } }
    var meters: PlayerMeters { state.withLock { $0.meters } }
    var helperPID: Int32 { state.withLock { $0.helperPID } }

    /// Shows a status with the helper that it is true of, and says so if it differs. The player's thread.
    func show(_ status: PlayerStatus, helperPID: Int32) {
        let differs = state.withLock { state in
            defer { (state.status, state.helperPID) = (status, helperPID) }
            return state.status != status
        }
        if differs { changed(status) }
    }

    func show(_ meters: PlayerMeters) { state.withLock { $0.meters = meters } }
}
