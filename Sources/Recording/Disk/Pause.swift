internal import CLinux

/// A short rest of a thread of ours.
enum Pause {
    static func seconds(_ seconds: Double) { usleep(UInt32(max(0, seconds) * 1e6)) }
}
