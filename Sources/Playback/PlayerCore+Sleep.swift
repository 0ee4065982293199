internal import MediaHelper
internal import Platform

/// A stop that has been asked for in advance.
struct SleepTimer {
    var end: MonotonicTime
    var wall: WallTime
    /// When it begins to grow quieter.
    var fadeStart: MonotonicTime
    var isFading = false
    /// The station that it is about alone; nil for whatever is on.
    var station: String?
}

/// A second of a recording at which the player stops, however that is reached.
struct SleepPlace {
    /// A recording that ends where this is stops so many seconds before: else the next one would have begun.
    private static let beforeEnd = 0.6

    var seconds: Double
    var recording: String

    /// One that still grows has no end yet: such a place may be behind all that there is.
    func isReached(_ now: Double, of recording: PlayedRecording) -> Bool {
        let last = recording.isGrowing ? Double.infinity : recording.length - Self.beforeEnd
        return now >= min(seconds, last)
    }
}

extension PlayerCore {
    /// The timer that stops the player first.
    var nextSleep: SleepTimer? { [farewell, sleep].compactMap(\.self).min { $0.end < $1.end } }

    func set(sleep seconds: Double?, fade: Double) {
        endSleep()
        sleep = timer(seconds, fade: fade)
    }

    func set(sleepAt seconds: Double) {
        endSleep()
        guard seconds.isFinite, state.phase != .stopped, let recording = state.recording else { return }
        sleepPlace = SleepPlace(seconds: seconds, recording: recording.id)
    }

    func beginFarewell(to station: String, over seconds: Double) {
        endFarewell()
        farewell = timer(seconds, fade: seconds)
        farewell?.station = station
        lookAtFarewell()
    }

    private func timer(_ seconds: Double?, fade: Double) -> SleepTimer? {
        guard let seconds, seconds.isFinite, seconds >= 0, state.phase != .stopped else { return nil }
        let fade = min(max(fade, 0), seconds)
        return SleepTimer(
            end: time.now.advanced(bySeconds: seconds), wall: time.wall.advanced(bySeconds: seconds),
            fadeStart: time.now.advanced(bySeconds: seconds - fade))
    }

    /// Forgets all timers and is as loud as before.
    func endSleep() {
        endFarewell()
        let wasFading = sleep?.isFading ?? false
        (sleep, sleepPlace) = (nil, nil)
        if wasFading { restoreVolume() }
    }

    /// A recording was heard out: a timer goes on with what follows, and everything that was about it alone ends.
    func endSleepOfRecording() {
        endFarewell()
        sleepPlace = nil
    }

    /// Whoever has gone to something else hears that to its own end.
    func lookAtFarewell() {
        guard let farewell, state.recording != nil || state.station?.id != farewell.station else { return }
        endFarewell()
    }

    private func endFarewell() {
        let wasFading = farewell?.isFading ?? false
        farewell = nil
        guard wasFading else { return }
        restoreVolume()
        // A sleep timer that was fading as well begins again from there.
        sleep?.isFading = false
    }

    private func restoreVolume() { tell(.volume(linear(status.volume), ramp: 300)) }

    private func fallAsleep() {
        perform(state.event(.slept))
        // Where nothing was on any more there was nothing to leave.
        endSleep()
        notePlace()
    }

    private func lookAtPlace() {
        guard let place = sleepPlace else { return }
        guard let recording = state.recording, recording.id == place.recording else {
            return sleepPlace = nil
        }
        guard state.phase == .live, let now = status.position(at: time.wall) else { return }
        if place.isReached(now, of: recording) { fallAsleep() }
    }

    func lookAtSleep() {
        lookAtPlace()
        guard let timer = nextSleep else { return }
        let now = time.now
        if now >= timer.end {
            fallAsleep()
        } else if now >= timer.fadeStart, !timer.isFading {
            if timer.station == nil { sleep?.isFading = true } else { farewell?.isFading = true }
            let left = timer.end.seconds(since: now)
            tell(.volume(0, ramp: UInt32(bounded: left * 1000)))
        }
    }
}
