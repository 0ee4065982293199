internal import CLinux

/// Who is at the other end of a unix socket, as the kernel vouches for it.
package struct PeerCredentials: Sendable, Hashable {
    package var process: Int32
    package var user: UInt32
    package var group: UInt32
}

/// Who is at the other end of a connection.
package struct PeerAddress: Sendable, Hashable {
    package enum Family: Sendable, Hashable {
        case ipv4, ipv6, unix
    }

    package let family: Family
    /// The upper half of an IPv6 address; 0 otherwise.
    let high: UInt64
    /// The lower half of an IPv6 address, or an IPv4 address.
    let low: UInt64
    /// 0 for a unix socket.
    package let port: UInt16
    /// Of a unix socket's peer.
    package let credentials: PeerCredentials?

    init(
        family: Family, high: UInt64 = 0, low: UInt64 = 0, port: UInt16 = 0,
        credentials: PeerCredentials? = nil
    ) {
        self.family = family
        self.high = high
        self.low = low
        self.port = port
        self.credentials = credentials
    }

    /// A numeric address, `192.0.2.1` or `2001:db8::1`; nil for anything else. An IPv4 address inside IPv6
    /// (`::ffff:192.0.2.1`) is read as IPv4.
    package init?(text: String, port: UInt16 = 0) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(ipv4: four, port: port)
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self.init(ipv6: six, port: port)
        } else {
            return nil
        }
    }

    private init(ipv4 address: in_addr, port: UInt16) {
        self.init(family: .ipv4, low: UInt64(UInt32(bigEndian: address.s_addr)), port: port)
    }

    private init(ipv6 address: in6_addr, port: UInt16) {
        let (high, low) = withUnsafeBytes(of: address) { bytes in
            (
                bytes.loadUnaligned(as: UInt64.self).bigEndian,
                bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian
            )
        }
        if high == 0 && low >> 32 == 0xFFFF {
            self.init(family: .ipv4, low: low & 0xFFFF_FFFF, port: port)
        } else {
            self.init(family: .ipv6, high: high, low: low, port: port)
        }
    }

    /// What accept(2), getpeername(2) or getsockname(2) wrote. Anything that is not IP counts as unix.
    init(_ storage: sockaddr_storage) {
        switch Int32(storage.ss_family) {
        case AF_INET:
            let address = Self.read(storage, as: sockaddr_in.self)
            self.init(ipv4: address.sin_addr, port: UInt16(bigEndian: address.sin_port))
        case AF_INET6:
            let address = Self.read(storage, as: sockaddr_in6.self)
            self.init(ipv6: address.sin6_addr, port: UInt16(bigEndian: address.sin6_port))
        default:
            self.init(family: .unix)
        }
    }

    private static func read<Address>(_ storage: sockaddr_storage, as type: Address.Type) -> Address {
        withUnsafeBytes(of: storage) { $0.loadUnaligned(as: type) }
    }

    /// True for 127.0.0.0/8, ::1 and unix sockets: the peer is this machine.
    package var isLoopback: Bool {
        switch family {
        case .ipv4: low >> 24 == 127
        case .ipv6: high == 0 && low == 1
        case .unix: true
        }
    }

    /// True where a door at this address of the settings is open to this machine alone; a name other than `localhost` is
    /// taken for one that others reach.
    package static func isLoopback(text: String) -> Bool {
        text == "localhost" || PeerAddress(text: text)?.isLoopback ?? false
    }

    /// What limits are counted by: an IPv4 address, an IPv6 /64 (one household), all of the unix socket.
    package var limitKey: PeerAddress {
        switch family {
        case .ipv4: PeerAddress(family: .ipv4, low: low)
        case .ipv6: PeerAddress(family: .ipv6, high: high)
        case .unix: PeerAddress(family: .unix)
        }
    }

    /// The same as a number: an IPv4 address, the upper half of an IPv6 address, 0 for unix.
    package var limitBits: UInt64 { family == .ipv6 ? high : low }

    /// The address without the port: `192.0.2.1`, `2001:db8::1`, `unix`.
    package var text: String {
        switch family {
        case .unix: return "unix"
        case .ipv4:
            return "\(low >> 24 & 255).\(low >> 16 & 255).\(low >> 8 & 255).\(low & 255)"
        case .ipv6:
            var bytes = (high.bigEndian, low.bigEndian)
            var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            inet_ntop(AF_INET6, &bytes, &buffer, socklen_t(buffer.count))
            return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}

extension PeerAddress: CustomStringConvertible {
    /// The address with its port, as a person writes it.
    package var description: String {
        switch family {
        case .unix: credentials.map { "unix(uid \($0.user), pid \($0.process))" } ?? "unix"
        case .ipv4: "\(text):\(port)"
        case .ipv6: "[\(text)]:\(port)"
        }
    }
}
