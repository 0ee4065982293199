/// Where a connection may go, judged by the address that is really connected to, never by a name.
package enum AddressPolicy: Sendable, Hashable {
    /// The internet alone: for addresses that came from somewhere else, in a redirect or a playlist.
    case publicOnly
    /// This machine and the local network too: for addresses that the owner typed.
    case allowLocal

    /// True when a socket to such an address may be opened.
    package func permits(_ reach: AddressReach) -> Bool {
        switch reach {
        case .global: true
        case .local: self == .allowLocal
        case .never: false
        }
    }
}

/// How far away an address is.
package enum AddressReach: Sendable, Hashable {
    /// Somewhere on the internet.
    case global
    /// This machine, or a network of the house: loopback, private, carrier-grade NAT, link-local.
    case local
    /// Nowhere a station can be: unspecified, multicast, reserved, and the address where clouds keep their secrets.
    case never

    /// Judges the four bytes of an IPv4 address (IANA special-purpose registry, RFC 6890 and updates).
    package init(ipv4 bytes: (UInt8, UInt8, UInt8, UInt8)) {
        switch (bytes.0, bytes.1, bytes.2, bytes.3) {
        case (0, _, _, _), (224...255, _, _, _): self = .never
        case (169, 254, 169, 254): self = .never
        case (192, 0, 2, _), (198, 51, 100, _), (203, 0, 113, _), (192, 88, 99, _): self = .never
        case (10, _, _, _), (127, _, _, _), (169, 254, _, _), (192, 168, _, _), (192, 0, 0, _): self = .local
        case (100, 64...127, _, _), (172, 16...31, _, _), (198, 18...19, _, _): self = .local
        default: self = .global
        }
    }

    /// Judges the sixteen bytes of an IPv6 address. One that carries an IPv4 address inside is judged by that.
    package init(ipv6 bytes: [UInt8]) {
        guard bytes.count == 16 else {
            self = .never
            return
        }
        func ipv4(at index: Int) -> AddressReach {
            AddressReach(ipv4: (bytes[index], bytes[index + 1], bytes[index + 2], bytes[index + 3]))
        }
        let zeros = bytes.prefix { $0 == 0 }.count
        switch (bytes[0], bytes[1]) {
        case _ where zeros == 16: self = .never
        case _ where zeros == 15 && bytes[15] == 1: self = .local
        case _ where zeros >= 12: self = ipv4(at: 12)  // ::a.b.c.d, long deprecated
        case _ where zeros == 10 && bytes[10] == 0xFF && bytes[11] == 0xFF: self = ipv4(at: 12)  // mapped
        // IPv4-translated, RFC 2765.
        case _ where zeros == 8 && bytes[8] == 0xFF && bytes[9] == 0xFF: self = ipv4(at: 12)
        case (0x00, 0x64) where bytes[2] == 0xFF && bytes[3] == 0x9B: self = ipv4(at: 12)  // NAT64
        case (0x20, 0x02): self = ipv4(at: 2)  // 6to4
        case (0x20, 0x01) where bytes[2] == 0 && bytes[3] == 0: self = .never  // Teredo
        case (0x20, 0x01) where bytes[2] == 0x0D && bytes[3] == 0xB8: self = .never  // documentation
        case (0xFC...0xFD, _), (0xFE, 0x80...0xFF): self = .local  // unique local, link-local, site-local
        case (0x20...0x3F, _): self = .global
        default: self = .never  // multicast and all that is not given out
        }
    }
}
