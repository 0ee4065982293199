internal import CLinux
internal import Glibc
package import Platform

/// Sleeps until the wall clock shows a time, the wall clock is set, or somebody rings. For one thread of our own.
package final class ClockAlarm: Sendable {
    /// As good as never, and within what the kernel takes: the year 2100.
    private static let never = WallTime(secondsSince1970: 4_102_444_800)
    /// A time that is over is waited for so long, so that no mistake becomes a busy loop.
    private static let shortest = 0.05

    private let timer: FileDescriptor
    private let bell: FileDescriptor

    package init() throws(SystemError) {
        let timer = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
        guard timer >= 0 else { throw SystemError(while: "making a timer") }
        self.timer = FileDescriptor(owning: timer)
        let bell = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard bell >= 0 else { throw SystemError(while: "making a bell") }
        self.bell = FileDescriptor(owning: bell)
    }

    /// Wakes the thread that waits, now or when it comes to wait. Any thread.
    package func ring() {
        var one: UInt64 = 1
        _ = write(bell.number, &one, 8)
    }

    /// Blocks. It may return early, and does when the clock is set or the machine wakes up from sleep.
    /// - Parameters:
    ///   - wall: nil for no time at all.
    ///   - seconds: the longest wait, by the clock that never steps.
    package func wait(until wall: WallTime?, now: WallTime, atMost seconds: Double) {
        let earliest = now.advanced(bySeconds: Self.shortest)
        arm(min(max(wall ?? Self.never, earliest), Self.never))
        var watched = [
            pollfd(fd: timer.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: bell.number, events: Int16(POLLIN), revents: 0),
        ]
        poll(&watched, 2, Int32(bounded: seconds * 1000))
        // Reading takes the signal back; for a clock that was set it fails, which is all the same here.
        var count: UInt64 = 0
        _ = read(timer.number, &count, 8)
        _ = read(bell.number, &count, 8)
    }

    private func arm(_ wall: WallTime) {
        var setting = itimerspec()
        setting.it_value.tv_sec = Int(wall.nanoseconds / 1_000_000_000)
        setting.it_value.tv_nsec = Int(wall.nanoseconds % 1_000_000_000)
        let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
        timerfd_settime(timer.number, flags, &setting, nil)
    }
}
