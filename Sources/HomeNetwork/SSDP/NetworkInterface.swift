internal import Glibc

/// One address of this machine on one of its networks.
package struct NetworkInterface: Sendable, Hashable {
    /// `eth0`
    package var name: String
    /// The kernel's number of it.
    package var index: Int32
    /// `192.168.1.5`
    package var address: String
    package var isLoopback: Bool

    /// Every IPv4 address of an interface that is up.
    package static func all() -> [NetworkInterface] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [NetworkInterface] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard entry.ifa_flags & UInt32(IFF_UP) != 0, let address = entry.ifa_addr,
                Int32(address.pointee.sa_family) == AF_INET
            else { continue }
            let ipv4 = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr }
            found.append(
                NetworkInterface(
                    name: String(cString: entry.ifa_name),
                    index: Int32(bitPattern: if_nametoindex(entry.ifa_name)), address: text(of: ipv4),
                    isLoopback: entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0))
        }
        return found
    }

    /// Those that something bound to `address` is reached by: all real ones for `0.0.0.0` and `::`, else the one.
    package static func reached(by address: String) -> [NetworkInterface] {
        let all = all()
        guard address == "0.0.0.0" || address == "::" else {
            let wanted = address == "localhost" ? "127.0.0.1" : address
            return all.filter { $0.address == wanted }
        }
        return all.filter { !$0.isLoopback }
    }

    /// The address by which this machine reaches another: what the other has to call.
    package static func facing(_ peer: String) -> String? {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        defer { close(socket) }
        // Connecting a datagram socket sends nothing; it only asks the kernel for the way.
        guard var target = SocketAddress(peer, port: 9) else { return nil }
        guard target.use({ connect(socket, $0, $1) }) == 0 else { return nil }
        var own = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &own) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        return code == 0 ? text(of: own.sin_addr) : nil
    }

    static func text(of address: in_addr) -> String {
        let value = UInt32(bigEndian: address.s_addr)
        return "\(value >> 24).\(value >> 16 & 255).\(value >> 8 & 255).\(value & 255)"
    }
}

/// An IPv4 address and a port as the kernel takes them.
struct SocketAddress {
    private var address = sockaddr_in()

    /// Nil for what is no numeric IPv4 address.
    init?(_ text: String, port: UInt16) {
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, text, &address.sin_addr) == 1 else { return nil }
    }

    /// Who sent a datagram.
    init(_ address: sockaddr_in) { self.address = address }

    var text: String { NetworkInterface.text(of: address.sin_addr) }

    /// Private, link-local or loopback: nobody outside the house is answered, whatever a datagram says it comes from.
    var isOfTheHouse: Bool {
        let value = UInt32(bigEndian: address.sin_addr.s_addr)
        return value >> 24 == 10 || value >> 24 == 127 || value >> 20 == 0xAC1 || value >> 16 == 0xC0A8
            || value >> 16 == 0xA9FE || value >> 22 == 0x191
    }

    mutating func use(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
