internal import MediaHelper
internal import Platform

/// A stop that has been asked for in advance.
struct SleepTimer {
    var end: MonotonicTime
    var wall: WallTime
    /// When it begins to grow quieter.
    var fadeStart: MonotonicTime
    var isFading = false
}

extension PlayerCore {
    func set(sleep seconds: Double?, fade: Double) {
        endSleep()
        guard let seconds, seconds.isFinite, seconds >= 0, state.phase != .stopped else { return }
        let fade = min(max(fade, 0), seconds)
        sleep = SleepTimer(
            end: time.now.advanced(bySeconds: seconds), wall: time.wall.advanced(bySeconds: seconds),
            fadeStart: time.now.advanced(bySeconds: seconds - fade))
    }

    /// Forgets the timer and is as loud as before.
    func endSleep() {
        let wasFading = sleep?.isFading ?? false
        sleep = nil
        if wasFading { tell(.volume(linear(status.volume), ramp: 300)) }
    }

    func lookAtSleep() {
        guard let timer = sleep else { return }
        let now = time.now
        if now >= timer.end {
            perform(state.event(.slept))
        } else if now >= timer.fadeStart, !timer.isFading {
            sleep?.isFading = true
            let left = timer.end.seconds(since: now)
            tell(.volume(0, ramp: UInt32(bounded: left * 1000)))
        }
    }
}
