internal import CLinux
internal import Glibc
internal import Platform

/// Wakes one thread that waits, from any other.
package final class Bell: Sendable {
    private let event: FileDescriptor

    package init() {
        let number = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        precondition(number >= 0, "the process has no descriptor left for a wake-up")
        event = FileDescriptor(owning: number)
    }

    /// Ends the present wait, or the next.
    package func ring() {
        var one: UInt64 = 1
        _ = write(event.number, &one, MemoryLayout<UInt64>.size)
    }

    /// Waits until it is rung or, where a socket is given, until that can be read or, if wanted, written. True if the
    /// socket is ready or has been closed.
    @discardableResult
    package func wait(milliseconds: Int32, socket: Int32 = -1, writable: Bool = false) -> Bool {
        var pollers = [
            pollfd(fd: event.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket, events: Int16(POLLIN) | (writable ? Int16(POLLOUT) : 0), revents: 0),
        ]
        guard poll(&pollers, 2, milliseconds) > 0 else { return false }
        if pollers[0].revents != 0 {
            var count: UInt64 = 0
            _ = read(event.number, &count, MemoryLayout<UInt64>.size)
        }
        return pollers[1].revents != 0
    }
}
