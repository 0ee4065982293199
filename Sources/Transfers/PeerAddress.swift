internal import CLinux

/// Reads socket addresses as the kernel and libcurl hold them.
enum PeerAddress {
    /// How far away this address is. What is neither IPv4 nor IPv6 is nowhere.
    static func reach(of address: UnsafePointer<sockaddr>) -> AddressReach {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                reach(ipv4: $0.pointee.sin_addr)
            }
        case AF_INET6:
            return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                reach(ipv6: $0.pointee.sin6_addr)
            }
        default:
            return .never
        }
    }

    /// The same for an address in text: `192.0.2.1`, `::1`. Nil when it is neither.
    static func reach(ofText text: UnsafePointer<CChar>) -> AddressReach? {
        var ipv4 = in_addr()
        if inet_pton(AF_INET, text, &ipv4) == 1 { return reach(ipv4: ipv4) }
        var ipv6 = in6_addr()
        if inet_pton(AF_INET6, text, &ipv6) == 1 { return reach(ipv6: ipv6) }
        return nil
    }

    /// The address for people.
    static func text(of address: UnsafePointer<sockaddr>) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = Int32(address.pointee.sa_family)
        let offset = family == AF_INET ? 4 : 8  // sin_addr and sin6_addr
        _ = inet_ntop(family, UnsafeRawPointer(address) + offset, &text, socklen_t(text.count))
        return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    private static func reach(ipv4 address: in_addr) -> AddressReach {
        let value = UInt32(bigEndian: address.s_addr)
        let byte = { (shift: UInt32) in UInt8(truncatingIfNeeded: value >> shift) }
        return AddressReach(ipv4: (byte(24), byte(16), byte(8), byte(0)))
    }

    private static func reach(ipv6 address: in6_addr) -> AddressReach {
        withUnsafeBytes(of: address) { AddressReach(ipv6: Array($0)) }
    }
}
