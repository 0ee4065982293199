internal import CSandbox
internal import Glibc
internal import MediaHelper

/// What this process gives up before it reads a stranger's byte.
enum Sandbox {
    private static let openFiles: UInt64 = 128
    private static let addressSpace: UInt64 = 4 << 30
    /// CPU seconds for a file: a day of sound measured with true peaks takes a few minutes.
    private static let fileSeconds: UInt64 = 3600
    /// Seconds in which a player whose owner has died must be gone, even if its decoder hangs.
    fileprivate static let farewell: UInt32 = 3

    /// - Parameter descriptors: how many were handed over behind the socket; every other one is closed.
    static func enter(_ mode: HelperLaunch.Mode, descriptors: Int32) {
        signal(SIGPIPE, SIG_IGN)
        aircheck_close_from(HelperLaunch.socketNumber + 1 + descriptors)
        aircheck_limit(openFiles, isSanitized ? 0 : addressSpace, 0)
        _ = aircheck_no_new_privileges()
        if mode == .play {
            // The end of the socket is a wish to leave gracefully; this is for a player that cannot see it.
            signal(SIGTERM, parentDied)
            _ = aircheck_signal_when_parent_dies(SIGTERM)
        }
        // A player must reach its sound server, whose library writes a cookie; so must who asks for its sinks. A worker has
        // all that it needs.
        let isOfSound: Int32 = mode == .work ? 0 : 1
        _ = aircheck_filter_calls(isOfSound, isOfSound)
    }

    /// A job on one file comes to an end; live sound does not.
    static func limitFileJob() { aircheck_limit(0, 0, fileSeconds) }

    /// The sanitizers map terabytes of shadow.
    private static var isSanitized: Bool { getenv("ASAN_OPTIONS") != nil || getenv("TSAN_OPTIONS") != nil }
}

private nonisolated func parentDied(_ signal: Int32) { alarm(Sandbox.farewell) }
