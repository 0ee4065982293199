package import Feed
package import MediaHelper
package import Platform
package import StreamFormats

/// Where the player stands. Live has no position: a station is joined and left, never paused or sought. A recording is
/// in the same phases, and may be paused.
package enum PlayerPhase: String, Sendable, Hashable, CaseIterable {
    /// Silent, by wish.
    case stopped
    /// A station is being joined; what sounded before goes on until it has audio.
    case joining
    case live
    /// A recording stands still where it is.
    case paused
    /// It ran dry; the connection stands.
    case stalled
    /// The connection or the helper was lost and is being got back.
    case rejoining
    /// Only a person can help; `reason` says how.
    case failed
}

/// What the player tells whoever shows it. It changes seldom; `PlayerMeters` is what moves.
package struct PlayerStatus: Sendable, Hashable {
    package var phase: PlayerPhase = .stopped
    /// The station that is tuned, also while stopped.
    package var station: Station?
    /// The recording that is put on in place of the station, also while stopped.
    package var recording: PlayedRecording?
    /// Where it stood at the last jump, pause or change of speed, and when that was.
    package var place = 0.0
    package var placedAt: WallTime
    /// How much faster than recorded it is played, also the next one.
    package var speed = 1.0
    /// What next and previous walk.
    package var list: [Station] = []
    /// The station that is heard now: the one before while the next is being joined.
    package var heardStation: Station?
    /// The title of what is heard now, not of what arrives.
    package var title: TitleMark?
    package var format: AudioFormat?
    package var device: DeviceState = .connecting
    /// 0…100.
    package var volume = 100
    package var isMuted = false
    /// dB added for this station: its own and what levelling has learned.
    package var gain = 0.0
    /// When the sleep timer stops the player.
    package var sleepAt: WallTime?
    /// The second of the recording at which it does, where that was asked for.
    package var sleepPlace: Double?
    /// Why it stalled, is rejoining or failed; why joining takes long.
    package var reason: String?
    /// Since when it is in this phase.
    package var since: WallTime

    package init(since: WallTime) {
        self.since = since
        placedAt = since
    }

    /// What leaves the speaker, seconds of the recording; nil where there is none. Live has no position.
    package func position(at now: WallTime) -> Double? {
        guard let recording else { return nil }
        guard phase == .live else { return place }
        let moved = (now.secondsSince1970 - placedAt.secondsSince1970) * speed
        return min(max(place + moved, 0), max(recording.length, place))
    }
}

/// What a meter or a graph shows; changes 20 times a second.
package struct PlayerMeters: Sendable, Hashable {
    package var levels = AudioLevels()
    /// Seconds of sound at hand.
    package var buffered = 0.0
    /// How often the sound ran dry in this run of the helper, and how often the sound server had to wait for us.
    package var underruns = 0
    package var deviceUnderruns = 0
    /// Parts per million by which playing follows the station's clock.
    package var drift = 0.0
    /// Times the helper was started again.
    package var restarts = 0

    package init() {}
}

/// Where the player gets a station's feed from; opening a reader connects it.
package protocol FeedSource: Sendable {
    /// The one feed of this station. Any thread; returns at once. Nil if there is no such station any more.
    func feed(of station: Station) -> Feed?
}

/// Where the sound goes.
package enum PlayerOutput: Sendable, Hashable {
    /// A sink of a sound server; nil is the user's own server and its default sink.
    case pulse(server: String?, device: String?)
    /// A WAV file on this descriptor, which the caller keeps open until the player is closed.
    case wav(descriptor: Int32)
    /// Signed 16-bit stereo samples, native order, on this descriptor, kept open alike.
    case raw(descriptor: Int32)
    case null
}

/// How a player behaves; the defaults are those of the configuration file.
package struct PlayerOptions: Sendable {
    package var output: PlayerOutput
    /// Samples a second of the output; 0 takes the sink's.
    package var sampleRate = 0
    /// Milliseconds that the sound server holds.
    package var latency = 50
    /// Neighbours on each side that stay connected; 0 saves data.
    package var reach = 1
    /// Seconds behind the live edge at which a station that is already connected is joined: what the network may
    /// stumble without being heard.
    package var cushion = 3.0
    /// Milliseconds over which two stations are faded into each other.
    package var fade = 60
    /// Seconds for which the old station sounds on while the new one has no audio.
    package var patience = 10.0
    /// 0…100.
    package var volume = 100
    /// Bring stations to one loudness.
    package var levels = false
    /// Integrated loudness of a station as learned earlier, LUFS.
    package var knownLoudness: @Sendable (Station) -> Double? = { _ in nil }
    /// Told what was learned, at most every few seconds.
    package var loudnessLearned: @Sendable (Station, Double) -> Void = { _, _ in }
    /// Told where a recording stands: about once a second while it moves, and at each jump, pause and end. On the player's
    /// thread; returns soon.
    package var recordingMoved: @Sendable (RecordingProgress) -> Void = { _ in }
    /// Whether the helper's last words may go to standard error.
    package var showsErrors = true

    package init(output: PlayerOutput) { self.output = output }
}
