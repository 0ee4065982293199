package import Platform
package import StreamFormats
internal import MediaHelper

/// The player: tunes stations, walks a list of them, plays recordings, and has the helper make the sound.
///
/// All functions may be called from any thread and return at once; what they lead to is told through `changed`, on the
/// player's own thread. A player that is let go of is closed.
package final class LivePlayer: Sendable {
    private let mailbox: PlayerMailbox
    private let shown: PlayerShown
    private let thread: WorkerThread

    /// - Parameter changed: told every change of `status`, in order, with no lock held; returns soon.
    package init(
        options: PlayerOptions, source: any FeedSource, recordings: (any RecordingSource)? = nil,
        time: any TimeSource = SystemTime(),
        changed: @escaping @Sendable (PlayerStatus) -> Void = { _ in }
    ) {
        let mailbox = PlayerMailbox()
        let shown = PlayerShown(since: time.wall, changed: changed)
        self.mailbox = mailbox
        self.shown = shown
        thread = WorkerThread(name: "player") {
            PlayerCore(
                options: options, source: source, recordings: recordings, time: time, mailbox: mailbox,
                shown: shown
            ).run()
        }
    }

    deinit { mailbox.put(.close) }

    /// Joins the tuned station, if it is not playing already.
    package func play() { mailbox.put(.command(.play)) }
    package func stop() { mailbox.put(.command(.stop)) }
    /// The next station of the list; a stopped player moves on silently.
    package func next() { mailbox.put(.command(.next)) }
    package func previous() { mailbox.put(.command(.previous)) }
    /// Plays this station; next and previous walk `list`.
    package func tune(_ station: Station, among list: [Station] = []) {
        mailbox.put(.command(.tune(station, among: list)))
    }

    /// Plays a recording from a second on, at this speed or the present one.
    package func hear(_ recording: PlayedRecording, from seconds: Double, speed: Double? = nil) {
        let speed = speed.map { [PlayerInput.speed(PlaybackSpeed.clamped($0))] } ?? []
        mailbox.put(speed + [.command(.hear(recording, from: seconds))])
    }
    /// Plays a recording from a second on, where the recording `last` was heard to its end and nothing else has been asked
    /// for since.
    /// - Parameter begun: called if it is played, on the player's thread; returns soon.
    package func hear(
        _ recording: PlayedRecording, from seconds: Double, after last: String,
        begun: @escaping @Sendable () -> Void
    ) {
        mailbox.put(.follow(recording, from: seconds, after: last, begun: begun))
    }

    /// A recording is no more: where it is the one that is on, the player leaves it and says why. Any thread.
    package func forget(recording id: String) { mailbox.put(.gone(recording: id)) }

    /// A recording stands still; live has no pause and plays on. `play` goes on.
    package func pause() { mailbox.put(.command(.pause)) }
    /// Goes to a second of the recording; live has no place to go to.
    package func seek(to seconds: Double) { mailbox.put(.command(.seek(seconds))) }
    /// How much faster than recorded recordings are played, within `PlaybackSpeed.range`, at their own pitch. Live is never
    /// stretched.
    package func setSpeed(_ speed: Double) { mailbox.put(.speed(PlaybackSpeed.clamped(speed))) }

    /// 0…100.
    package func setVolume(_ volume: Int) { mailbox.put(.volume(min(max(volume, 0), 100))) }
    package func setMuted(_ muted: Bool) { mailbox.put(.mute(muted)) }
    /// These stations are not what they were: where one is tuned, or next and previous lead to it, it is as it is now, and as
    /// loud. Others mean nothing here.
    package func stationsChanged(_ stations: [Station]) {
        guard !stations.isEmpty else { return }
        mailbox.put(.stations(Dictionary(stations.map { ($0.id, $0) }, uniquingKeysWith: { $1 })))
    }
    /// Sounds on another sink of the same sound server, at once; nil is the default one. An output that is no sound server's
    /// stays as it is.
    package func setDevice(_ name: String?) { mailbox.put(.device(name)) }
    /// Stops after so many seconds, the last `fade` of them growing quieter; nil calls it off.
    package func sleep(after seconds: Double?, fade: Double = 20) { mailbox.put(.sleep(seconds, fade: fade)) }
    /// Stops where the recording that is on reaches this second, however it gets there; another recording, or a station,
    /// calls it off.
    package func sleep(at place: Double) { mailbox.put(.sleepAt(place)) }
    /// Stops this station after so many seconds of growing quieter. Means nothing where something else is on, and no more
    /// once something else is asked for: that is as loud as ever, and a sleep timer that somebody has set goes on.
    package func farewell(to station: String, over seconds: Double) {
        mailbox.put(.farewell(station, seconds))
    }

    /// Waits until everything that was asked for before is done and shown in `status`, and at most so many seconds. Not from
    /// `changed`.
    package func settle(atMost seconds: Double) {
        let settled = Semaphore()
        mailbox.put(.settle(settled))
        _ = settled.wait(seconds: seconds)
    }

    /// Fades out, closes the output and waits until both are done; a second at most. Not from `changed`.
    package func close() {
        mailbox.put(.close)
        thread.join()
    }

    package var status: PlayerStatus { shown.status }
    package var meters: PlayerMeters { shown.meters }
    /// The helper's process, 0 while there is none: for tests and for `doctor`.
    package var helperPID: Int32 { shown.helperPID }
}
