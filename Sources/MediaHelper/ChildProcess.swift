internal import CLinux
internal import Glibc
package import Platform

/// A running helper and our end of its socket. It ends when its owner lets go.
package struct ChildProcess: ~Copyable, Sendable {
    package let pid: Int32
    /// Non-blocking.
    package let socket: FileDescriptor

    init(pid: Int32, socket: consuming FileDescriptor) {
        self.pid = pid
        self.socket = socket
    }

    deinit {
        // A helper that is still there is of no use any more; one that has gone is only waiting to be reaped.
        kill(pid, SIGKILL)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    }

    /// Waits until it has ended by itself, at most so long; letting go then reaps it.
    package func waitForEnd(seconds: Double, time: any TimeSource) {
        var poller = pollfd(fd: socket.number, events: 0, revents: 0)
        let end = time.now.advanced(bySeconds: seconds)
        while poller.revents & Int16(POLLHUP) == 0 {
            let left = end.seconds(since: time.now)
            guard left > 0 else { return }
            _ = poll(&poller, 1, Int32(left * 1000) + 1)
        }
    }
}
