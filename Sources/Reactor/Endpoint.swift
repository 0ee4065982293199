internal import CLinux

/// Where a server listens.
package enum Endpoint: Sendable, Hashable, CustomStringConvertible {
    /// A numeric address (`127.0.0.1`, `::1`, `0.0.0.0`, `::`) or `localhost`, and a port; 0 lets the kernel choose.
    /// `::` takes IPv6 only: bind both for both.
    case tcp(host: String, port: UInt16)
    /// A socket in the file system with these permissions. A dead socket file left by a crash is replaced.
    case unix(path: String, permissions: UInt32 = 0o660)
    /// A listening socket that somebody else opened: systemd, or the process we replace. It is taken over.
    case inherited(descriptor: Int32)

    package var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path, _): "unix:\(path)"
        case .inherited(let descriptor): "descriptor \(descriptor)"
        }
    }

    /// The port of a TCP endpoint.
    package var port: UInt16? { if case .tcp(_, let port) = self { port } else { nil } }
}
