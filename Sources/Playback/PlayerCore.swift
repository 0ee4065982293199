internal import Feed
internal import MediaHelper
internal import Platform
internal import StreamFormats

/// The player's thread: takes what comes in, asks `PlayerState` what it means, and does it.
///
/// Not Sendable: made, used and dropped on that one thread.
final class PlayerCore {
    let options: PlayerOptions
    let source: any FeedSource
    let recordings: (any RecordingSource)?
    let time: any TimeSource
    let mailbox: PlayerMailbox
    let shown: PlayerShown

    /// Where the sound goes now; the options say where it begins.
    var output: PlayerOutput
    var state: PlayerState
    var status: PlayerStatus
    var meters = PlayerMeters()
    var helper: HelperProcess?
    var isHelperReady = false
    /// The helper that was last heard to be ready, 0 once it is known to be lost: `counters` know of another sooner than the
    /// phase does.
    var helperPID: Int32 = 0
    /// The station that was asked for, and the one that sounds until it has audio.
    var tuned: TunedStream?
    var old: TunedStream?
    /// The same for recordings; of the four at most two are there.
    var deck: TunedRecording?
    var oldDeck: TunedRecording?
    /// When a recording's place was last told.
    var toldPlace: MonotonicTime?
    /// The recording that was heard to its end, until something else is asked for.
    var heardOut: String?
    /// Readers that keep neighbours connected, by station.
    var warm: [String: FeedReader] = [:]
    var lastStream: UInt32 = 0
    /// The stream that is heard, as the helper says.
    var heard: UInt32 = 0
    var joinDeadline: MonotonicTime?
    /// When a helper that has nothing to do is let go.
    var idleDeadline: MonotonicTime?
    /// The sleep timer that a person has set, and the end of a station that was only asked for until then.
    var sleep: SleepTimer?
    var sleepPlace: SleepPlace?
    var farewell: SleepTimer?
    /// Integrated loudness learned in this run, by station.
    var learned: [String: Double] = [:]

    /// Seconds between looks at the feed's status and at the timers.
    private static let tick = 0.25
    /// Seconds that a silent helper stays, so that play is instant again.
    static let idleTime = 60.0

    init(
        options: PlayerOptions, source: any FeedSource, recordings: (any RecordingSource)?,
        time: any TimeSource, mailbox: PlayerMailbox, shown: PlayerShown
    ) {
        self.recordings = recordings
        self.options = options
        output = options.output
        self.source = source
        self.time = time
        self.mailbox = mailbox
        self.shown = shown
        state = PlayerState(reach: options.reach)
        status = shown.status
        status.volume = options.volume
    }

    /// Until it is closed.
    func run() {
        while true {
            let inputs = mailbox.take(waiting: Self.tick)
            defer { PlayerMailbox.letGo(inputs) }
            for input in inputs {
                if case .close = input { return close() }
                handle(input)
            }
            lookAtFeed()
            lookAtTimers()
            pump()
            publish()
        }
    }

    private func close() {
        mailbox.close()
        perform(state.command(.stop))
        helper?.end()
        helper?.join()
    }

    // MARK: Inputs

    private func handle(_ input: PlayerInput) {
        switch input {
        case .command(let command): obey(command)
        case .follow(let recording, let place, let last, let begun):
            guard heardOut == last else { return }
            obey(.hear(recording, from: place), byItself: true)
            begun()
        case .gone(let id):
            guard state.recording?.id == id, state.phase != .stopped else { return }
            perform(state.event(.unavailable(reason: "the recording has been deleted")))
        case .volume(let volume): set(volume: volume)
        case .mute(let muted):
            status.isMuted = muted
            tell(.mute(muted))
        case .stations(let changed): renew(changed)
        case .device(let name): set(device: name)
        case .speed(let speed): set(speed: speed)
        case .sleep(let seconds, let fade): set(sleep: seconds, fade: fade)
        case .sleepAt(let seconds): set(sleepAt: seconds)
        case .farewell(let station, let seconds): beginFarewell(to: station, over: seconds)
        case .helper(let change): helperChanged(change)
        case .event(let event): helperSaid(event)
        case .settle, .close: break
        }
    }

    /// - Parameter byItself: it follows what was heard out, and nobody has just asked for it.
    private func obey(_ command: PlayerState.Command, byItself: Bool = false) {
        if heardOut != nil, !byItself { endSleep() }
        heardOut = nil
        perform(state.command(command))
        lookAtFarewell()
        notePlace()
    }

    func perform(_ actions: [PlayerState.Action]) {
        for action in actions {
            switch action {
            case .join(let station): join(station)
            case .resend(let station): resend(station)
            case .silenceOld: silenceOld()
            case .leave: leave()
            case .warm(let stations): keepWarm(stations)
            case .put(let recording, let place, let isHeld): put(recording, at: place, isHeld: isHeld)
            case .hold(let isHeld): hold(isHeld)
            case .heardOut(let recording): heardOut(recording)
            }
        }
    }

    /// Says something to a helper that is there; one that comes later is told everything then.
    func tell(_ command: HelperCommand) {
        if isHelperReady { helper?.send(command) }
    }

    private func pump() {
        guard isHelperReady, let helper else { return }
        pumpRecordings(helper)
        if let station = tuned?.station {
            let gain = gain(of: station)
            tuned?.pump(gain: gain) { helper.send($0) }
        }
        if let station = old?.station {
            let gain = gain(of: station)
            old?.pump(gain: gain) { helper.send($0) }
        }
    }

    private func lookAtFeed() {
        guard let feed = tuned?.feed, state.phase != .live else { return }
        let now = feed.status
        switch now.state {
        case .failed: perform(state.event(.unavailable(reason: now.reason ?? "the station cannot be had")))
        case .connecting, .waiting: perform(state.event(.disconnected(reason: now.reason ?? "connecting")))
        case .idle, .live, .stalled: break
        }
    }

    private func publish() {
        if status.phase != state.phase { status.since = time.wall }
        status.phase = state.phase
        status.reason = state.reason
        status.station = state.station
        status.list = state.list
        status.recording = state.recording
        status.format = tuned?.format
        status.gain = state.station.map(gain(of:)) ?? 0
        status.sleepAt = nextSleep?.wall
        status.sleepPlace = sleepPlace?.seconds
        shown.show(status, helperPID: helperPID)
    }
}
