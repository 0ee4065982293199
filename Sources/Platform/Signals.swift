internal import CLinux
internal import Glibc

/// Signals as events: they are blocked in every thread and taken one by one where the program waits for them.
package enum Signals {
    package enum Event: Sendable, Hashable {
        /// SIGINT or SIGTERM: end properly.
        case end
        /// SIGHUP: read the settings again.
        case reload
        /// SIGUSR2: give the place to the program that lies there now.
        case upgrade
        /// SIGWINCH: the terminal has another size.
        case resized
        /// SIGUSR1, from `wake`: look again.
        case woken
    }

    private static let watched = [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGWINCH]

    /// Must run before any other thread starts, because threads inherit the mask. Ignores SIGPIPE: a listener that
    /// left is an error code, not a death.
    package static func takeOver() {
        var set = watchedSet()
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
        // A file at its size limit is an error code too.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Waits for the next signal, at most so many seconds; nil when none came. `takeOver` must have run.
    package static func next(within seconds: Double) -> Event? {
        var set = watchedSet()
        let whole = Int(max(0, seconds))
        var timeout = timespec(tv_sec: whole, tv_nsec: Int((max(0, seconds) - Double(whole)) * 1e9))
        switch sigtimedwait(&set, nil, &timeout) {
        case SIGINT, SIGTERM: return .end
        case SIGHUP: return .reload
        case SIGUSR2: return .upgrade
        case SIGWINCH: return .resized
        case SIGUSR1: return .woken
        default: return nil
        }
    }

    /// Ends a wait in `next`, the present one or the one to come. Any thread; `takeOver` must have run.
    package static func wake() { kill(getpid(), SIGUSR1) }

    private static func watchedSet() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in watched { sigaddset(&set, number) }
        return set
    }
}
