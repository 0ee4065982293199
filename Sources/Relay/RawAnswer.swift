internal import CLinux
internal import Glibc
internal import HTTPWire

/// Short answers on sockets that have left the HTTP server. A fresh socket always has room for one.
enum RawAnswer {
    static func send(_ bytes: [UInt8], to socket: Int32) {
        _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }

    /// Says the last word and closes.
    static func finish(_ socket: Int32, with bytes: [UInt8]) {
        send(bytes, to: socket)
        Glibc.shutdown(socket, Int32(SHUT_WR))
        Glibc.close(socket)
    }

    /// Why a listener is not served, in a line of text.
    static func refusal(
        _ status: Int, _ text: String, to kind: ListenerRequest.Kind, by identity: ListenerIdentity
    ) -> [UInt8] {
        let body = Array((text + "\r\n").utf8)
        var head = ResponseHead(version: .http10, status: status)
        head.add("Content-Type", "text/plain; charset=utf-8")
        head.add("Content-Length", body.count)
        head.add("Retry-After", 10)
        head.add("Server", identity.server)
        identity.crossOrigin.add(to: &head)
        head.add("X-Content-Type-Options", "nosniff")
        head.add("Connection", "close")
        return head.bytes + (kind == .head ? [] : body)
    }
}
