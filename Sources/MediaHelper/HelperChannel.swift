internal import CLinux
internal import Glibc

/// Bytes in and out of one end of the socket, without ever waiting. One thread at a time.
struct HelperChannel {
    /// Bytes that are to be sent, oldest first.
    private var outgoing: [[UInt8]] = []
    /// How much of the first is already gone.
    private var sent = 0
    private var reader = MessageReader()
    /// Bytes that wait to be sent.
    private(set) var waiting = 0

    enum State { case open, closed }

    mutating func enqueue(_ message: WireMessage) {
        let bytes = message.encoded
        outgoing.append(bytes)
        waiting += bytes.count
    }

    var wantsToWrite: Bool { !outgoing.isEmpty }

    /// Writes as much as the socket takes.
    mutating func flush(to socket: Int32) -> State {
        var done = 0
        defer { outgoing.removeFirst(done) }
        while done < outgoing.count {
            let count = outgoing[done].withUnsafeBytes { bytes in
                send(socket, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0 {
                if errno == EINTR { continue }
                return errno == EAGAIN ? .open : .closed
            }
            sent += count
            waiting -= count
            guard sent == outgoing[done].count else { continue }
            (sent, done) = (0, done + 1)
        }
        return .open
    }

    /// Reads what is there.
    mutating func fill(from socket: Int32) -> State {
        while true {
            let count = withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
                let count = recv(socket, buffer.baseAddress, buffer.count, 0)
                if count > 0 { reader.push(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
                return count
            }
            if count > 0 { continue }
            if count == 0 { return .closed }
            if errno == EINTR { continue }
            return errno == EAGAIN ? .open : .closed
        }
    }

    /// The next event that has wholly arrived.
    mutating func next() throws(WireError) -> HelperEvent? {
        guard let message = try reader.next() else { return nil }
        return try HelperEvent(message)
    }
}
