internal import CLinux
internal import Glibc
internal import Platform

/// A client that says exactly the bytes a test gives it. Waiting has a deadline and blocks no thread.
package final class RawClient {
    private let seconds: Double
    private var socket: FileDescriptor?
    /// Everything received so far.
    package private(set) var received: [UInt8] = []
    /// The server has closed, properly or not.
    package private(set) var sawEnd = false

    package struct ConnectError: Error {
        package var code: Int32
    }

    /// Connects to 127.0.0.1, or to the unix socket at `path`.
    /// - Parameter receiveBuffer: bytes the kernel takes in for us (SO_RCVBUF), for clients that do not read.
    package init(port: UInt16 = 0, path: String? = nil, seconds: Double = 10, receiveBuffer: Int32? = nil)
        throws
    {
        let number = Glibc.socket(
            path == nil ? AF_INET : AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw ConnectError(code: errno) }
        let socket = FileDescriptor(owning: number)
        self.seconds = seconds
        if var receiveBuffer {
            setsockopt(number, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        let result = if let path { Self.connect(number, path) } else { Self.connect(number, port) }
        guard result == 0 else { throw ConnectError(code: errno) }
        self.socket = consume socket
    }

    private static func connect(_ socket: Int32, _ port: UInt16) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func connect(_ socket: Int32, _ path: String) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    package func send(_ text: String) { send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) {
        guard let number = socket?.number else { return }
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    number, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Takes what has come, waiting for at most the deadline. False when nothing came or the server closed.
    /// - Parameter patience: another deadline for this once.
    @discardableResult
    package func receiveSome(atMost limit: Int = 64 << 10, seconds patience: Double? = nil) async -> Bool {
        let end = SystemTime().now.advanced(bySeconds: patience ?? seconds)
        var buffer = [UInt8](repeating: 0, count: limit)
        while let number = socket?.number, !sawEnd {
            let count = recv(number, &buffer, limit, Int32(MSG_DONTWAIT))
            if count > 0 {
                received += buffer.prefix(count)
                return true
            }
            // A reset is an end too; having to wait is not.
            sawEnd = count == 0 || errno != EAGAIN
            guard !sawEnd, SystemTime().now < end else { return false }
            try? await Task.sleep(for: .milliseconds(1))
        }
        return false
    }

    /// Receives until the server closes; the text of all that came.
    package func readToEnd() async -> String {
        while await receiveSome() {}
        return text
    }

    /// What each of several clients got until the server closed.
    package static func readAllToEnd(_ clients: [RawClient]) async -> [String] {
        var texts: [String] = []
        for client in clients { texts.append(await client.readToEnd()) }
        return texts
    }

    /// Receives until `text` has come. False when it did not.
    @discardableResult
    package func read(until text: String) async -> Bool {
        let wanted = Array(text.utf8)
        var start = 0
        while !contains(wanted, from: start) {
            start = max(0, received.count - wanted.count)
            guard await receiveSome() else { return false }
        }
        return true
    }

    /// Receives until at least so many bytes have come in all.
    @discardableResult
    package func read(count: Int) async -> Bool {
        while received.count < count { guard await receiveSome() else { return false } }
        return true
    }

    private func contains(_ wanted: [UInt8], from start: Int) -> Bool {
        received.withUnsafeBytes { received in
            guard let base = received.baseAddress else { return false }
            var place = start
            while place + wanted.count <= received.count {
                if memcmp(base + place, wanted, wanted.count) == 0 { return true }
                place += 1
            }
            return false
        }
    }

    /// All that came, as text.
    package var text: String { String(decoding: received, as: UTF8.self) }

    /// The first answer's head, with its empty line; empty when it has not come.
    package var head: String { String(decoding: received.prefix(headLength), as: UTF8.self) }

    /// What came after the first head.
    package var body: [UInt8] { Array(received.dropFirst(headLength)) }

    private var headLength: Int {
        let end = received.indices.first { received[$0...].starts(with: [13, 10, 13, 10]) }
        return end.map { $0 + 4 } ?? 0
    }

    /// Throws away what has come, so that the next answer can be looked at alone.
    package func forget() { received = [] }

    /// Sends no more, and goes on reading.
    package func finishSending() { if let number = socket?.number { shutdown(number, Int32(SHUT_WR)) } }

    /// Closes, with a reset instead of a proper end if asked.
    package func close(abruptly: Bool = false) {
        if abruptly, let number = socket?.number {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
        socket = nil
    }
}
