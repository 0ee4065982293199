internal import CLinux
internal import Glibc

/// A signal that one thread gives and another waits for, once. For threads of our own and for commands, which may
/// block; never for the cooperative pool.
package final class ThreadSignal: Sendable {
    private let descriptor = FileDescriptor(owning: eventfd(0, Int32(EFD_CLOEXEC)))

    package init() {}

    /// Lets the waiting thread go on, now or when it comes.
    package func signal() {
        var one: UInt64 = 1
        _ = write(descriptor.number, &one, 8)
    }

    /// Blocks until the signal is given.
    package func wait() {
        var value: UInt64 = 0
        while read(descriptor.number, &value, 8) < 0, errno == EINTR {}
    }
}
