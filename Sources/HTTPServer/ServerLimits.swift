package import HTTPWire

/// What one client, and all of them together, may take. Times are in seconds.
package struct ServerLimits: Sendable, Hashable {
    package var head: HeadLimits
    /// From the first byte (or the connection) to the end of the head, in all: a trickle does not extend it.
    package var headSeconds: Double
    /// A kept connection without a request.
    package var idleSeconds: Double
    /// From the end of the head to the end of the body, in all.
    package var bodySeconds: Double
    /// An answer of which the client takes not one more byte.
    package var stalledSeconds: Double
    /// Connections that wait for a head, in all and from one address (an IPv6 /64).
    package var waiting: Int
    package var waitingPerAddress: Int
    /// Connections that the server itself serves. Those handed over are their new owner's to count.
    package var connections: Int
    package var eventStreams: Int
    /// Events kept for a client that does not read; beyond it they are dropped for one `resync`.
    package var eventQueue: Int
    package var heartbeatSeconds: Double
    /// Bytes the kernel may hold for one client that does not read. Whoever takes a socket over may set it anew.
    package var sendBuffer: Int32

    package init(
        head: HeadLimits = HeadLimits(), headSeconds: Double = 10, idleSeconds: Double = 60,
        bodySeconds: Double = 30,
        stalledSeconds: Double = 60, waiting: Int = 256, waitingPerAddress: Int = 32, connections: Int = 4096,
        eventStreams: Int = 64, eventQueue: Int = 256, heartbeatSeconds: Double = 15,
        sendBuffer: Int32 = 256 << 10
    ) {
        self.head = head
        self.headSeconds = headSeconds
        self.idleSeconds = idleSeconds
        self.bodySeconds = bodySeconds
        self.stalledSeconds = stalledSeconds
        self.waiting = waiting
        self.waitingPerAddress = waitingPerAddress
        self.connections = connections
        self.eventStreams = eventStreams
        self.eventQueue = eventQueue
        self.heartbeatSeconds = heartbeatSeconds
        self.sendBuffer = sendBuffer
    }
}
