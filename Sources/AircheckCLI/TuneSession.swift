internal import Feed
internal import Ingest
internal import Platform
internal import Playback
internal import Recording
internal import StreamFormats

/// One run of `tune`: the player, what can be done with it, and when it is over.
struct TuneSession {
    let player: LivePlayer
    let hub: IngestHub
    let invocation: Invocation
    let service: ServiceClient?
    /// Leave then; nil never.
    let end: MonotonicTime?
    /// Seconds without any audio at all after which it is no use.
    let giveUp: Double

    /// Stations whose name fits what was typed: the service's, else those of the files.
    func find(_ text: String) -> [Station] {
        guard !text.isEmpty else { return [] }
        return (try? StationReference.search(text, service, invocation)) ?? []
    }

    /// Until a signal, the end, or a failure that only a person can mend.
    func wait() throws {
        var watch = GiveUpWatch(limit: giveUp, start: SystemTime().now)
        while true {
            if Signals.next(within: 0.25) == .end { return }
            if try isOver(&watch) { return }
        }
    }

    /// Looks whether the time is up. Throws where nothing came at all.
    func isOver(_ watch: inout GiveUpWatch) throws -> Bool {
        let now = SystemTime().now
        if let end, now >= end { return true }
        let status = player.status
        if status.phase == .failed { throw failure(status) }
        if watch.isHopeless(phase: status.phase, at: now) { throw failure(status) }
        return false
    }

    private func failure(_ status: PlayerStatus) -> CommandFailure {
        CommandFailure(
            .unavailable,
            "\(status.station?.name ?? "the station") cannot be heard: \(status.reason ?? "no audio came")",
            remedy:
                "`aircheck probe URL` says what an address really is; `aircheck doctor` looks at the sound.")
    }
}

/// Gives up on a station that has never been heard; one that was heard is waited for without end.
struct GiveUpWatch {
    let limit: Double
    private let start: MonotonicTime
    private var wasHeard = false

    init(limit: Double, start: MonotonicTime) {
        self.limit = limit
        self.start = start
    }

    mutating func isHopeless(phase: PlayerPhase, at now: MonotonicTime) -> Bool {
        if phase == .live || phase == .stopped { wasHeard = true }
        return !wasHeard && now.seconds(since: start) > limit
    }
}
