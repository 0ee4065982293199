internal import CLinux
internal import Glibc
import Platform

/// The few socket calls that a station needs.
enum LoopbackSocket {
    /// A TCP socket bound to 127.0.0.1, not yet listening, and its port.
    static func bound(port: UInt16) throws -> (socket: Int32, port: UInt16) {
        let made = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard made >= 0 else { throw SystemError(while: "making a socket") }
        var yes: Int32 = 1
        setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
        // Connections inherit it: what is sent is on its way, and does not wait for the answer to what was sent before.
        setsockopt(made, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, 4)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
                bind(made, plain, length) == 0 ? getsockname(made, plain, &length) : -1
            }
        }
        guard code == 0 else {
            let error = SystemError(while: "binding 127.0.0.1:\(port)")
            close(made)
            throw error
        }
        return (made, UInt16(bigEndian: address.sin_port))
    }

    /// True when the peer has closed or reset. What it sent meanwhile is thrown away.
    static func isGone(_ socket: Int32) -> Bool {
        var scrap = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(socket, &scrap, scrap.count, Int32(MSG_DONTWAIT))
            if count == 0 { return true }
            if count < 0 { return errno != EAGAIN && errno != EINTR }
        }
    }

    /// Closes with RST instead of FIN.
    static func reset(_ socket: Int32) {
        var hard = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
    }
}
