internal import Configuration
internal import Platform
internal import Recording

/// Runs the owner's programs when something has happened, one after another. A recording never waits for them.
final class HookRunner: Sendable {
    /// A station that changes titles like mad must not fill the memory.
    private static let limit = 256

    private let hooks: [String: Hook]
    private let thread = JobThread("hooks", limit: limit)

    init(_ settings: Settings.Hooks) {
        let wanted = [
            "started": settings.started, "finished": settings.finished, "failed": settings.failed,
            "track": settings.track, "measured": settings.measured,
        ]
        let seconds = settings.timeout.inSeconds
        hooks = wanted.filter { !$0.value.isEmpty }.mapValues { Hook(command: $0, timeoutSeconds: seconds) }
    }

    /// Never blocks.
    /// - Parameter event: as the settings name it.
    func run(_ event: String, _ facts: RecordingFacts, track: RecordedTrack? = nil) {
        guard let hook = hooks[event] else { return }
        let isTaken = thread.add { [thread] in
            // A service that ends starts what is due and does not wait for it.
            let code = hook.run(event, facts, track: track, waits: { !thread.isStopping })
            guard let code, code != 0 else { return }
            Log.warning(
                "recording", "a hook failed",
                ["hook": event, "program": hook.command.first ?? "", "code": "\(code)"])
        }
        if !isTaken { Log.warning("recording", "a hook was left out: too many wait", ["hook": event]) }
    }

    /// Starts what is due and ends.
    func stop() { thread.stop() }
}
