internal import CLinux
internal import Glibc
internal import MediaHelper

/// The helper's end of the socket.
enum HelperSocket {
    /// Commands as they come. The thread that reads waits here.
    struct Commands {
        private var reader = MessageReader()

        /// The next command; nil once the other side is gone or talks nonsense, which means that it is time to leave.
        mutating func next() -> HelperCommand? {
            while true {
                do {
                    if let message = try reader.next() { return try HelperCommand(message) }
                } catch {
                    return nil
                }
                guard fill() else { return nil }
            }
        }

        private mutating func fill() -> Bool {
            withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
                while true {
                    let count = recv(HelperLaunch.socketNumber, buffer.baseAddress, buffer.count, 0)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { return false }
                    reader.push(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    return true
                }
            }
        }
    }

    /// Sends an event, however long that takes. False once the other side is gone.
    @discardableResult
    static func send(_ event: HelperEvent) -> Bool {
        let bytes = event.message.encoded
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    HelperLaunch.socketNumber, $0.baseAddress?.advanced(by: done), $0.count - done,
                    Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno != EINTR { return false }
            done += max(count, 0)
        }
        return true
    }
}
