internal import CLinux
internal import Glibc
internal import Platform

/// Opens listening sockets. All functions may be called on any thread.
enum ListeningSocket {
    /// A non-blocking, close-on-exec, listening socket.
    static func open(_ endpoint: Endpoint, backlog: Int32) throws(SystemError) -> FileDescriptor {
        if let inherited = ListeningSockets.take(endpoint) { return try adopt(inherited) }
        switch endpoint {
        case .tcp(let host, let port):
            let socket = try makeTCP(host: host, port: port, attempt: "listening on \(endpoint)")
            return try listening(socket, backlog, endpoint)
        case .unix(let path, let permissions):
            let socket = try makeUnix(
                path: path, permissions: permissions, attempt: "listening on \(endpoint)")
            return try listening(socket, backlog, endpoint)
        case .inherited(let descriptor):
            return try adopt(descriptor)
        }
    }

    /// What the socket is bound to, with the port the kernel chose.
    static func boundEndpoint(_ socket: Int32, asked: Endpoint) -> Endpoint {
        if case .unix = asked { return asked }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withSockaddr(&storage) { getsockname(socket, $0, &length) }
        let address = PeerAddress(storage)
        guard result == 0, address.family != .unix else { return asked }
        return .tcp(host: address.text, port: address.port)
    }

    /// Where a socket that somebody else opened listens.
    static func endpoint(of socket: Int32) -> Endpoint {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        guard withSockaddr(&storage, { getsockname(socket, $0, &length) }) == 0 else {
            return .inherited(descriptor: socket)
        }
        if storage.ss_family == sa_family_t(AF_UNIX) { return .unix(path: unixPath(storage, Int(length))) }
        let address = PeerAddress(storage)
        return .tcp(host: address.text, port: address.port)
    }

    private static func unixPath(_ storage: sockaddr_storage, _ length: Int) -> String {
        withUnsafeBytes(of: storage) { bytes in
            let start = MemoryLayout<sa_family_t>.size
            return String(
                decoding: bytes[start..<max(start, min(length, bytes.count))].prefix { $0 != 0 },
                as: UTF8.self)
        }
    }

    private static func makeTCP(host: String, port: UInt16, attempt: String) throws(SystemError)
        -> FileDescriptor
    {
        guard var address = socketAddress(host: host, port: port) else {
            throw SystemError(code: EADDRNOTAVAIL, while: "\(attempt) (a numeric address is needed)")
        }
        let family = Int32(address.ss_family)
        let socket = try newSocket(family, attempt)
        SocketOptions.set(socket.number, SOL_SOCKET, SO_REUSEADDR, 1)
        if family == AF_INET6 { SocketOptions.set(socket.number, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
        let size = family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        guard withSockaddr(&address, { bind(socket.number, $0, socklen_t(size)) }) == 0 else {
            throw SystemError(while: attempt)
        }
        return socket
    }

    private static func makeUnix(path: String, permissions: UInt32, attempt: String) throws(SystemError)
        -> FileDescriptor
    {
        guard var address = unixAddress(path) else {
            throw SystemError(code: ENAMETOOLONG, while: attempt)
        }
        try removeDeadSocket(path, &address, attempt)
        let socket = try newSocket(AF_UNIX, attempt)
        // The file appears with these permissions; a chmod after bind would leave a moment in which others may connect.
        fchmod(socket.number, mode_t(permissions))
        let bound = withUnixSockaddr(&address) { bind(socket.number, $0, $1) }
        guard bound == 0, chmod(path, mode_t(permissions)) == 0 else { throw SystemError(while: attempt) }
        return socket
    }

    /// Removes a socket file that nobody answers on. One that is answered is somebody's: bind will say so.
    private static func removeDeadSocket(
        _ path: String, _ address: inout sockaddr_un, _ attempt: String
    ) throws(SystemError) {
        var status = stat()
        // S_IFMT and S_IFSOCK; both modules that are imported here define them.
        guard lstat(path, &status) == 0, status.st_mode & 0o170000 == 0o140000 else { return }
        let probe = try newSocket(AF_UNIX, attempt)
        let result = withUnixSockaddr(&address) { connect(probe.number, $0, $1) }
        if result != 0 && errno == ECONNREFUSED { unlink(path) }
    }

    private static func adopt(_ descriptor: Int32) throws(SystemError) -> FileDescriptor {
        let socket = FileDescriptor(owning: descriptor)
        let attempt = "taking over the listening descriptor \(descriptor)"
        var isListening: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0 else {
            throw SystemError(while: attempt)
        }
        guard isListening == 1 else {
            throw SystemError(code: EINVAL, while: "\(attempt) (it does not listen)")
        }
        let flags = fcntl(descriptor, F_GETFL)
        guard fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else {
            throw SystemError(while: attempt)
        }
        return socket
    }

    private static func newSocket(_ family: Int32, _ attempt: String) throws(SystemError) -> FileDescriptor {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = socket(family, type, 0)
        guard number >= 0 else { throw SystemError(while: attempt) }
        return FileDescriptor(owning: number)
    }

    private static func listening(
        _ socket: consuming FileDescriptor, _ backlog: Int32, _ endpoint: Endpoint
    ) throws(SystemError) -> FileDescriptor {
        guard listen(socket.number, backlog) == 0 else {
            throw SystemError(while: "listening on \(endpoint)")
        }
        return socket
    }
}

// MARK: Addresses as C wants them

/// The address of a numeric host or `localhost`; nil for any other name.
func socketAddress(host: String, port: UInt16) -> sockaddr_storage? {
    let host = host == "localhost" ? "127.0.0.1" : host
    var storage = sockaddr_storage()
    var four = sockaddr_in()
    var six = sockaddr_in6()
    if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = port.bigEndian
        withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: four, as: sockaddr_in.self) }
    } else if inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = port.bigEndian
        withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: six, as: sockaddr_in6.self) }
    } else {
        return nil
    }
    return storage
}

func unixAddress(_ path: String) -> sockaddr_un? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard !bytes.isEmpty, bytes.count < room, !bytes.contains(0) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return address
}

func withSockaddr<Result>(
    _ storage: inout sockaddr_storage, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
) -> Result {
    withUnsafeMutablePointer(to: &storage) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
    }
}

private func withUnixSockaddr<Result>(
    _ address: inout sockaddr_un, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
