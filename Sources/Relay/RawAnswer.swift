internal import CLinux
internal import Glibc

/// Short answers on sockets that have left the HTTP server. A fresh socket always has room for one.
enum RawAnswer {
    static func send(_ bytes: [UInt8], to socket: Int32) {
        _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
}
