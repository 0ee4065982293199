internal import CLinux
internal import Glibc

/// What a connection's socket is set to. Values that are nil are left as the kernel has them.
package struct SocketOptions: Sendable, Hashable {
    /// Small writes leave at once (TCP_NODELAY).
    package var noDelay: Bool
    /// Bytes the kernel may hold for a peer that does not read (SO_SNDBUF; the kernel doubles it).
    package var sendBuffer: Int32?
    /// Seconds of silence before the peer is asked whether it lives (SO_KEEPALIVE); three questions, a third of it apart.
    package var keepAliveSeconds: Int32?
    /// Milliseconds that sent bytes may stay unacknowledged (TCP_USER_TIMEOUT).
    package var userTimeoutMilliseconds: Int32?

    package init(
        noDelay: Bool = true, sendBuffer: Int32? = nil, keepAliveSeconds: Int32? = nil,
        userTimeoutMilliseconds: Int32? = nil
    ) {
        self.noDelay = noDelay
        self.sendBuffer = sendBuffer
        self.keepAliveSeconds = keepAliveSeconds
        self.userTimeoutMilliseconds = userTimeoutMilliseconds
    }

    /// Sets them on a TCP socket. What the kernel refuses (all of it, on a unix socket) stays as it was.
    package func apply(to socket: Int32) {
        if noDelay { Self.set(socket, Int32(IPPROTO_TCP), TCP_NODELAY, 1) }
        if let sendBuffer { Self.set(socket, SOL_SOCKET, SO_SNDBUF, sendBuffer) }
        if let keepAliveSeconds {
            Self.set(socket, SOL_SOCKET, SO_KEEPALIVE, 1)
            Self.set(socket, Int32(IPPROTO_TCP), TCP_KEEPIDLE, keepAliveSeconds)
            Self.set(socket, Int32(IPPROTO_TCP), TCP_KEEPINTVL, max(1, keepAliveSeconds / 3))
            Self.set(socket, Int32(IPPROTO_TCP), TCP_KEEPCNT, 3)
        }
        if let userTimeoutMilliseconds {
            Self.set(socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, userTimeoutMilliseconds)
        }
    }

    /// For the whole process: a write to a peer that has gone is an error, not the end of the process. sendfile(2) has no flag
    /// for that.
    package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    static func set(_ socket: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
