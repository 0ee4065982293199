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

extension PlayerCore {
    /// The timer that stops the player first.
    var nextSleep: SleepTimer? { [farewell, sleep].compactMap(\.self).min { $0.end < $1.end } }

    func set(sleep seconds: Double?, fade: Double) {
        endSleep()
        sleep = timer(seconds, fade: fade)
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

    /// Forgets both timers and is as loud as before.
    func endSleep() {
        endFarewell()
        let wasFading = sleep?.isFading ?? false
        sleep = nil
        if wasFading { restoreVolume() }
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

    func lookAtSleep() {
        guard let timer = nextSleep else { return }
        let now = time.now
        if now >= timer.end {
            perform(state.event(.slept))
        } else if now >= timer.fadeStart, !timer.isFading {
            if timer.station == nil { sleep?.isFading = true } else { farewell?.isFading = true }
            let left = timer.end.seconds(since: now)
            tell(.volume(0, ramp: UInt32(bounded: left * 1000)))
        }
    }
}
